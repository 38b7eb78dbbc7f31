import { randomUUID } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { Registry as Metrics } from 'prom-client';
import { expect, test } from 'vitest';
import type { Database } from '../../stores/schema.ts';
import { IngestionMetrics } from '../metrics.ts';
import { DataloggerEntry, DeviceEntry, SiteEntry } from '../registry/plant-model.ts';
import type { Sample } from '../samples/sample.ts';
import { LatestWriter } from './latest.ts';

const FLEET = 20_000;

const db = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

function fleetOf(count: number) {
  const datalogger = new DataloggerEntry(randomUUID(), 1, 'LOGGER000000001');
  return Array.from({ length: count }, (_, at) => {
    const site = new SiteEntry(randomUUID(), at + 1, 'UTC');
    const device = new DeviceEntry(`DEVICE${at}`, 'inverter', datalogger);
    device.id = randomUUID();
    device.key = at + 1;
    device.site = site;
    site.devices.add(device);
    return { site, device };
  });
}

test('when figures of a whole fleet are new at once, the newest values of a plant are told before them, and all are told once', async () => {
  const told: { sites: readonly number[]; devices: readonly number[] }[] = [];
  const latest = new LatestWriter({
    db,
    bus: { publish: async (changed) => void told.push(changed) },
    registry: {
      hasUnsettled: false,
      settle: async () => undefined,
      noteDeviceBirth: () => undefined,
    },
    alarms: { flush: async () => undefined },
    metrics: new IngestionMetrics(new Metrics()),
    logger: { warn: () => undefined },
  });
  const fleet = fleetOf(FLEET);
  const last = fleet.at(-1);
  if (last === undefined) throw new Error('no plant');
  latest.noteFigures(
    fleet.map(({ site }) => site),
    fleet.map(({ device }) => device),
  );
  const sample = { device: last.device, tsMs: 1, receivedMs: 2, historical: false, values: new Float64Array(0) };
  latest.take([sample as unknown as Sample]);
  await latest.drain();
  expect(told[0]?.devices).toContain(last.device.key);
  expect(told[0]?.sites).toContain(last.site.key);
  expect(Math.max(...told.map(({ devices, sites }) => Math.max(devices.length, sites.length)))).toBeLessThan(FLEET / 4);
  const once = (keys: readonly number[]) => [...new Set(keys)].sort((a, b) => a - b);
  const every = fleet.map(({ device }) => device.key);
  expect(once(told.flatMap(({ devices }) => devices))).toEqual(every);
  expect(once(told.flatMap(({ sites }) => sites))).toEqual(every);
});
