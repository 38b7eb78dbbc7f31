import { Readable } from 'node:stream';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { DataloggerEntry, DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { Figures } from './figures-writer.ts';
import type { Openings } from './openings.ts';

const noonMs = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;

/** Figures of two plants in Berlin and Seoul, over a fleet that counts how often it is looked at; the stores are not asked. */
function figuresOf() {
  const sites = ['Europe/Berlin', 'Asia/Seoul'].map((zone, at) => new SiteEntry(`site ${at}`, at + 1, zone));
  const held = new Set<SiteEntry>();
  const fleet = { looks: 0, placements: 0 };
  const registry = {
    get sites() {
      fleet.looks += 1;
      return sites.values();
    },
    get placements() {
      return fleet.placements;
    },
  };
  const figures = new Figures({
    db: {} as Kysely<Database>,
    telemetry: {} as TelemetryHandle,
    registry,
    openings: {} as Openings,
    backlogs: { sites: held, heldDay: () => '2026-06-01' },
  });
  return { figures, fleet, held, sites };
}

test('the whole fleet is looked at when a day turns somewhere or a device has come, and not otherwise', async () => {
  const { figures, fleet } = figuresOf();
  await figures.take([], noonMs);
  await figures.take([], noonMs + HOUR_MS);
  expect(fleet.looks).toBe(1);
  expect(figures.isDue(noonMs + 2 * HOUR_MS)).toBe(false);
  // In Seoul the day ends at 15:00 UTC.
  expect(figures.isDue(noonMs + 3 * HOUR_MS)).toBe(true);
  await figures.take([], noonMs + 3 * HOUR_MS);
  await figures.take([], noonMs + 4 * HOUR_MS);
  expect(fleet.looks).toBe(2);
  fleet.placements += 1;
  await figures.take([], noonMs + 4 * HOUR_MS);
  expect(fleet.looks).toBe(3);
});

test('a plant whose history is coming is looked at each time, alone', async () => {
  const { figures, fleet, held, sites } = figuresOf();
  await figures.take([], noonMs);
  const [site] = sites;
  if (site === undefined) throw new Error('there is no plant');
  site.devices.add(new DeviceEntry('inverter', 'inverter', new DataloggerEntry('logger', 1, '100000000000001')));
  expect(await figures.take([], noonMs)).toEqual([]);
  held.add(site);
  expect(await figures.take([], noonMs)).toEqual([site]);
  expect(figures.isDue(noonMs + HOUR_MS)).toBe(true);
  expect(fleet.looks).toBe(1);
});

test('of thousands of inverters each is asked for once, so many in one query that the store reads it', async () => {
  const asked: string[] = [];
  const client = {
    async exec({ query }: { query: string }) {
      asked.push(query);
      return { stream: Readable.from([]) };
    },
  };
  const nowhere = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const datalogger = new DataloggerEntry('logger', 1, '100000000000001');
  const zones = ['Europe/Berlin', 'Europe/Paris', 'Asia/Seoul'];
  let lastKey = 2_000_000_000;
  const sites = Array.from({ length: 60 }, (_, at) => {
    const site = new SiteEntry(`site ${at}`, 1_000_000_000 + at, zones[at % zones.length] ?? 'UTC');
    for (let inverter = 0; inverter < 250; inverter += 1) {
      lastKey += 1;
      const device = new DeviceEntry(`inverter ${lastKey}`, 'inverter', datalogger);
      device.key = lastKey;
      device.site = site;
      site.devices.add(device);
    }
    return site;
  });
  const figures = new Figures({
    db: nowhere,
    telemetry: { client } as unknown as TelemetryHandle,
    registry: { sites: sites.values(), placements: 0 },
    openings: { writeSites: async () => undefined } as unknown as Openings,
    backlogs: { sites: new Set(), heldDay: () => '2026-06-01' },
  });
  await figures.write(sites, noonMs);
  const keys = asked.flatMap((query) => query.match(/\b2000\d{6}\b/g) ?? []);
  expect(keys).toHaveLength(60 * 250);
  expect(new Set(keys).size).toBe(60 * 250);
  for (const query of asked) expect(query.length).toBeLessThan(65_536);
  // Where the day began at once, they are asked together.
  expect(asked.filter((query) => query.includes('FROM device_5m')).length).toBeLessThan(12);
});
