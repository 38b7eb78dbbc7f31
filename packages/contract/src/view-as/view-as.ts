import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { level } from '../fields.ts';
import { levels } from '../levels.ts';

const admin = [255] as const;
const id = z.uuid();

/** Through whose eyes: the first account of an organisation, an account, or a member with one permission group. */
export const viewKind = z.enum(['organisation', 'account', 'group']);
export type ViewKind = z.infer<typeof viewKind>;

export const choices = endpoint({
  method: 'POST',
  path: '/c/v0/viewAs/choices',
  feature: 'view-as',
  summary:
    'Organisations, accounts or permission groups through whose eyes the portal can be seen at a level, at most 20.',
  callers: admin,
  code: 'role:query',
  reads: true,
  input: z.object({ ...choosing, kind: viewKind, level }),
  result: z.object({ choices: z.array(choice) }),
});

export const start = endpoint({
  method: 'POST',
  path: '/c/v0/viewAs/start',
  feature: 'view-as',
  summary:
    'Open a read-only session that sees the portal as a level sees it: of an organisation, an account or a permission group.',
  callers: admin,
  code: 'role:query',
  changes: [],
  input: z
    .object({
      level,
      organisationID: z.optional(id),
      accountID: z.optional(id),
      permissionGroupID: z.optional(id),
    })
    .check(
      z.refine(
        (chosen) =>
          [chosen.organisationID, chosen.accountID, chosen.permissionGroupID].filter((each) => each !== undefined)
            .length === 1,
        { path: ['organisationID'], params: { reason: 'required' } },
      ),
    ),
  result: z.object({ token: z.string(), access: level }),
  names: { accountID: 'account' },
});

export const end = endpoint({
  method: 'POST',
  path: '/c/v0/viewAs/end',
  feature: 'view-as',
  summary: 'End the read-only session of the token; the own session goes on.',
  callers: levels,
  reads: true,
  input: z.object({}),
  result: z.object({}),
});

export const viewAsEndpoints = { choices, start, end };
