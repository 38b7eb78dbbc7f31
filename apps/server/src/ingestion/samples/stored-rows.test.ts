import { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { DataloggerEntry, DeviceEntry } from '../registry/plant-model.ts';
import { layout } from '../sessions/kinds.ts';
import { newSample } from './sample.ts';
import { StoredRows } from './stored-rows.ts';

const noonMs = Date.UTC(2026, 5, 1, 12);
const inverter = layout('inverter');
const datalogger = new DataloggerEntry('logger', 1, '100000000000001');
const devices = Array.from({ length: 12_000 }, (_, at) => {
  const device = new DeviceEntry(`inverter ${at}`, 'inverter', datalogger);
  device.key = 2_000_000_000 + at;
  return device;
});

test.each([
  ['what was stored last', (rows: StoredRows) => rows.learnNewest(devices)],
  ['what follows', (rows: StoredRows) => rows.nextAfter(inverter, new Map(devices.map((each) => [each, noonMs])))],
  [
    'what is there already',
    (rows: StoredRows) =>
      rows.find(
        inverter,
        new Map(devices.map((each) => [each, new Map([[noonMs, newSample(each, noonMs, noonMs, false)]])])),
      ),
  ],
])('%s of thousands of devices is asked for in queries that the store reads, each device once', async (_, ask) => {
  const asked: string[] = [];
  const client = {
    async exec({ query }: { query: string }) {
      asked.push(query);
      return { stream: Readable.from([]) };
    },
  };
  await ask(new StoredRows(client as unknown as ClickHouseClient));
  const keys = asked.flatMap((query) => query.match(/\b20000\d{5}\b/g) ?? []);
  expect([keys.length, new Set(keys).size]).toEqual([devices.length, devices.length]);
  for (const query of asked) expect(query.length).toBeLessThan(131_072);
});
