import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import type { Level } from '../levels.ts';
import { stationIDs } from '../sites/chosen-sites.ts';

const administrators = [255] as const satisfies readonly Level[];

/** What shows something else once plants have moved, or have been moved back. */
export const changedByMoves = [
  'migrations-of-accounts',
  'sites',
  'site-shares',
  'devices',
  'dataloggers',
  'fleet',
  'user-management',
  'audit',
] as const;

const place = z.object({ organisation: z.string(), owner: z.string() });

/** A plant that moves, with what moves along. */
export const movingSite = z.object({
  stationID: z.string(),
  name: z.string(),
  city: z.string(),
  devices: z.int(),
  dataloggers: z.int(),
  from: place,
  to: place,
});
export type MovingSite = z.infer<typeof movingSite>;

/** Chosen plants and where they go: to another owner, another organisation, or both. What is left out stays. */
const target = {
  stationIDs,
  ownerID: z.optional(z.uuid()),
  organisationID: z.optional(z.uuid()),
};

export const owners = endpoint({
  method: 'POST',
  path: '/c/v0/plant/migrate/owners',
  feature: 'migrations-of-accounts',
  summary: 'Up to 20 end users to whom plants can be moved.',
  callers: administrators,
  code: 'site:migrate',
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const plantsPreview = endpoint({
  method: 'POST',
  path: '/c/v0/plant/migrate/preview',
  feature: 'migrations-of-accounts',
  summary: 'What would move, and what ends with it.',
  callers: administrators,
  code: 'site:migrate',
  reads: true,
  input: z.object(target),
  result: z.object({
    sites: z.array(movingSite),
    /** Of those chosen, how many are there already. */
    staying: z.int(),
    /** Shares that end, since the owner is another. */
    endingShares: z.int(),
    /** Digest of all of this. */
    seen: z.string(),
  }),
  names: { stationIDs: 'site' },
});

export const movePlants = endpoint({
  method: 'POST',
  path: '/c/v0/plant/migrate',
  feature: 'migrations-of-accounts',
  summary: 'Moves plants as they were shown to another owner, another organisation, or both; all or none.',
  callers: administrators,
  code: 'site:migrate',
  changes: changedByMoves,
  input: z.object({ ...target, seen: text(64) }),
  result: z.object({ migrationID: z.string(), sites: z.int() }),
  names: { stationIDs: 'site' },
});

export const plantMigrationEndpoints = { owners, plantsPreview, movePlants } as const;
