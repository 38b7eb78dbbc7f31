import { localDay } from '@sonnenwarte/energy/calendar';
import { countedInsight } from '@sonnenwarte/energy/insight/counted-insight';
import { type DayInsight, dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { systemScope } from '../access/scope.ts';
import { tariffsOf } from '../ingestion/registry/site-prices.store.ts';
import { Turns } from '../turns.ts';
import { insightsBetween } from './insight-rows.store.ts';
import { asKnownBefore } from './known-then.ts';
import { lossMoney } from './loss-money.ts';
import { type DayStores, readDays, spanOf } from './plant-days.ts';
import { insightPlants } from './plants.store.ts';

/** What a day came to, with what its loss was worth; of the running one as far as values have come. */
export interface ToldDay extends Pick<DayInsight, 'reasons' | 'lossWh' | 'unexplainedWh'> {
  readonly money: string | null;
  readonly currency: string;
}

/** Values of the running day are taken to have come after so long. */
const LATE_MS = 10 * 60_000;

/** Days of some plants from a day on, by plant and day: those that were reckoned, and the running one as it is by now. */
export async function toldDays(
  stores: DayStores,
  ids: readonly string[],
  first: string,
  nowMs: number,
): Promise<Map<string, Map<string, ToldDay>>> {
  const { db, telemetry } = stores;
  const told = new Map<string, Map<string, ToldDay>>();
  const [plants, tariffs] = await Promise.all([insightPlants(db, systemScope, ids), tariffsOf(db, ids)]);
  const turns = new Turns(1);
  for (const [zone, ofZone = []] of Object.entries(Object.groupBy(plants, ({ timeZone }) => timeZone))) {
    const today = localDay(nowMs, zone);
    const keys = ofZone.map(({ key }) => key);
    const kept = await insightsBetween(telemetry, keys, { first, last: today });
    for (const { id, key } of ofZone) told.set(id, new Map(kept.get(key)));
    const span = spanOf(today, zone, nowMs - LATE_MS);
    for (const { plant, day, believed } of await readDays(
      stores,
      await asKnownBefore(telemetry, ofZone, today),
      span,
    )) {
      const insight = countedInsight(dayInsight(day), day, believed);
      const { amount, currency } = lossMoney(insight, day, tariffs.get(plant.id) ?? [], zone);
      told.get(plant.id)?.set(today, { ...insight, money: amount, currency });
      if (turns.isOver) await turns.giveBack();
    }
  }
  return told;
}
