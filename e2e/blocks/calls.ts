import { choice, choosing } from '@sonnenwarte/contract/choices';
import { endpoint } from '@sonnenwarte/contract/endpoint';
import { line } from '@sonnenwarte/contract/fields';
import * as z from 'zod/mini';

export const choices = endpoint({
  method: 'POST',
  path: '/c/v0/blocks/choices',
  feature: 'sites',
  summary: 'Records to choose from.',
  callers: 'public',
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

const powerW = z.number().check(z.gte(0));

export const save = endpoint({
  method: 'POST',
  path: '/c/v0/blocks/save',
  feature: 'sites',
  summary: 'Saves what the blocks hold.',
  callers: 'public',
  changes: [],
  input: z.object({
    day: z.iso.date(),
    time: z.string().check(z.regex(/^\d\d:\d\d$/)),
    powerW,
    record: z.uuid(),
    records: z.array(z.uuid()).check(z.minLength(1)),
    strings: z.array(z.object({ title: line(32, 1), powerW })).check(z.minLength(1)),
  }),
  result: z.object({}),
});
