import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { isAlive } from '../supervision/processes.ts';
import { startStores } from './stores.ts';
import { rawTable } from './telemetry-tables.ts';

const logger = pino({ level: 'silent' });
let dataDir = '';
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-stores-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('both stores start on an empty folder with their tables, say how they are, stop, and start again', async () => {
  const config = readConfig({ DATA_DIR: dataDir });
  for (let start = 0; start < 2; start += 1) {
    const stores = await startStores(config, logger);
    const { database, telemetry } = stores.pids();
    try {
      expect(await stores.states()).toEqual({ database: 'up', telemetry: 'up' });
      const counted = await stores.db
        .selectFrom('organisations')
        .select((of) => of.fn.countAll().as('n'))
        .execute();
      expect(counted).toEqual([{ n: 0 }]);
      const answer = await stores.telemetry.client.query({
        query: `SELECT count() AS n FROM ${rawTable('inverter')} UNION ALL SELECT count() AS n FROM site_day`,
        format: 'JSONEachRow',
      });
      expect(await answer.json()).toEqual([{ n: 0 }, { n: 0 }]);
    } finally {
      await stores.stop();
    }
    expect([database, telemetry].map((pid) => isAlive(pid ?? 0))).toEqual([false, false]);
  }
});

test('a store that cannot be reached fails the start and leaves nothing running', async () => {
  const config = readConfig({ DATA_DIR: dataDir, CLICKHOUSE_URL: 'http://127.0.0.1:18089' });
  await expect(startStores(config, logger)).rejects.toThrow(/CLICKHOUSE_URL does not answer/);
  const again = await startStores(readConfig({ DATA_DIR: dataDir }), logger);
  await again.stop();
});
