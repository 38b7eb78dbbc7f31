import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { partsOf } from '../in-slices.ts';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { eachRowOf, MOST_KEYS_ASKED, readRows } from '../ingestion/samples/row-reader.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import type { AccountedDevice } from './recompute-windows.ts';
import { rollUpSites, type SumStores, writeHoursAndDays } from './site-rollups.ts';

export interface Span {
  fromMs: number;
  toMs: number;
}

/** Time of a device whose samples are accounted anew. */
export interface Stretch extends Span {
  device: AccountedDevice;
}

type Step = () => Promise<void>;

const DAY_MS = 86_400_000;
const MOST_DAYS = 15;
const MOST_STRETCHES = 64;
/** The type DateTime begins in 1970 and ends in 2106. */
const LATEST_MS = Date.UTC(2100, 0, 1);

/** Hours, days and money of a site from its 5-minute rows, the newest days first: they are what is looked at. */
export async function* rebuildSlices(stores: SumStores, site: SiteEntry, span: Span): AsyncGenerator<Step> {
  const { telemetry } = stores;
  const recorded = await recordedSpan(telemetry, `site_5m WHERE site = ${site.key}`, span);
  if (recorded === undefined) return;
  // Whole days of the plant, since a day is the sum of its hours.
  const dayOf = (tsMs: number) => dayBounds(localDay(tsMs, site.zone), site.zone);
  const firstMs = dayOf(recorded.fromMs).startMs;
  let endMs = dayOf(recorded.toMs).endMs;
  while (endMs > firstMs) {
    const startMs = Math.max(firstMs, dayOf(endMs - MOST_DAYS * DAY_MS).startMs);
    const slice = { fromMs: startMs, toMs: endMs - 1 };
    yield async () => {
      const buckets = await bucketsOf(telemetry, `site_5m WHERE site = ${site.key}`, slice);
      if (buckets.length > 0) await writeHoursAndDays(stores, new Map([[site, buckets]]));
    };
    endMs = startMs;
  }
}

/** All rows of a site from the buckets of its devices, as far as the given ones have any. */
export async function* deviceSlices(
  stores: SumStores,
  site: SiteEntry,
  devices: readonly DeviceEntry[],
  span: Span,
): AsyncGenerator<Step> {
  const { telemetry } = stores;
  const keys = devices.map(({ key }) => key).filter((key) => key > 0);
  if (keys.length === 0) return;
  const rowsOf = [...partsOf(keys, MOST_KEYS_ASKED)].map((part) => `device_5m WHERE device IN (${part.join(',')})`);
  const spans: Span[] = [];
  for (const rows of rowsOf) {
    const recorded = await recordedSpan(telemetry, rows, span);
    if (recorded !== undefined) spans.push(recorded);
  }
  for (const { corrections } of devices) {
    for (const { fromMs, toMs, partsWh } of corrections)
      if (partsWh !== null && fromMs <= span.toMs && toMs > span.fromMs) spans.push({ fromMs, toMs: toMs - 1 });
  }
  if (spans.length === 0) return;
  const recorded = {
    fromMs: Math.min(...spans.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...spans.map(({ toMs }) => toMs)),
  };
  const sliceMs = Math.max(1, Math.floor(MOST_DAYS / Math.max(1, site.devices.size))) * DAY_MS;
  for (let endMs = recorded.toMs; endMs >= recorded.fromMs; endMs -= sliceMs) {
    const slice = { fromMs: Math.max(recorded.fromMs, endMs - sliceMs + 1), toMs: endMs };
    yield async () => {
      const buckets = new Set(correctedTimes({ devices: new Set(devices) }, slice));
      for (const rows of rowsOf) for (const bucketMs of await bucketsOf(telemetry, rows, slice)) buckets.add(bucketMs);
      if (buckets.size > 0) await rollUpSites(stores, new Map([[site, buckets]]));
    };
  }
}

/** All rows of a site in spans of which something was corrected, or is no longer: where devices told nothing, too. */
export async function* correctedSlices(
  stores: SumStores,
  site: SiteEntry,
  spans: readonly Span[],
): AsyncGenerator<Step> {
  const { telemetry } = stores;
  const keys = [...site.devices].map(({ key }) => key).filter((key) => key > 0);
  const rowsOf = [...partsOf(keys, MOST_KEYS_ASKED)].map((part) => `device_5m WHERE device IN (${part.join(',')})`);
  rowsOf.push(`site_5m WHERE site = ${site.key}`);
  const sliceMs = Math.max(1, Math.floor(MOST_DAYS / Math.max(1, keys.length))) * DAY_MS;
  for (const { fromMs: firstMs, toMs: endMs } of spans) {
    for (let fromMs = firstMs; fromMs < endMs; fromMs += sliceMs) {
      const slice = { fromMs, toMs: Math.min(endMs, fromMs + sliceMs) - 1 };
      yield async () => {
        const buckets = new Set(correctedTimes(site, slice));
        for (const rows of rowsOf)
          for (const bucketMs of await bucketsOf(telemetry, rows, slice)) buckets.add(bucketMs);
        if (buckets.size > 0) await rollUpSites(stores, new Map([[site, buckets]]));
      };
    }
  }
}

