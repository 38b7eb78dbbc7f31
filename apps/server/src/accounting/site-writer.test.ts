import { Readable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { DataloggerEntry, DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { type TelemetryHandle, TelemetryUnavailableError } from '../stores/telemetry-engine.ts';
import { SiteWriter } from './site-writer.ts';

const noonMs = Date.UTC(2026, 5, 1, 12);
const PLANTS = 40;

/** Plants with an inverter each, of which some are refused by the store, some when their figures are written. */
function writer() {
  const sites = Array.from({ length: PLANTS }, (_, at) => {
    const site = new SiteEntry(`site ${at}`, at + 1, 'Europe/Berlin');
    const device = new DeviceEntry(`inverter ${at}`, 'inverter', new DataloggerEntry('logger', 1, '100000000000001'));
    device.key = 1_000 + at;
    site.devices.add(device);
    return site;
  });
  const trouble = { refusedKey: 0, unwritable: undefined as SiteEntry | undefined, isAway: false };
  const written: SiteEntry[] = [];
  const failures: unknown[] = [];
  const client = {
    async exec({ query }: { query: string }) {
      if (trouble.isAway) throw new TelemetryUnavailableError('away');
      const keys = /device IN \(([^)]*)\)/.exec(query)?.[1]?.split(',') ?? [];
      if (keys.includes(String(trouble.refusedKey))) throw new Error('refused');
      return { stream: Readable.from([]) };
    },
  };
  const own = new SiteWriter({
    telemetry: { client, insertRowBinary: async () => undefined } as unknown as TelemetryHandle,
    figures: {
      take: async (touched) => [...touched],
      async write(list) {
        if (list.some((site) => site === trouble.unwritable)) throw new Error('not to be written');
        written.push(...list);
        return [];
      },
    },
    openings: { flush: async () => new Set() },
    backlogs: { summed: () => undefined },
    logger: pino({ level: 'silent' }),
    failed: (error) => failures.push(error),
    changed: () => undefined,
  });
  const touchAll = () => {
    for (const site of sites) own.touch(site, [noonMs]);
  };
  return { own, sites, trouble, written, failures, touchAll };
}

test('a plant of which the store refuses the sums keeps no other from its figures, and has its own when it can', async () => {
  const { own, sites, trouble, written, failures, touchAll } = writer();
  trouble.refusedKey = 1_017;
  touchAll();
  await own.write(new Map(), noonMs);
  expect(new Set(written)).toEqual(new Set(sites.filter(({ key }) => key !== 18)));
  expect([own.aside, failures.length]).toEqual([1, 1]);
  // It rests, and nothing of it is forgotten.
  expect([own.hasDue(noonMs + 1), own.has(sites[17] as SiteEntry)]).toEqual([false, true]);
  trouble.refusedKey = 0;
  expect(own.hasDue(noonMs + 5_000)).toBe(true);
  written.length = 0;
  await own.write(new Map(), noonMs + 5_000);
  expect(written).toEqual([sites[17]]);
  expect([own.aside, own.hasDue(noonMs + 9_000_000)]).toEqual([0, false]);
});

test('a plant whose figures cannot be written keeps no other from its own, and is tried after ever longer pauses', async () => {
  const { own, sites, trouble, written, failures, touchAll } = writer();
  trouble.unwritable = sites[3];
  for (const atMs of [0, 5_000, 14_999, 15_000]) {
    written.length = 0;
    touchAll();
    await own.write(new Map(), noonMs + atMs);
    expect(new Set(written)).toEqual(new Set(sites.filter((site) => site !== trouble.unwritable)));
  }
  expect([own.aside, failures.length]).toEqual([1, 3]);
});

test('while the store is away all wait and none is set aside', async () => {
  const { own, sites, trouble, written, touchAll } = writer();
  trouble.isAway = true;
  touchAll();
  await expect(own.write(new Map(), noonMs)).rejects.toThrow('away');
  expect([own.aside, own.hasDue(noonMs)]).toEqual([0, true]);
  trouble.isAway = false;
  await own.write(new Map(), noonMs + 1);
  expect(new Set(written)).toEqual(new Set(sites));
});
