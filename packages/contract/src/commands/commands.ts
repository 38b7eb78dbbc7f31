import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import type { Level } from '../levels.ts';
import { paged, paging } from '../lists.ts';
import { command, commandState } from './command.ts';

/** End users see those that they ordered themselves. */
const callers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/device/command/list',
  feature: 'commands',
  summary: 'Commands to a device, the newest first.',
  callers,
  reads: true,
  input: z.object({
    id: z.uuid(),
    condition: z._default(z.object({ states: z._default(z.array(commandState).check(z.maxLength(9)), []) }), {
      states: [],
    }),
    ...paging,
  }),
  result: z.object({ ...paged, data: z.array(command) }),
  names: { id: 'device' },
});

export const info = endpoint({
  method: 'GET',
  path: '/c/v0/device/command/info',
  feature: 'commands',
  summary: 'A command to a device, as it stands now.',
  callers,
  input: z.object({ id: z.uuid(), commandID: text(26, 26) }),
  result: command,
  names: { id: 'device' },
});

export const commandEndpoints = { list, info };
