import { hoursOfDay, localDay } from '@sonnenwarte/energy/calendar';
import { hourEnergies } from '@sonnenwarte/energy/forecast/day-hours';
import {
  clearnessOf,
  dayRange,
  PAST_DAYS,
  restRange,
  type SkyDay,
  splitAt,
} from '@sonnenwarte/energy/forecast/own-sky';
import { clearSkyPowerW, pvPlantOf } from '@sonnenwarte/energy/physics/plant-power';
import { FaultBoard } from '../faults.ts';
import { type FleetPlant, readFleet } from '../fleet.ts';
import { Plant } from '../plant/plant.ts';
import { demoFleetPath } from './sample-plant.ts';

const DAY_MS = 86_400_000;
const STEP_MS = 300_000;
const NOON_H = 12;

/** Whole local days of a virtual plant without faults: its clear sky and what it yields, hour by hour. */
function yieldDays(fleetPlant: FleetPlant, firstMs: number, days: number): SkyDay[] {
  const plant = new Plant({ ...fleetPlant, faults: [] }, firstMs - DAY_MS, new FaultBoard(), undefined, STEP_MS);
  const modules = pvPlantOf(fleetPlant);
  if (modules === null) throw new Error(`${fleetPlant.key} has no position`);
  const yieldedWh = (): number => Object.values(plant.state.inverters).reduce((sum, { pvWh }) => sum + pvWh, 0);
  const { timeZone } = fleetPlant;
  return Array.from({ length: days }, (_, place) => {
    const day = localDay(firstMs + place * DAY_MS + DAY_MS / 2, timeZone);
    const yieldWh = hoursOfDay(day, timeZone).map(({ startMs, endMs }) => {
      plant.advanceTo(startMs);
      const before = yieldedWh();
      plant.advanceTo(endMs);
      return yieldedWh() - before;
    });
    return { clearWh: hourEnergies(day, timeZone, (tsMs) => clearSkyPowerW(tsMs, modules)), yieldWh };
  });
}

/** How often a plant's ranges held what came, in percent of its days, and how wide they were, in percent of the clear day. */
export interface Coverage {
  plant: string;
  climate: string;
  days: number;
  tomorrow: number;
  tomorrowWidth: number;
  restAtNoon: number;
  restWidth: number;
}

const total = (values: SkyDay['yieldWh']): number => values.reduce<number>((sum, each) => sum + (each ?? 0), 0);

function coverageOf(fleetPlant: FleetPlant, firstMs: number, days: number): Coverage {
  const all = yieldDays(fleetPlant, firstMs, days + PAST_DAYS + 1);
  const clearness = all.map(clearnessOf);
  const count = { told: 0, tomorrow: 0, tomorrowWidth: 0, rest: 0, restWidth: 0 };
  for (let at = PAST_DAYS; at < all.length - 1; at += 1) {
    const [today, tomorrow] = [all[at], all[at + 1]];
    if (today === undefined || tomorrow === undefined) continue;
    const split = splitAt(today, NOON_H);
    const rest = restRange(all.slice(at - PAST_DAYS, at), split, clearness[at - 1] ?? null);
    const clearWh = total(today.clearWh);
    const before = rest && (split.soFarWh + rest.p50) / clearWh;
    const next = dayRange(clearness.slice(at - PAST_DAYS, at), before, total(tomorrow.clearWh));
    if (rest === null || next === null) throw new Error(`${fleetPlant.key} has days that are not known`);
    const came = total(tomorrow.yieldWh);
    count.told += 1;
    count.rest += rest.p10 <= split.restWh && split.restWh <= rest.p90 ? 1 : 0;
    count.restWidth += (rest.p90 - rest.p10) / clearWh;
    count.tomorrow += next.p10 <= came && came <= next.p90 ? 1 : 0;
    count.tomorrowWidth += (next.p90 - next.p10) / total(tomorrow.clearWh);
  }
  const percent = (number: number): number => Math.round((1_000 * number) / count.told) / 10;
  return {
    plant: fleetPlant.city,
    climate: fleetPlant.climate,
    days: count.told,
    tomorrow: percent(count.tomorrow),
    tomorrowWidth: percent(count.tomorrowWidth),
    restAtNoon: percent(count.rest),
    restWidth: percent(count.restWidth),
  };
}

/** Forecasts each day of a span at noon for all plants of the demonstration and holds them against what their weather then gives. */
export const coverageOfDemo = (firstMs: number, days: number): Coverage[] =>
  readFleet(demoFleetPath).plants.map((plant) => coverageOf(plant, firstMs, days));
