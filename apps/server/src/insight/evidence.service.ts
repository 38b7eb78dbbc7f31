import { stringRows } from '@sonnenwarte/contract/devices/string-rows';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import type { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { localDay } from '@sonnenwarte/energy/calendar';
import { countedInsight } from '@sonnenwarte/energy/insight/counted-insight';
import { type DayInsight, dayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { powerAtClearness } from '@sonnenwarte/energy/insight/expected-power';
import { BUCKET_MS, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import { mayEdit } from '../access/scope.ts';
import { CallError, found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { tariffsOf } from '../ingestion/registry/site-prices.store.ts';
import type { Uses } from '../services.ts';
import { stringValues } from './day-readings.ts';
import { endedDay } from './due.store.ts';
import { evidenceSite } from './evidence.store.ts';
import { asKnownBefore, keptDay } from './known-then.ts';
import { lossMoney } from './loss-money.ts';
import { isPlaneAssumed, readDays, spanOf } from './plant-days.ts';
import { type InsightPlant, insightPlants } from './plants.store.ts';
import { toldReason } from './weeks.ts';

type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;

/** Values of the running day are taken to have come after so long. */
const LATE_MS = 10 * 60_000;
const CURVE_DIGITS = 4;
/** Inverters of which strings are shown. */
const MOST_INVERTERS = 12;

/** A plant's day against what it could have given, worked out when it is asked for. */
export async function dayEvidenceOf(
  stores: Stores,
  { stationID, date }: Parsed<(typeof insightEndpoints)['evidence']>,
  { scope }: Scoped,
): Promise<Result<(typeof insightEndpoints)['evidence']>> {
  const { db, telemetry, nowMs } = stores;
  const now = nowMs();
  const site = found(await evidenceSite(db, scope, stationID, now), 'siteNotFound');
  const [current] = await insightPlants(db, scope, [stationID]);
  if (current === undefined) throw new CallError('siteNotFound');
  const zone = current.timeZone;
  const today = localDay(now, zone);
  const day = date ?? site.week?.evidenceDay ?? endedDay(now, zone);
  if (day > today) throw new CallError('refusedInput', { fields: [{ path: 'date', reason: 'too_big', params: {} }] });
  const isRunning = day === today;
  const span = spanOf(day, zone, isRunning ? now - LATE_MS : undefined);
  const [read] = await readDays({ db, telemetry }, await asKnownBefore(telemetry, [current], day), span);
  if (read === undefined) throw new CallError('siteNotFound');
  const { plant } = read;
  // One day has one amount: what lists and sums tell of it, where it is told there.
  const kept = isRunning ? undefined : await keptDay(telemetry, plant, day);
  const insight = kept ?? countedInsight(dayInsight(read.day), read.day, read.believed);
  const prices = lossMoney(insight, read.day, (await tariffsOf(db, [plant.id])).get(plant.id) ?? [], zone);
  const money = kept === undefined ? prices : { ...prices, amount: kept.money, currency: kept.currency };
  const missing: DayEvidence['missing'] = [...insight.missing];
  const isUnpriced = insight.lossWh !== null && insight.lossWh > 0 && money.amount === null;
  if (isUnpriced && insight.lossReplacingImportWh !== null) missing.push('price');
  const { lossWh, unexplainedWh, unknownWh, lossReplacingImportWh, performanceRatio, availability } = insight;
  return {
    stationID,
    name: site.name,
    state: site.state,
    city: site.city,
    country: site.country,
    ianaTimezone: zone,
    systemCapacity: plant.systemSizeKwp,
    day,
    isRunning,
    curve: curveOf(read.day),
    source: insight.source,
    peers: insight.peers,
    basis: insight.basis,
    isPlaneAssumed: isPlaneAssumed(plant),
    clearSkyWh: insight.clearSkyWh,
    expectedWh: insight.expectedWh,
    actualWh: insight.actualWh,
    lossWh,
    unexplainedWh,
    unknownWh,
    lossReplacingImportWh,
    lossMoney: money.amount,
    currency: money.currency,
    purchasePerKwh: money.purchasePerKwh,
    feedInPerKwh: money.feedInPerKwh,
    performanceRatio,
    specificYield: insight.specificYield,
    availability,
    completeness: insight.completeness,
    reasons: insight.reasons.map((reason) => ({
      reason: toldReason(reason),
      lossWh: reason.lossWh,
      spans: reason.spans.map(({ fromMs, untilMs }) => ({ fromMs: Math.round(fromMs), untilMs: Math.round(untilMs) })),
      confidence: reason.confidence,
    })),
    ruledOut: ruledOutOf(insight),
    missing,
    strings: await stringsAtBest(stores, plant, read.day, insight),
    week: site.week,
    pause: site.pause,
    can: { pause: mayEdit(scope, site) },
  };
}

/** What was looked at, each once; an alarm that goes along with a reason is not said to explain nothing. */
function ruledOutOf({ ruledOut, reasons }: DayInsight): DayEvidence['ruledOut'] {
  const hasAlarm = reasons.some(({ evidence }) => 'alarm' in evidence && evidence.alarm !== null);
  const byMeasure = new Map(ruledOut.map((each) => [each.measure, each]));
  if (hasAlarm) byMeasure.delete('alarms');
  return [...byMeasure.values()];
}

/** kW per kWp, to the fourth digit. */
function curveOf({ startMs, expected, pvW, neighbours }: PlantDay): DayEvidence['curve'] {
  const kwp = expected?.kwp ?? 0;
  const shown = (watts: Float64Array | undefined): (number | null)[] =>
    Array.from(pvW, (_, at) => {
      const value = watts?.[at] ?? Number.NaN;
      return Number.isNaN(value) || kwp <= 0 ? null : roundedTo(value / 1_000 / kwp, CURVE_DIGITS);
    });
  const at = (clearness: Float64Array | undefined) =>
    expected === null || clearness === undefined ? undefined : powerAtClearness(expected, clearness).expectedW;
  return {
    startMs,
    stepMs: BUCKET_MS,
    actual: shown(pvW),
    expected: shown(at(neighbours?.clearness)),
    low: shown(at(neighbours?.lower)),
    high: shown(at(neighbours?.upper)),
    clear: shown(expected?.clearW),
  };
}

/** Strings of each inverter side by side, when the plant gave most. */
async function stringsAtBest(
  { telemetry }: Stores,
  { devices }: InsightPlant,
  { startMs, pvW }: PlantDay,
  { reasons }: DayInsight,
): Promise<DayEvidence['strings']> {
  let best = -1;
  for (const [at, watts] of pvW.entries()) if (watts > (pvW[best] ?? 0)) best = at;
  const inverters = devices.filter(({ kind }) => kind === 'inverter').slice(0, MOST_INVERTERS);
  if (best < 0 || inverters.length === 0) return [];
  const atMs = startMs + best * BUCKET_MS;
  const values = await stringValues(
    telemetry,
    inverters.map(({ key }) => key),
    atMs,
  );
  return inverters.flatMap(({ id, key, sn }) => {
    const found = stringRows(values.get(key) ?? []);
    // What the whole day tells counts beside what this moment does.
    const weak = reasons.flatMap((each) =>
      each.kind === 'string-weak' && each.evidence.device === sn ? [each.evidence.string] : [],
    );
    const rows = found.map((row) => ({
      ...row,
      weak: row.weak || weak.includes(`${row.kind === 'string' ? 'String' : 'MPPT'}${row.n}`),
    }));
    return rows.length === 0 ? [] : [{ deviceID: id, deviceSN: sn, atMs, rows }];
  });
}
