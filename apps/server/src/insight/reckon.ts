import { countedInsight } from '@sonnenwarte/energy/insight/counted-insight';
import { type DayInsight, dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { powerAtClearness } from '@sonnenwarte/energy/insight/expected-power';
import type { PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import { systemScope } from '../access/scope.ts';
import { tariffsOf } from '../ingestion/registry/site-prices.store.ts';
import { Turns } from '../turns.ts';
import { type Due, daysBefore, doneWith, endedDay, noteAgain } from './due.store.ts';
import { keepFound } from './found-alarms.store.ts';
import { alarmsFound, codesJudged, isLacking, LACKING_DAYS } from './found-alarms.ts';
import { type Band, type InsightRow, insightsBetween, putInsights, type StoredInsight } from './insight-rows.store.ts';
import { asKnownBefore, LEARNED_DAYS, learnedFrom } from './known-then.ts';
import { lossMoney } from './loss-money.ts';
import { type DayStores, type ReadDay, readDays, spanOf } from './plant-days.ts';
import { insightPlants } from './plants.store.ts';
import { alarmsOfReasons } from './reason-since.ts';
import { noteUnlitNear, notTellingYet } from './unlit-days.ts';
import { putWeeks, WEEK_DAYS, type Week, weekOf } from './weeks.ts';

/** The middle half of the neighbours over the day, in the plane of this plant; null where there are no neighbours. */
export function bandOf({ expected, neighbours }: PlantDay): Band | null {
  if (expected === null || neighbours === null) return null;
  const sumAt = (clearness: Float64Array): number => {
    const { expectedW } = powerAtClearness(expected, clearness);
    let sum = 0;
    for (const watts of expectedW) if (!Number.isNaN(watts)) sum += watts;
    return sum;
  };
  const middle = sumAt(neighbours.clearness);
  if (!(middle > 0)) return null;
  return { low: sumAt(neighbours.lower) / middle, high: sumAt(neighbours.upper) / middle };
}

/** A plant that was never heard and did not stand there yet has nothing to be held against. */
function isThere({ plant, day }: ReadDay, found: DayInsight, date: string): boolean {
  return found.actualWh !== null || day.pvW.some((watts) => !Number.isNaN(watts)) || date >= createdOn(plant.createdAt);
}

const createdOn = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * Holds a day of some plants of one zone against what they could have given, and keeps what is found: the same however often it is done. Plants
 * of which the day has changed meanwhile stay due.
 */
export async function reckonDay(
  stores: DayStores,
  { day, zone, due, nowMs }: { day: string; zone: string; due: readonly Due[]; nowMs: number },
): Promise<void> {
  const { db, telemetry } = stores;
  const ids = due.map(({ id }) => id);
  const [plants, tariffs] = await Promise.all([insightPlants(db, systemScope, ids), tariffsOf(db, ids)]);
  const there = await asKnownBefore(
    telemetry,
    plants.filter(({ timeZone }) => timeZone === zone),
    day,
  );
  const read = await readDays(stores, there, spanOf(day, zone));
  const turns = new Turns(1);
  const rows: InsightRow[] = [];
  for (const each of read) {
    const found = countedInsight(dayInsight(each.day), each.day, each.believed);
    if (turns.isOver) await turns.giveBack();
    if (!isThere(each, found, day)) continue;
    const { amount, currency } = lossMoney(found, each.day, tariffs.get(each.plant.id) ?? [], zone);
    rows.push({
      site: each.plant.key,
      day,
      kwp: each.day.expected?.kwp ?? each.plant.systemSizeKwp,
      insight: {
        ...found,
        band: bandOf(each.day),
        money: amount,
        currency,
        alarmsSince: alarmsOfReasons(found.reasons, each.day.alarms),
      },
    });
    if (turns.isOver) await turns.giveBack();
  }
  const silent = await notTellingYet(telemetry, there, day, due);
  await putInsights(telemetry, rows);
  await noteUnlitNear(stores, { day, silent, rows });
  await learn(stores, { day, zone, read, nowMs });
  if (day === endedDay(nowMs, zone)) await noteFound(stores, { day, read, rows });
  await doneWith(db, day, due);
}

/** Tells as alarms what the newest day shows and no device tells. */
async function noteFound(
  { db, telemetry }: DayStores,
  { day, read, rows }: { day: string; read: readonly ReadDay[]; rows: readonly InsightRow[] },
): Promise<void> {
  const byKey = new Map(rows.map((row) => [row.site, row.insight]));
  const lacking = rows.filter(({ insight }) => isLacking(insight)).map(({ site }) => site);
  const former = await insightsBetween(telemetry, lacking, {
    first: daysBefore(day, LACKING_DAYS - 1),
    last: daysBefore(day, 1),
  });
  await keepFound(
    db,
    read.flatMap(({ plant, day: { alarms, startMs } }) => {
      const insight = byKey.get(plant.key);
      if (insight === undefined) return [];
      const before = former.get(plant.key);
      const days = Array.from({ length: LACKING_DAYS - 1 }, (_, at) =>
        before?.get(daysBefore(day, LACKING_DAYS - 1 - at)),
      );
      const found = alarmsFound([...days, insight], alarms);
      return [{ siteId: plant.id, found, judged: codesJudged(insight), dayMs: startMs }];
    }),
  );
}

interface Learned {
  day: string;
  zone: string;
  read: readonly ReadDay[];
  nowMs: number;
}

/** What the weeks and the past of plants come to with a day that was reckoned. */
async function learn({ db, telemetry }: DayStores, { day, zone, read, nowMs }: Learned): Promise<void> {
  const ended = endedDay(nowMs, zone);
  // What is older than what a plant is judged by changes nothing of it.
  if (day < daysBefore(ended, LEARNED_DAYS)) return;
  const first = daysBefore(ended, WEEK_DAYS - 1);
  const isOfWeek = day >= first;
  // A day after all others goes on from what is known of the plant; any other has it made anew.
  const [next, former] = partedBy(read, ({ plant }) => isOfWeek && plant.newest === undefined);
  const found = new Map([
    ...(await insightsBetween(telemetry, keysOf(next), { first, last: ended })),
    ...(await insightsBetween(telemetry, keysOf(former), { first: daysBefore(ended, LEARNED_DAYS), last: ended })),
  ]);
  await addFormer(telemetry, found, first);
  const turns = new Turns(1);
  const weeks: Week[] = [];
  const again: string[] = [];
  const goOn = new Set(next);
  for (const each of read) {
    const { plant, peers } = each;
    const days = found.get(plant.key) ?? new Map<string, StoredInsight>();
    const observed = days.get(day);
    const profile = goOn.has(each)
      ? learnedFrom(observed && new Map([[day, observed]]), plant.profile)
      : learnedFrom(days, null);
    // Now that enough is known of its past, its newest day is told better.
    if (day !== ended && profile?.level != null && plant.newest?.level === null) again.push(plant.id);
    weeks.push(weekOf({ plant, peers, profile, days, through: ended, nowMs }));
    if (turns.isOver) await turns.giveBack();
  }
  await putWeeks(db, weeks);
  if (again.length > 0) await noteAgain(db, ended, again);
}

/** Adds the days before a week to those of plants that have a reason on its first day: it may have begun before. */
async function addFormer(
  telemetry: DayStores['telemetry'],
  found: Map<number, Map<string, StoredInsight>>,
  first: string,
): Promise<void> {
  const open = [...found].filter(
    ([, days]) => (days.get(first)?.reasons.length ?? 0) > 0 && [...days.keys()].every((day) => day >= first),
  );
  const former = await insightsBetween(
    telemetry,
    open.map(([key]) => key),
    { first: daysBefore(first, LEARNED_DAYS), last: daysBefore(first, 1) },
  );
  for (const [key, days] of open) found.set(key, new Map([...(former.get(key) ?? []), ...days]));
}

function partedBy<T>(list: readonly T[], is: (each: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const each of list) parts[is(each) ? 0 : 1].push(each);
  return parts;
}

const keysOf = (read: readonly ReadDay[]): number[] => read.map(({ plant }) => plant.key);
