import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';
import { paged, paging, searchText } from '../lists.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/module/list',
  feature: 'dataloggers',
  summary: 'Dataloggers in scope. `communication` 0 all, 1 online, 2 offline.',
  callers: plantLevels,
  reads: true,
  input: z.object({
    ...paging,
    condition: z._default(
      z.object({
        communication: z._default(z.int().check(z.gte(0), z.lte(2)), 0),
        moduleSN: z._default(searchText, ''),
        moduleType: z._default(searchText, ''),
      }),
      { communication: 0, moduleSN: '', moduleType: '' },
    ),
  }),
  result: z.object({
    ...paged,
    data: z.array(
      z.object({
        moduleSN: z.string(),
        moduleType: z.string(),
        plantName: z.string(),
        stationID: z.nullable(z.string()),
        version: z.string(),
        signal: z.nullable(z.number()),
        communication: z.int(),
        lastSeenMs: z.nullable(z.int()),
        quarantined: z.boolean(),
      }),
    ),
  }),
});

export const dataloggerEndpoints = { list };
