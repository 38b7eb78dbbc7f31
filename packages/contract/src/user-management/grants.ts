import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { paged, paging, searchText } from '../lists.ts';

const admin = [255] as const satisfies readonly Level[];
export const MAX_GRANTS_AT_ONCE = 500;
export const MAX_PASTED_SNS = 1_000;

export const grantDevice = z.object({
  id: z.string(),
  sn: z.string(),
  kind: z.string(),
  model: z.string(),
  site: z.nullable(z.string()),
  organisation: z.nullable(z.string()),
  granted: z.boolean(),
});
export type GrantDevice = z.infer<typeof grantDevice>;

const grantFields = fieldsOf(grantDevice)({
  sn: unsorted(is.serial),
  model: unsorted(is.text),
  site: unsorted(is.text),
  granted: is.own,
});

export const grantList = endpoint({
  method: 'POST',
  path: '/c/v0/account/grant/list',
  feature: 'user-management',
  summary:
    'Devices that an integrator was granted, or all devices with whether it was, by serial number, plant and model.',
  callers: admin,
  code: 'member:query',
  reads: true,
  list: { rows: 'devices', key: 'id', fields: grantFields, texts: 'user-management.grants' },
  input: z.object({
    ...paging,
    id: z.uuid(),
    condition: z._default(z.object({ content: z._default(searchText, ''), granted: z._default(z.boolean(), true) }), {
      content: '',
      granted: true,
    }),
  }),
  result: z.object({ ...paged, devices: z.array(grantDevice), grantedTotal: z.int() }),
  names: { id: 'integrator' },
});

export const grantCheck = endpoint({
  method: 'POST',
  path: '/c/v0/account/grant/check',
  feature: 'user-management',
  summary: 'Tells of each serial number whether the device can be granted to an integrator.',
  callers: admin,
  code: 'member:query',
  reads: true,
  input: z.object({
    id: z.uuid(),
    sns: z.array(line(64)).check(z.minLength(1), z.maxLength(MAX_PASTED_SNS)),
  }),
  result: z.object({
    lines: z.array(
      z.object({
        sn: z.string(),
        outcome: z.enum(['new', 'granted', 'repeated', 'unknown']),
        device: z.nullable(grantDevice),
      }),
    ),
  }),
  names: { id: 'integrator' },
});

const deviceIds = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_GRANTS_AT_ONCE));

export const grantAdd = endpoint({
  method: 'POST',
  path: '/c/v0/account/grant/add',
  feature: 'user-management',
  summary: 'Grant devices to an integrator.',
  callers: admin,
  changes: ['user-management', 'devices'],
  input: z.object({ id: z.uuid(), deviceIds }),
  result: z.object({ changed: z.int() }),
  names: { id: 'integrator' },
});

export const grantRemove = endpoint({
  method: 'POST',
  path: '/c/v0/account/grant/remove',
  feature: 'user-management',
  summary: 'Take devices away from an integrator.',
  callers: admin,
  changes: ['user-management', 'devices'],
  input: z.object({ id: z.uuid(), deviceIds }),
  result: z.object({ changed: z.int() }),
  names: { id: 'integrator' },
});

export const grantEndpoints = { grantList, grantCheck, grantAdd, grantRemove } as const;
