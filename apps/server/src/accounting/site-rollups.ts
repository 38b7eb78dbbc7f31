import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { siteBucketSteps } from '@sonnenwarte/energy/accounting/site-balance';
import { hoursOfDay, localDay } from '@sonnenwarte/energy/calendar';
import { inSteps } from '../in-slices.ts';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import { nextVersion, RowBuffer } from '../stores/row-buffer.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { Turns } from '../turns.ts';
import {
  addEnergies,
  putSiteBucket,
  putSiteDay,
  putSiteHour,
  SITE_5M_COLUMNS,
  SITE_DAY_COLUMNS,
  SITE_ENERGIES_READ,
  SITE_HOUR_COLUMNS,
  SiteSum,
} from './rollup-tables.ts';
import { type DaySum, moneyOfDays, NO_MONEY } from './site-money.ts';
import { MOST_BUCKETS_HELD, readSites } from './site-readings.ts';

/** Buckets of sites whose devices' buckets have changed. */
export type Touched = Map<SiteEntry, Set<number>>;

const NARROW_MS = 2 * 3_600_000;
/** A month, and what of the days beside it hangs together with it. */
const SLICE_MS = 33 * 86_400_000;
const SHORTEST_SLICE_MS = 3_600_000;
const MOST_SITES = 500;

interface Slice {
  sites: Map<SiteEntry, number[]>;
  fromMs: number;
  toMs: number;
}

/** Days of sites of which sums have been written. */
export type WrittenDays = ReadonlyMap<SiteEntry, ReadonlySet<string>>;

/** Where sums are written, and who is told of the days once they are. */
export interface SumStores {
  telemetry: TelemetryHandle;
  daysWritten?: (days: WrittenDays) => Promise<void>;
}

/** Writes the 5-minute, hour and day rows of the touched sites from the rows below them. */
export async function rollUpSites(stores: SumStores, touched: Touched): Promise<void> {
  for (const slice of slicesOf(touched)) {
    await writeHoursAndDays(stores, await writeBuckets(stores.telemetry, slice));
  }
}

/** Sites touched only now go together; one touched over a long time goes alone, a month at a time. */
function slicesOf(touched: Touched): Slice[] {
  const slices: Slice[] = [];
  let narrow: Slice | undefined;
  for (const [site, set] of touched) {
    const buckets = [...set].sort((a, b) => a - b);
    const [first] = buckets;
    const last = buckets.at(-1);
    if (first === undefined || last === undefined) continue;
    if (last - first <= NARROW_MS) {
      const isNear =
        narrow !== undefined && Math.max(last, narrow.toMs) - Math.min(first, narrow.fromMs) <= 2 * NARROW_MS;
      if (narrow === undefined || !isNear || narrow.sites.size >= MOST_SITES) {
        narrow = { sites: new Map(), fromMs: first, toMs: last };
        slices.push(narrow);
      }
      narrow.sites.set(site, buckets);
      narrow.fromMs = Math.min(narrow.fromMs, first);
      narrow.toMs = Math.max(narrow.toMs, last);
      continue;
    }
    const sliceMs = Math.max(SHORTEST_SLICE_MS, Math.min(SLICE_MS, heldMs(site)));
    for (let at = 0; at < buckets.length; ) {
      const fromMs = buckets[at] ?? 0;
      const part: number[] = [];
      while (at < buckets.length && (buckets[at] ?? 0) < fromMs + sliceMs) {
        part.push(buckets[at] ?? 0);
        at += 1;
      }
      slices.push({ sites: new Map([[site, part]]), fromMs, toMs: part.at(-1) ?? fromMs });
    }
  }
  return slices;
}

/** Time of which the buckets of a site's devices can be held at once. */
function heldMs({ devices }: SiteEntry): number {
  return Math.floor(MOST_BUCKETS_HELD / Math.max(1, devices.size)) * BUCKET_MS;
}

/** Writes the buckets of a slice; returns all that were written, by site. */
async function writeBuckets(
  telemetry: TelemetryHandle,
  { sites, fromMs, toMs }: Slice,
): Promise<Map<SiteEntry, number[]>> {
  const out = new RowBuffer();
  const written = new Map<SiteEntry, number[]>();
  const turns = new Turns(1);
  for await (const { site, topology, wanted, readings } of readSites(telemetry, sites, fromMs, toMs)) {
    const times: number[] = [];
    const dayOf = (bucketMs: number): string => localDay(bucketMs, site.zone);
    const steps = siteBucketSteps(readings, topology, dayOf, (bucketMs) => wanted.has(bucketMs));
    for (const bucket of await inSteps(steps, turns)) {
      putSiteBucket(out, site.key, bucket, nextVersion());
      times.push(bucket.bucketMs);
    }
    written.set(site, times);
  }
  if (out.rows > 0) await telemetry.insertRowBinary('site_5m', SITE_5M_COLUMNS, out.body());
  return written;
}

