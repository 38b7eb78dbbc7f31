import { Readable } from 'node:stream';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { expect, test } from 'vitest';
import { DataloggerEntry, DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { MOST_KEYS_ASKED } from '../ingestion/samples/row-reader.ts';
import { RowBuffer, secondsOf } from '../stores/row-buffer.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { deviceBucketData } from './rollup-tables.ts';
import { readSites, type SiteWork } from './site-readings.ts';

const noonMs = Date.UTC(2026, 5, 1, 12);

/** A plant of inverters that counts how often somebody looks at what its counters began with. */
function plantOf(inverters: number) {
  const site = new SiteEntry('site', 1, 'Europe/Berlin');
  const datalogger = new DataloggerEntry('logger', 1, '100000000000001');
  let looks = 0;
  for (let key = 1; key <= inverters; key += 1) {
    const device = new DeviceEntry(`inverter ${key}`, 'inverter', datalogger);
    device.key = key;
    device.opening = new Proxy({ pv: [noonMs - 86_400_000, 0] } as const, {
      get(target, name) {
        looks += 1;
        return Reflect.get(target, name);
      },
    });
    site.devices.add(device);
  }
  return { site, looks: () => looks };
}

/** A store in which the devices of some keys told a power in some buckets; it keeps what it was asked. */
function storeOf(isTold: (key: number, bucketMs: number) => boolean) {
  const asked: string[] = [];
  const client = {
    exec({ query }: { query: string }) {
      asked.push(query);
      const list = /device IN \(([^)]*)\)/.exec(query)?.[1] ?? '';
      const [, from = 0, to = 0] = /ts >= (\d+) AND ts <= (\d+)/.exec(query)?.map(Number) ?? [];
      const rows = new RowBuffer();
      const parts: Buffer[] = [];
      for (const key of list.split(',').map(Number)) {
        for (let ts = from; ts <= to && to > 0; ts += BUCKET_MS / 1_000) {
          const bucketMs = ts * 1_000;
          if (!isTold(key, bucketMs)) continue;
          const head = new RowBuffer(8);
          head.uint32(key);
          head.uint32(secondsOf(bucketMs));
          const told = { powerW: { pv: 5_000 }, energyWh: {}, maxPowerW: {}, samples: 5, quality: 'measured' } as const;
          parts.push(head.body(), deviceBucketData({ bucketMs, ...told }));
        }
      }
      rows.rows = parts.length;
      return Promise.resolve({ stream: Readable.from([Buffer.concat(parts)]) });
    },
  };
  return { telemetry: { client } as unknown as TelemetryHandle, asked };
}

async function onlyWork(works: AsyncIterable<SiteWork>): Promise<SiteWork> {
  for await (const work of works) return work;
  throw new Error('nothing to write');
}

test('what thousands of devices that fell silent mean is found by looking at each of them a few times, not at all of them for each', async () => {
  const inverters = 3_000;
  const { site, looks } = plantOf(inverters);
  // All tell at noon, and ten of them alone go on.
  const { telemetry } = storeOf((key, bucketMs) => bucketMs <= noonMs || key <= 10);
  const touched = [noonMs, noonMs + BUCKET_MS];
  const work = await onlyWork(readSites(telemetry, new Map([[site, touched]]), noonMs, noonMs + BUCKET_MS));
  const last = work.readings.find(({ bucketMs }) => bucketMs === noonMs + BUCKET_MS);
  expect(last?.byDevice.size).toBe(10);
  expect(last?.excused.size).toBe(inverters - 10);
  expect(looks()).toBeLessThan(50 * inverters);
});

test('a query names so many devices and no more, however many a plant has', async () => {
  const inverters = 2 * MOST_KEYS_ASKED + 1;
  const { site } = plantOf(inverters);
  const { telemetry, asked } = storeOf((key, bucketMs) => bucketMs === noonMs && key % 2 === 0);
  const work = await onlyWork(readSites(telemetry, new Map([[site, [noonMs]]]), noonMs, noonMs));
  expect(work.readings.find(({ bucketMs }) => bucketMs === noonMs)?.byDevice.size).toBe(MOST_KEYS_ASKED);
  expect(asked.length).toBeGreaterThanOrEqual(3);
  for (const query of asked) expect(query.length).toBeLessThan(65_536);
});
