import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

/** Where a server of a test keeps what it has. */
export interface TestHome {
  readonly dataDir: string;
  /** Settings that lead to the folder and the stores. */
  readonly settings: Readonly<Record<string, string>>;
  leave(): void;
}

/** A folder of its own, with stores that the worker's tests share, or some in the folder for tests that stop, freeze or kill them. */
export async function testHome({ ownStores = false } = {}): Promise<TestHome> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sonnenwarte-test-'));
  const borrowed = ownStores ? undefined : await borrowStores();
  return {
    dataDir,
    settings: { PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'fatal', ...borrowed?.stores },
    leave() {
      borrowed?.giveBack();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