/** Spans in their order, those that touch joined to one. */
export function joinedSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else joined.push({ fromMs, toMs });
  }
  return joined;
}

/** Buckets within a span to which somebody gave an energy. */
function* correctedTimes({ devices }: Pick<SiteEntry, 'devices'>, { fromMs, toMs }: Span): Generator<number> {
  for (const { corrections } of devices) {
    for (const correction of corrections) {
      if (correction.partsWh === null) continue;
      const lastMs = Math.min(toMs, correction.toMs - 1);
      for (let atMs = correction.fromMs; atMs <= lastMs; atMs += BUCKET_MS) if (atMs >= fromMs) yield atMs;
    }
  }
}

/** Days of devices from their samples, by raw table; the oldest first, since counters go on from day to day. */
export async function* sampleDays(
  telemetry: TelemetryHandle,
  byTable: ReadonlyMap<string, readonly AccountedDevice[]>,
  span: Span,
  account: (stretches: readonly Stretch[]) => Promise<void>,
): AsyncGenerator<Step> {
  for (const [table, devices] of byTable) {
    const byKey = new Map(devices.filter(({ key }) => key > 0).map((device) => [device.key, device]));
    if (byKey.size === 0) continue;
    const stretches = await stretchesOf(telemetry, table, byKey, span);
    for (let at = 0; at < stretches.length; at += MOST_STRETCHES) {
      const part = stretches.slice(at, at + MOST_STRETCHES);
      yield () => account(part);
    }
  }
}

const CALENDAR_TABLES = ['site_hour', 'site_day'] as const;

const leftBy = (sites: readonly SiteEntry[], version: number): string =>
  `site IN (${sites.map(({ key }) => key).join(',')}) AND version < ${version}`;

async function isLeftIn(telemetry: TelemetryHandle, table: string, where: string): Promise<boolean> {
  const left = await readRows(
    telemetry.client,
    `SELECT toUInt32(count()) FROM (SELECT site, version FROM ${table} FINAL) WHERE ${where}`,
  );
  return left.uint32() > 0;
}

/** Whether a former calendar left hours or days of a site: most zones differ by whole hours, which leaves next to nothing. */
export async function hasFormerCalendar(
  telemetry: TelemetryHandle,
  site: SiteEntry,
  version: number,
): Promise<boolean> {
  for (const table of CALENDAR_TABLES) if (await isLeftIn(telemetry, table, leftBy([site], version))) return true;
  return false;
}

/** Takes away hours and days that a former calendar left: those older than their making anew. */
export async function sweepCalendar(
  telemetry: TelemetryHandle,
  sites: readonly SiteEntry[],
  version: number,
): Promise<void> {
  const where = leftBy(sites, version);
  for (const table of CALENDAR_TABLES) {
    if (await isLeftIn(telemetry, table, where))
      await telemetry.client.command({ query: `DELETE FROM ${table} WHERE ${where}` });
  }
}

/** First and last bucket of rows within a span, undefined where there is none. */
async function recordedSpan(telemetry: TelemetryHandle, rows: string, span: Span): Promise<Span | undefined> {
  const found = await readRows(
    telemetry.client,
    `SELECT toUInt32(count()), toUInt32(min(ts)), toUInt32(max(ts)) FROM ${rows} AND ${within(span)}`,
  );
  if (found.uint32() === 0) return undefined;
  return { fromMs: found.uint32() * 1_000, toMs: found.uint32() * 1_000 };
}

async function bucketsOf(telemetry: TelemetryHandle, rows: string, span: Span): Promise<number[]> {
  const found = await readRows(
    telemetry.client,
    `SELECT DISTINCT toUInt32(ts) AS second FROM ${rows} AND ${within(span)} ORDER BY second`,
  );
  const buckets: number[] = [];
  while (found.hasMore) buckets.push(found.uint32() * 1_000);
  return buckets;
}

async function stretchesOf(
  telemetry: TelemetryHandle,
  table: string,
  byKey: ReadonlyMap<number, AccountedDevice>,
  span: Span,
): Promise<Stretch[]> {
  const stretches: Stretch[] = [];
  await eachRowOf(
    telemetry.client,
    [...byKey.keys()],
    (keys) => `SELECT device, toInt64(toUnixTimestamp64Milli(min(ts))), toInt64(toUnixTimestamp64Milli(max(ts)))
     FROM ${table} WHERE device IN (${keys}) AND ${within(span)} GROUP BY device, toYYYYMMDD(ts)`,
    (found) => {
      const device = byKey.get(found.uint32());
      const stretch = { fromMs: found.int64(), toMs: found.int64() };
      if (device !== undefined) stretches.push({ device, ...stretch });
    },
  );
  return stretches.sort((a, b) => a.fromMs - b.fromMs);
}

/** Rows whose time lies within a span, both ends included. */
function within({ fromMs, toMs }: Span): string {
  const second = (tsMs: number) => Math.floor(Math.min(Math.max(tsMs, 0), LATEST_MS) / 1_000);
  return `ts >= toDateTime(${second(fromMs)}, 'UTC') AND ts < toDateTime(${second(toMs) + 1}, 'UTC')`;
}
