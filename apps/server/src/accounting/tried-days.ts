import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { type SiteBucket, siteBucketSteps } from '@sonnenwarte/energy/accounting/site-balance';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { inSteps } from '../in-slices.ts';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { Turns } from '../turns.ts';
import type { Reads } from './recompute-windows.ts';
import { type Money, SiteSum } from './rollup-tables.ts';
import { type DaySum, moneyOfDays, NO_MONEY } from './site-money.ts';
import { MOST_BUCKETS_HELD, readSites } from './site-readings.ts';

export type TriedDay = DaySum & Money;

const DAY_BUCKETS = 25 * 12;

/** Days of a plant as they would be written, from what its devices told and what is corrected of them; nothing is. */
export async function triedDays(telemetry: Reads, site: SiteEntry, days: readonly string[]): Promise<TriedDay[]> {
  const together = Math.max(1, Math.floor(MOST_BUCKETS_HELD / (DAY_BUCKETS * Math.max(1, site.devices.size))));
  const sums: DaySum[] = [];
  const tried: SiteBucket[][] = [];
  for (let at = 0; at < days.length; at += together) {
    const part = days.slice(at, at + together);
    const byDay = await bucketsOfDays(telemetry, site, part);
    for (const day of part) {
      const buckets = byDay.get(day) ?? [];
      const sum = new SiteSum();
      for (const bucket of buckets) sum.addBucket(bucket);
      sums.push({ site, day, sum });
      tried.push(buckets);
    }
  }
  const money = await moneyOfDays(telemetry, sums, tried);
  return sums.map((sum, place) => ({ ...sum, ...(money[place] ?? NO_MONEY) }));
}

async function bucketsOfDays(
  telemetry: Reads,
  site: SiteEntry,
  days: readonly string[],
): Promise<Map<string, SiteBucket[]>> {
  const dayOf = (bucketMs: number): string => localDay(bucketMs, site.zone);
  const wanted: number[] = [];
  for (const day of days) {
    const { startMs, endMs } = dayBounds(day, site.zone);
    for (let atMs = Math.ceil(startMs / BUCKET_MS) * BUCKET_MS; atMs < endMs; atMs += BUCKET_MS) wanted.push(atMs);
  }
  const sites = new Map([[site, wanted]]);
  const isAsked = new Set(wanted);
  const found = new Map<string, SiteBucket[]>();
  for await (const { topology, readings } of readSites(telemetry, sites, wanted[0] ?? 0, wanted.at(-1) ?? 0)) {
    const steps = siteBucketSteps(readings, topology, dayOf, (bucketMs) => isAsked.has(bucketMs));
    for (const [day, buckets] of Map.groupBy(await inSteps(steps, new Turns(1)), ({ bucketMs }) => dayOf(bucketMs)))
      found.set(day, buckets);
  }
  return found;
}
