import type { Tariff } from '@sonnenwarte/energy/accounting/money';
import { type Kysely, sql } from 'kysely';
import { partsOf } from '../../in-slices.ts';
import type { MarketBooks } from '../../market-prices/market-book.ts';
import { marketBooks, zonesOf } from '../../market-prices/market-prices.store.ts';
import type { Database } from '../../stores/schema.ts';
import { type Doubt, MOST_DOUBTS, type StandingAlarm } from './plant-model.ts';
import { rowPages } from './row-pages.ts';
import { laterTariffs, priceColumns } from './site-prices.store.ts';

/** What to begin with, by any of these. */
export interface Sought {
  dataloggerSns?: readonly string[];
  dataloggerIds?: readonly string[];
  siteIds?: readonly string[];
  deviceIds?: readonly string[];
  deviceKeys?: readonly number[];
}

/** Of what is sought, so many are read together. */
export const MOST_TOGETHER = 250;

/** The same in parts that are not too large to be read in one go. */
export function* soughtInParts(sought: Sought): Generator<Sought> {
  for (const [by, keys] of Object.entries(sought) as [keyof Sought, readonly (string | number)[] | undefined][]) {
    for (const part of partsOf(keys ?? [], MOST_TOGETHER)) yield { [by]: part } as Sought;
  }
}

/** Plants, dataloggers and devices that belong together, whole: a plant with all that is on it. */
export interface FleetRows {
  sites: ReadonlyMap<string, SiteRow>;
  dataloggers: ReadonlyMap<string, DataloggerRow>;
  devices: ReadonlyMap<string, DeviceRow>;
  /** Prices of plants from later times on. */
  tariffs: ReadonlyMap<string, Tariff[]>;
  /** What markets tell of the prices of plants from the beginning on. */
  books: MarketBooks;
  /** Of devices that were not held. */
  memories: ReadonlyMap<string, DeviceMemory>;
}

export const NO_ROWS: FleetRows = {
  sites: new Map(),
  dataloggers: new Map(),
  devices: new Map(),
  tariffs: new Map(),
  books: new Map(),
  memories: new Map(),
};

export type SiteRow = Awaited<ReturnType<typeof siteRows>>[number];
export type DataloggerRow = Awaited<ReturnType<typeof dataloggerRows>>[number];
export type DeviceRow = Awaited<ReturnType<typeof deviceRows>>[number];

/** What is known of a device beside its row: how new its values are, what its counters taught, which alarms stand. */
export interface DeviceMemory {
  latestMs: number;
  todayWh: number | null | undefined;
  todayMarks: number;
  opening: unknown;
  learned: unknown;
  alarms: StandingAlarm[];
  doubts: Doubt[];
}

