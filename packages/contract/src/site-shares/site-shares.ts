import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line } from '../fields.ts';
import type { Level } from '../levels.ts';
import { stationIDs } from '../sites/chosen-sites.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** An account shares so many tries to name somebody within an hour. */
export const MOST_SHARES_AN_HOUR = 30;
export const MOST_SHARES_OF_A_SITE = 50;

export const shareRights = ['read', 'workMode'] as const;
/** Only see, or see and change the work mode. */
export const shareRight = z.enum(shareRights);
export type ShareRight = z.infer<typeof shareRight>;

/** Somebody with whom a plant is shared, called as who shared it has. */
export const siteShare = z.object({
  shareID: z.string(),
  account: z.string(),
  right: shareRight,
  sharedBy: z.string(),
  sharedAtMs: z.int(),
  can: z.object({ edit: z.boolean(), end: z.boolean() }),
});
export type SiteShare = z.infer<typeof siteShare>;

export const list = endpoint({
  method: 'GET',
  path: '/c/v0/plant/share/list',
  feature: 'site-shares',
  summary: 'With whom a plant is shared; who has it shared reads only the own share.',
  callers: plantLevels,
  input: z.object({ stationID: z.uuid() }),
  result: z.object({ shares: z.array(siteShare), can: z.object({ share: z.boolean() }) }),
  names: { stationID: 'site' },
});

const changed = ['site-shares', 'sites'] as const;

export const add = endpoint({
  method: 'POST',
  path: '/c/v0/plant/share/add',
  feature: 'site-shares',
  summary:
    'Shares plants with an end user by user name or confirmed e-mail, all or none. Whoever cannot be named is answered alike, whether there is such an account or not.',
  callers: plantLevels,
  code: 'site:edit',
  changes: changed,
  input: z.object({ stationIDs, account: line(128, 1), right: z._default(shareRight, 'read') }),
  result: z.object({ sites: z.int() }),
  names: { stationIDs: 'site' },
});

export const edit = endpoint({
  method: 'POST',
  path: '/c/v0/plant/share/edit',
  feature: 'site-shares',
  summary: 'What somebody with whom a plant is shared may do.',
  callers: plantLevels,
  code: 'site:edit',
  changes: changed,
  input: z.object({ shareID: z.uuid(), right: shareRight }),
  result: z.object({}),
  names: { shareID: 'share' },
});

export const end = endpoint({
  method: 'POST',
  path: '/c/v0/plant/share/end',
  feature: 'site-shares',
  summary: 'Ends the sharing of a plant: by who gave it, the owner, or the one with whom it is shared.',
  callers: plantLevels,
  changes: [...changed, 'devices', 'fleet'],
  input: z.object({ shareID: z.uuid() }),
  result: z.object({}),
  names: { shareID: 'share' },
});

export const siteShareEndpoints = { list, add, edit, end } as const;
