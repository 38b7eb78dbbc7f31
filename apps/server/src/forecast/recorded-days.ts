import type { ClickHouseClient } from '@clickhouse/client';
import { dayBounds, hoursOfDay } from '@sonnenwarte/energy/calendar';
import { hourEnergies } from '@sonnenwarte/energy/forecast/day-hours';
import type { SkyDay } from '@sonnenwarte/energy/forecast/own-sky';
import { mostPvW } from '@sonnenwarte/energy/insight/credible-power';
import { clearSkyPowerW, type PvPlant } from '@sonnenwarte/energy/physics/plant-power';
import { inSlices } from '../in-slices.ts';
import { sizeKwpOf } from '../insight/believed-pv.ts';
import { isHeld, type SiteFrame } from '../sites/sites.store.ts';
import { Turns } from '../turns.ts';
import { pvOfHours } from './forecast.store.ts';

const MOST_PLANTS = 300;

interface ClearPlant {
  readonly of: string;
  readonly days: Map<string, readonly number[]>;
}

/** The clear sky of the days of plants that were asked for lately; it does not change as long as the plant does not. */
export class ClearDays {
  readonly #plants = new Map<number, ClearPlant>();

  /** Energy under a clear sky of the hours of each of some days, the oldest first, Wh. */
  async of(site: SiteFrame, plant: PvPlant, days: readonly string[]): Promise<(readonly number[])[]> {
    const of = JSON.stringify([site.timeZone, plant]);
    const kept = this.#plants.get(site.key);
    const known = kept?.of === of ? kept.days : new Map<string, readonly number[]>();
    const found = new Map<string, readonly number[]>();
    await inSlices(
      days,
      (day) => {
        const powerW = (tsMs: number) => clearSkyPowerW(tsMs, plant);
        found.set(day, known.get(day) ?? hourEnergies(day, site.timeZone, powerW));
      },
      new Turns(1),
    );
    this.#plants.delete(site.key);
    this.#plants.set(site.key, { of, days: found });
    const oldest = this.#plants.keys().next().value;
    if (this.#plants.size > MOST_PLANTS && oldest !== undefined) this.#plants.delete(oldest);
    return [...found.values()];
  }
}

/** The hours of days of a plant, under a clear sky and as they were recorded. What its history has not come to is not known. */
export async function recordedDays(
  { telemetry, clearDays }: { telemetry: ClickHouseClient; clearDays: ClearDays },
  site: SiteFrame,
  plant: PvPlant,
  days: readonly string[],
): Promise<SkyDay[]> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { timeZone } = site;
  const span = { startMs: dayBounds(first, timeZone).startMs, endMs: dayBounds(last, timeZone).endMs };
  const mostWh = mostPvW({ kwp: sizeKwpOf(site), ratedAcW: null });
  const [clear, recorded] = await Promise.all([
    clearDays.of(site, plant, days),
    pvOfHours(telemetry, site, { ...span, mostWh }),
  ]);
  return days.map((day, place) => ({
    clearWh: clear[place] ?? [],
    yieldWh: hoursOfDay(day, timeZone).map(({ startMs }) =>
      isHeld(site, day) ? (recorded.get(startMs / 1_000) ?? null) : null,
    ),
  }));
}
