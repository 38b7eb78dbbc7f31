import type { ClickHouseClient } from '@clickhouse/client';
import { type BelievedPv, believedPv } from '@sonnenwarte/energy/insight/counted-power';
import type { SiteArray } from '../stores/schema-plants.ts';
import { countedSeries } from './counted-series.ts';
import { type DaySpan, siteSeries, unknownSite } from './day-readings.ts';

/** Size of a plant as it was entered, kWp: of its arrays where those are known; null = not known. */
export function sizeKwpOf({
  arrays,
  systemSizeKwp,
}: {
  arrays: readonly SiteArray[];
  systemSizeKwp: number;
}): number | null {
  const kwp = Math.max(
    systemSizeKwp,
    arrays.reduce((sum, each) => sum + Math.max(0, each.kwp), 0),
  );
  return kwp > 0 ? kwp : null;
}

/** PV power of a plant in a span as far as it can be, held against its size and its counters. */
export async function believedPvOf(
  telemetry: ClickHouseClient,
  site: { key: number; arrays: readonly SiteArray[]; systemSizeKwp: number },
  span: DaySpan,
): Promise<BelievedPv> {
  const told = (await siteSeries(telemetry, [site.key], span)).get(site.key) ?? unknownSite(span.count);
  return believedPv({
    powerW: told.pvW,
    nameplate: { kwp: sizeKwpOf(site), ratedAcW: null },
    counted: countedSeries(told, told.batteryW),
  });
}
