import * as z from 'zod/mini';
import type { State } from '../status.ts';

/** How the open API tells a device's state: 1 online, 2 fault, 3 offline. */
export const deviceStatus = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export const deviceStatusOf = (state: State): z.infer<typeof deviceStatus> =>
  state === 'offline' ? 3 : state === 'fault' ? 2 : 1;