const isOneOf = (column: string, ids: readonly string[]) => sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`;

/** Reads what is sought and all that hangs together with it; memories of those devices alone of which there is none yet. */
export async function readFleet(
  db: Kysely<Database>,
  sought: Sought,
  isHeld: (deviceId: string) => boolean,
): Promise<FleetRows> {
  const sites = new Map<string, SiteRow>();
  const dataloggers = new Map<string, DataloggerRow>();
  const devices = new Map<string, DeviceRow>();
  const askedSites = new Set<string>();
  const askedDataloggers = new Set<string>();
  let siteIds = new Set(sought.siteIds);
  let dataloggerIds = new Set(sought.dataloggerIds);
  let dataloggerSns = sought.dataloggerSns ?? [];
  if ((sought.deviceIds?.length ?? 0) + (sought.deviceKeys?.length ?? 0) > 0) {
    for (const { logger_id, site_id } of await placesOfDevices(db, sought)) {
      dataloggerIds.add(logger_id);
      if (site_id !== null) siteIds.add(site_id);
    }
  }
  while (siteIds.size + dataloggerIds.size + dataloggerSns.length > 0) {
    const fresh: string[] = [];
    const take = (row: DataloggerRow): void => {
      if (!dataloggers.has(row.id)) fresh.push(row.id);
      dataloggers.set(row.id, row);
      askedDataloggers.add(row.id);
      if (row.site_id !== null && !askedSites.has(row.site_id)) siteIds.add(row.site_id);
    };
    for (const id of dataloggerIds) askedDataloggers.add(id);
    for (const row of await dataloggerRows(db, { sns: dataloggerSns, ids: [...dataloggerIds], siteIds: [] })) take(row);
    const living = await siteRows(db, [...siteIds]);
    for (const id of siteIds) askedSites.add(id);
    for (const row of living) sites.set(row.id, row);
    const livingIds = living.map(({ id }) => id);
    siteIds = new Set();
    dataloggerIds = new Set();
    dataloggerSns = [];
    for (const row of await dataloggerRows(db, { sns: [], ids: [], siteIds: livingIds })) take(row);
    for (const row of await deviceRows(db, fresh, livingIds)) {
      devices.set(row.id, row);
      if (!askedDataloggers.has(row.logger_id)) dataloggerIds.add(row.logger_id);
      if (row.site_id !== null && !askedSites.has(row.site_id)) siteIds.add(row.site_id);
    }
  }
  const repriced = [...sites.values()].filter((row) => row.price_changes > 0).map(({ id }) => id);
  const tariffs = await laterTariffs(db, repriced);
  const books = await marketBooks(db, zonesOf(sites.values()));
  const memories = await readMemories(
    db,
    [...devices.keys()].filter((id) => !isHeld(id)),
  );
  return { sites, dataloggers, devices, tariffs, books, memories };
}

async function siteRows(db: Kysely<Database>, ids: readonly string[]) {
  const rows = db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .select(['id', 'key', 'time_zone', 'rated_power_w', ...priceColumns, 'local_day'])
    .where('deleted_at', 'is', null)
    .where(isOneOf('id', ids))
    .orderBy('key');
  return ids.length === 0 ? [] : all((afterKey, most) => rows.where('key', '>', afterKey).limit(most).execute());
}

interface DataloggerChoice {
  sns: readonly string[];
  ids: readonly string[];
  siteIds: readonly string[];
}

async function dataloggerRows(db: Kysely<Database>, { sns, ids, siteIds }: DataloggerChoice) {
  const rows = db
    .selectFrom('loggers')
    .select(['id', 'key', 'sn', 'site_id', 'quarantined', 'report_interval_s'])
    .where(({ or }) => or([sql<boolean>`sn = any(${sns}::text[])`, isOneOf('id', ids), isOneOf('site_id', siteIds)]))
    .orderBy('key');
  if (sns.length + ids.length + siteIds.length === 0) return [];
  return all((afterKey, most) => rows.where('key', '>', afterKey).limit(most).execute());
}

const ofDevices = (db: Kysely<Database>) =>
  db
    .selectFrom('devices')
    .leftJoin('device_claims', 'device_claims.claimant_id', 'devices.id')
    .select(['devices.id', 'key', 'devices.sn', 'told_sn', 'kind', 'kind_guessed', 'role', 'logger_id', 'site_id'])
    .select(['rated_power_w', 'capacity_wh', 'deleted_at', 'burn_in', 'device_claims.state as claim']);

/** The rows of some devices alone. */
export const rowsOfDevices = (db: Kysely<Database>, ids: readonly string[]) =>
  ofDevices(db).where(isOneOf('devices.id', ids)).orderBy('key').execute();

async function deviceRows(db: Kysely<Database>, dataloggerIds: readonly string[], siteIds: readonly string[]) {
  const rows = ofDevices(db)
    .where(({ or }) => or([isOneOf('devices.logger_id', dataloggerIds), isOneOf('devices.site_id', siteIds)]))
    .orderBy('key');
  if (dataloggerIds.length + siteIds.length === 0) return [];
  return all((afterKey, most) => rows.where('key', '>', afterKey).limit(most).execute());
}

async function all<Row extends { key: number }>(read: (afterKey: number, rows: number) => Promise<Row[]>) {
  const rows: Row[] = [];
  for await (const page of rowPages(read)) rows.push(...page);
  return rows;
}

function placesOfDevices(db: Kysely<Database>, { deviceIds = [], deviceKeys = [] }: Sought) {
  return db
    .selectFrom('devices')
    .select(['id', 'logger_id', 'site_id'])
    .where(({ or }) => or([isOneOf('id', deviceIds), sql<boolean>`key = any(${deviceKeys}::int[])`]))
    .execute();
}

/** Where dataloggers are. */
export function placesOfDataloggers(db: Kysely<Database>, ids: readonly string[]) {
  return db.selectFrom('loggers').select(['id', 'site_id']).where(isOneOf('id', ids)).execute();
}

/** What is known of devices that exist. */
export async function readMemories(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, DeviceMemory>> {
  const memories = new Map<string, DeviceMemory>();
  if (ids.length === 0) return memories;
  const [rows, alarms, doubts] = await Promise.all([
    db
      .selectFrom('devices')
      .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
      .select(['devices.id', 'opening', 'learned', 'device_latest.ts', 'today_wh', 'today_marks'])
      .where(isOneOf('devices.id', ids))
      .execute(),
    db
      .selectFrom('alarms')
      .select(['id', 'device_id', 'code', 'level', 'since', 'extra'])
      .where(isOneOf('device_id', ids))
      .where('until', 'is', null)
      .where('source', '=', 'device')
      .execute(),
    db
      .selectFrom('device_events')
      .select(['device_id', 'ts', 'detail'])
      .where(isOneOf('device_id', ids))
      .where(sql<boolean>`detail ? 'neededW'`)
      .orderBy('ts', 'desc')
      .execute(),
  ]);
  for (const { id, opening, learned, ts, today_wh, today_marks } of rows) {
    memories.set(id, {
      latestMs: ts?.getTime() ?? 0,
      todayWh: ts === null ? undefined : today_wh,
      todayMarks: today_marks ?? 0,
      opening,
      learned,
      alarms: [],
      doubts: [],
    });
  }
  for (const { id, device_id, code, level, since, extra } of alarms) {
    const alarm = { id, code, level, sinceMs: since.getTime(), extra, goneMs: 0 };
    memories.get(device_id ?? '')?.alarms.push(alarm);
  }
  for (const { device_id, ts, detail } of doubts) {
    const known = memories.get(device_id)?.doubts;
    const { channel, neededW } = detail;
    if (known === undefined || known.length >= MOST_DOUBTS || typeof neededW !== 'number') continue;
    known.unshift({ tsMs: ts.getTime(), channel: channel as Doubt['channel'], neededW });
  }
  return memories;
}
