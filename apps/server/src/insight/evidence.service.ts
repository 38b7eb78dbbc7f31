import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { DayEvidence } from '@sonnenwarte/contract/insight/evidence';
import type { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { WEEK_DAYS } from '@sonnenwarte/contract/losses/week';
import { localDay } from '@sonnenwarte/energy/calendar';
import { checksOf, spanInLight } from '@sonnenwarte/energy/insight/checks';
import { countedInsight } from '@sonnenwarte/energy/insight/counted-insight';
import { type DayInsight, type DayWorkings, dayWorkings } from '@sonnenwarte/energy/insight/day-insight';
import { powerAtClearness } from '@sonnenwarte/energy/insight/expected-power';
import { BUCKET_MS, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import type { RuledOut } from '@sonnenwarte/energy/insight/reasons';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import { mayEdit } from '../access/scope.ts';
import { CallError, found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { tariffsOf } from '../ingestion/registry/site-prices.store.ts';
import type { Uses } from '../services.ts';
import { daysBefore, dueSince, endedDay } from './due.store.ts';
import { evidenceSite } from './evidence.store.ts';
import { standingAlarms, stringsAtBest } from './evidence-parts.ts';
import { asKnownBefore, keptDay } from './known-then.ts';
import { lossMoney } from './loss-money.ts';
import { isPlaneAssumed, readDays, spanOf } from './plant-days.ts';
import { insightPlants } from './plants.store.ts';
import { toldReason } from './weeks.ts';

type Stores = Uses<'db' | 'telemetry' | 'nowMs'>;

/** Values of the running day are taken to have come after so long. */
const LATE_MS = 10 * 60_000;
const CURVE_DIGITS = 4;
/** Of each reason. */
const MOST_SPANS = 12;

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
  const workings = dayWorkings(read.day);
  // One day has one amount: what lists and sums tell of it, where it is told there.
  const kept = isRunning ? undefined : await keptDay(telemetry, plant, day);
  const insight = kept ?? countedInsight(workings.insight, read.day, read.believed);
  const alarms = standingAlarms(read.day);
  const prices = lossMoney(insight, read.day, (await tariffsOf(db, [plant.id])).get(plant.id) ?? [], zone);
  const money = kept === undefined ? prices : { ...prices, amount: kept.money, currency: kept.currency };
  const missing: DayEvidence['missing'] = [...insight.missing];
  const isUnpriced = insight.lossWh !== null && insight.lossWh > 0 && money.amount === null;
  if (isUnpriced && insight.lossReplacingImportWh !== null) missing.push('price');
  const { hasBegun, held, unchecked } = checksOf(read.day, ruledOutOf(insight, alarms));
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
    curve: curveOf(read.day, workings),
    hasBegun,
    isDue: (await dueSince(db, [plant.id], daysBefore(today, WEEK_DAYS + 1))).size > 0,
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
      spans: reason.spans.flatMap((span) => spanInLight(read.day, span) ?? []).slice(0, MOST_SPANS),
      confidence: reason.confidence,
    })),
    alarms,
    ruledOut: onceEach(held),
    unchecked,
    missing,
    ...(await stringsAtBest(telemetry, read, workings)),
    week: site.week,
    pause: site.pause,
    can: { pause: mayEdit(scope, site) },
  };
}

/** What was looked at; where alarms stood, they are shown instead of it being said that none explains it. */
const ruledOutOf = ({ ruledOut }: DayInsight, alarms: DayEvidence['alarms']): RuledOut[] =>
  ruledOut.filter(({ measure }) => measure !== 'alarms' || alarms.length === 0);

/** One look may speak against several reasons. */
const onceEach = (held: readonly RuledOut[]): RuledOut[] => [
  ...new Map(held.map((each) => [each.measure, each])).values(),
];

/** kW per kWp, to the fourth digit. */
function curveOf({ startMs, expected, pvW, neighbours }: PlantDay, { claimedW }: DayWorkings): DayEvidence['curve'] {
  const kwp = expected?.kwp ?? 0;
  const shown = (watts: Float64Array | undefined): (number | null)[] =>
    Array.from(pvW, (_, at) => {
      const value = watts?.[at] ?? Number.NaN;
      return Number.isNaN(value) || kwp <= 0 ? null : roundedTo(value / 1_000 / kwp, CURVE_DIGITS);
    });
  const isTaken = claimedW?.some((watts) => watts > 0) === true;
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
    kept: shown(isTaken ? pvW.map((watts, bucket) => watts + (claimedW?.[bucket] ?? 0)) : undefined),
  };
}
