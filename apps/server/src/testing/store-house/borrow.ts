import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import type { Lent } from './room.ts';

/** A database and a telemetry store, empty but for their tables, on the servers that the tests of this worker share. */
export async function borrowStores(house = inject('storeHouse')): Promise<{ stores: Lent; giveBack(): void }> {
  const caller = connect(house).unref();
  caller.write(`${process.env.VITEST_POOL_ID}\n`);
  for await (const line of createInterface(caller)) {
    return { stores: JSON.parse(line) as Lent, giveBack: () => caller.destroy() };
  }
  throw new Error('the house of the stores lends none');
}