interface HourSum {
  site: number;
  tsMs: number;
  endMs: number;
  day: string;
  index: number;
  sum: SiteSum;
}

/** Writes the hour and day rows of buckets, ascending by site, from the 5-minute rows. */
export async function writeHoursAndDays(
  { telemetry, daysWritten }: SumStores,
  sites: ReadonlyMap<SiteEntry, readonly number[]>,
): Promise<void> {
  const hours: HourSum[] = [];
  const days = new Map<SiteEntry, Set<string>>();
  const hourAt = new Map<number, HourSum>();
  for (const [site, buckets] of sites) {
    const touchedDays = new Set<string>();
    days.set(site, touchedDays);
    let current: HourSum | undefined;
    for (const bucketMs of buckets) {
      if (current !== undefined && bucketMs >= current.tsMs && bucketMs < current.endMs) continue;
      current = hourOf(site, bucketMs);
      if (current === undefined) continue;
      touchedDays.add(current.day);
      hours.push(current);
      for (let atMs = current.tsMs; atMs < current.endMs; atMs += BUCKET_MS)
        hourAt.set(slotOf(site.key, atMs), current);
    }
  }
  if (hours.length === 0) return;
  await sumHours(telemetry, hours, hourAt);
  const out = new RowBuffer();
  for (const hour of hours) putSiteHour(out, hour, nextVersion());
  await telemetry.insertRowBinary('site_hour', SITE_HOUR_COLUMNS, out.body());
  await writeDays(telemetry, days);
  await daysWritten?.(days);
}

function hourOf(site: SiteEntry, bucketMs: number): HourSum | undefined {
  const day = localDay(bucketMs, site.zone);
  const list = hoursOfDay(day, site.zone);
  const index = list.findIndex((hour) => bucketMs >= hour.startMs && bucketMs < hour.endMs);
  const hour = list[index];
  if (hour === undefined) return undefined;
  return { site: site.key, tsMs: hour.startMs, endMs: hour.endMs, day, index, sum: new SiteSum() };
}

async function sumHours(
  telemetry: TelemetryHandle,
  hours: readonly HourSum[],
  hourAt: ReadonlyMap<number, HourSum>,
): Promise<void> {
  const keys = new Set<number>();
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const hour of hours) {
    keys.add(hour.site);
    fromMs = Math.min(fromMs, hour.tsMs);
    toMs = Math.max(toMs, hour.endMs);
  }
  await eachRowOf(
    telemetry.client,
    [...keys],
    (list) => `SELECT site, toUInt32(ts), ${SITE_ENERGIES_READ} FROM site_5m FINAL
     WHERE site IN (${list}) AND ts >= ${seconds(fromMs)} AND ts < ${seconds(toMs)}`,
    (rows) => {
      const site = rows.uint32();
      const tsMs = rows.uint32() * 1_000;
      addEnergies(rows, hourAt.get(slotOf(site, tsMs))?.sum);
    },
  );
}

async function writeDays(telemetry: TelemetryHandle, touched: Map<SiteEntry, Set<string>>): Promise<void> {
  const days: DaySum[] = [];
  // What lies at the hours of another calendar does not count: the zone of a plant may have changed.
  const dayAt = new Map<number, SiteSum>();
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const [site, set] of touched) {
    for (const day of set) {
      const sum = new SiteSum();
      days.push({ site, day, sum });
      for (const hour of hoursOfDay(day, site.zone)) {
        dayAt.set(slotOf(site.key, hour.startMs), sum);
        fromMs = Math.min(fromMs, hour.startMs);
        toMs = Math.max(toMs, hour.endMs);
      }
    }
  }
  await eachRowOf(
    telemetry.client,
    [...touched.keys()].map((site) => site.key),
    (list) => `SELECT site, toUInt32(ts), ${SITE_ENERGIES_READ} FROM site_hour FINAL
     WHERE site IN (${list}) AND ts >= ${seconds(fromMs)} AND ts < ${seconds(toMs)}`,
    (rows) => {
      const site = rows.uint32();
      const tsMs = rows.uint32() * 1_000;
      addEnergies(rows, dayAt.get(slotOf(site, tsMs)));
    },
  );
  const money = await moneyOfDays(telemetry, days);
  const out = new RowBuffer();
  days.forEach(({ site, day, sum }, index) => {
    putSiteDay(out, { site: site.key, day, sum, ...(money[index] ?? NO_MONEY) }, nextVersion());
  });
  await telemetry.insertRowBinary('site_day', SITE_DAY_COLUMNS, out.body());
}

function slotOf(site: number, bucketMs: number): number {
  return site * 2 ** 24 + Math.floor(bucketMs / BUCKET_MS);
}

function seconds(tsMs: number): number {
  return Math.round(tsMs / 1_000);
}
