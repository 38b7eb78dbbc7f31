import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { proposalKinds } from '@sonnenwarte/contract/work-modes/what-if';
import type { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { tariffAt } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import type { BatteryPlan } from '@sonnenwarte/energy/plan/battery-plan';
import { outcomeOf, type ProposalGround, proposalSteps, selfUseOf } from '@sonnenwarte/energy/plan/proposals';
import { weekMinuteOf } from '@sonnenwarte/energy/plan/recorded-span';
import { replay } from '@sonnenwarte/energy/plan/replay';
import { evenCourse } from '@sonnenwarte/energy/plan/surplus-course';
import type { Scope } from '../access/scope.ts';
import type { ForecastParts } from '../forecast/forecast.service.ts';
import type { Scoped } from '../http/serve.ts';
import { inSteps } from '../in-slices.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { sitesNow } from '../sites/site-live.store.ts';
import { dayShape, type ExpectedQuarter, expectedDay } from './expected-day.ts';
import { shownOutcome } from './money-of.ts';
import { batteryPlan } from './plan-settings.ts';
import { restOfSun } from './rest-of-sun.ts';
import { type GroundStores, modelOf, proposalGround, type SiteGround, siteGround } from './site-ground.ts';

type Calls = typeof workModeEndpoints;
export type PlanParts = GroundStores & { readonly forecast: ForecastParts };

const BUCKETS_PERCENT = 100;

/** A plan that was replayed, as it is told: what the search leaves out stays as in the plan it began with. */
export function toldOf({ mode, minSocPercent, periods }: BatteryPlan, like: ToldPlan): ToldPlan {
  return {
    ...like,
    mode,
    minSoc: minSocPercent,
    periods: periods.map(({ minSocPercent: minSoc, fdSocPercent: fdSoc, ...period }) => ({ ...period, minSoc, fdSoc })),
  };
}

const currencyOf = ({ tariffs }: SiteGround, tsMs: number): string => tariffAt(tariffs, tsMs).currency;

const isOfOneCurrency = ({ prices }: ProposalGround): boolean =>
  new Set(prices.prices.map(({ currency }) => currency)).size <= 1;

/** A plan on the recorded days of a plant, and on the rest of today. */
export async function whatIfOf(
  parts: PlanParts,
  { stationID, span, plan }: Parsed<Calls['whatIf']>,
  { scope }: Scoped,
): Promise<Result<Calls['whatIf']>> {
  const ground = await siteGround(parts, scope, stationID);
  const { records } = parts;
  const [record, month, outlook] = await Promise.all([
    records.of(ground.site, span),
    records.of(ground.site, 'month'),
    expectedOf(parts, ground, scope),
  ]);
  const model = modelOf(ground, month);
  const replayed = await proposalGround(parts, ground, record, model, plan);
  const currency = currencyOf(ground, record.endMs - 1);
  const told = {
    fromDay: record.fromDay,
    toDay: record.toDay,
    currency,
    recordedPercent: (BUCKETS_PERCENT * record.known) / Math.max(1, record.span.length),
  };
  const own = batteryPlan(plan, ground.reported, model?.ratedAcW ?? Number.POSITIVE_INFINITY);
  const points = model === null ? [] : outlookOf(own, model, outlook, ground.site.timeZone);
  if (replayed === null) return { ...told, baseline: null, own: null, outlook: points };
  const baseline = outcomeOf(replayed, selfUseOf(replayed.plan));
  const shared = {
    weekMinute: replayed.record.weekMinute,
    surplusW: replayed.record.surplus.meanW,
    decimals: decimalsOf(currency),
    isOfOneCurrency: isOfOneCurrency(replayed),
  };
  return {
    ...told,
    baseline: shownOutcome({
      plan: toldOf(baseline.plan, plan),
      replayed: baseline,
      against: null,
      ...shared,
    }),
    own: shownOutcome({ plan, replayed: outcomeOf(replayed, replayed.plan), against: baseline, ...shared }),
    outlook: points,
  };
}

/** The best of what rules suggest, sought once for the same limits. */
export async function proposalsOf(
  parts: PlanParts,
  { stationID, span, plan }: Parsed<Calls['proposals']>,
  { scope }: Scoped,
): Promise<Result<Calls['proposals']>> {
  const ground = await siteGround(parts, scope, stationID);
  const { records } = parts;
  const [record, month] = await Promise.all([records.of(ground.site, span), records.of(ground.site, 'month')]);
  const replayed = await proposalGround(parts, ground, record, modelOf(ground, month), plan);
  if (replayed === null || !isOfOneCurrency(replayed)) return { proposals: [] };
  const { minSoc, backupSoc, gridCharge, peakLimitW } = plan;
  const key = JSON.stringify([minSoc, backupSoc, gridCharge, peakLimitW, ground.tariffs, [...ground.reported]]);
  const found = await records.worked(ground.site, span, key, () => inSteps(proposalSteps(replayed)));
  const baseline = outcomeOf(replayed, selfUseOf(replayed.plan));
  return {
    proposals: proposalKinds.flatMap((kind) => {
      const outcome = found[kind];
      if (outcome === null) return [];
      const shown = shownOutcome({
        plan: toldOf(outcome.plan, plan),
        replayed: outcome,
        against: baseline,
        isOfOneCurrency: true,
        weekMinute: replayed.record.weekMinute,
        surplusW: replayed.record.surplus.meanW,
        decimals: decimalsOf(currencyOf(ground, record.endMs - 1)),
      });
      return [{ kind, outcome: shown }];
    }),
  };
}

export interface Expected {
  readonly quarters: readonly ExpectedQuarter[];
  readonly demandLow: number;
  readonly demandHigh: number;
  readonly socPercent: number | null;
}

/** What is expected of a plant until midnight, and what its battery holds now. */
export async function expectedOf(parts: PlanParts, { site }: SiteGround, scope: Scope): Promise<Expected> {
  const { db, nowMs, records, forecast } = parts;
  const now = nowMs();
  const zone = site.timeZone;
  const [month, rest, [live]] = await Promise.all([
    records.of(site, 'month'),
    restOfSun(forecast, site, scope),
    sitesNow(db, scope, [site.id], now),
  ]);
  const shape = dayShape(month.span);
  const { endMs } = dayBounds(localDay(now, zone), zone);
  return {
    quarters: shape === null ? [] : expectedDay(shape, rest, { fromMs: now, endMs, zone }),
    demandLow: shape?.demandLow ?? 1,
    demandHigh: shape?.demandHigh ?? 1,
    socPercent: live?.soc_percent ?? null,
  };
}

/** What the battery will likely hold: the plan on what is expected, and on less sun with more consumption and the other way round. */
function outlookOf(
  plan: BatteryPlan,
  model: NonNullable<ReturnType<typeof modelOf>>,
  { quarters, demandLow, demandHigh, socPercent }: Expected,
  zone: string,
): Result<Calls['whatIf']>['outlook'] {
  if (socPercent === null || quarters.length === 0) return [];
  const run = (of: (quarter: ExpectedQuarter) => { generationW: number; demandW: number }) => {
    const length = quarters.length * 3;
    const powers = quarters.flatMap((quarter) => {
      const each = of(quarter);
      return [each, each, each];
    });
    const firstMs = quarters[0]?.tsMs ?? 0;
    return replay(
      {
        length,
        demandWh: Float64Array.from(powers, ({ demandW }) => (demandW * BUCKET_MS) / 3_600_000),
        weekMinute: Int32Array.from({ length }, (_, place) => weekMinuteOf(firstMs + place * BUCKET_MS, zone)),
        surplus: evenCourse(powers.map(({ generationW, demandW }) => generationW - demandW)),
      },
      plan,
      model,
      { socPercent, isHeld: false },
    ).socPercent;
  };
  const middle = run(({ generationW, demandW }) => ({ generationW, demandW }));
  const low = run(({ lowGenerationW, demandW }) => ({ generationW: lowGenerationW, demandW: demandW * demandHigh }));
  const high = run(({ highGenerationW, demandW }) => ({ generationW: highGenerationW, demandW: demandW * demandLow }));
  const at = (series: Float64Array, place: number) => Math.round(10 * (series[place * 3 + 2] as number)) / 10;
  return quarters.map(({ tsMs }, place) => {
    const [soc, lowSoc, highSoc] = [at(middle, place), at(low, place), at(high, place)];
    return {
      tsMs: tsMs + 3 * BUCKET_MS,
      soc,
      low: Math.min(soc, lowSoc, highSoc),
      high: Math.max(soc, lowSoc, highSoc),
    };
  });
}
