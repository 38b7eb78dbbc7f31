import type { burnInEndpoints } from '@sonnenwarte/contract/burn-in/burn-in';
import { isJudged, isUnitOver } from '@sonnenwarte/contract/burn-in/moves';
import {
  askedSteps,
  type BurnInLimits,
  isEndReason,
  judgedLimits,
  softLimits,
  stepAt,
} from '@sonnenwarte/contract/burn-in/plan';
import type { AlarmRow, UnitRow, Verdict } from '@sonnenwarte/contract/burn-in/rows';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { found } from '../http/call-error.ts';
import type { Uses } from '../services.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { breaks } from './frame.ts';
import { type Curve, curveOf } from './recorded.store.ts';
import {
  alarmsFound,
  alarmsOfUnit,
  countsOf,
  distributionOf,
  keyOf,
  reasonsOf,
  type StoredAlarm,
  type StoredUnit,
  unitOf,
  unitsFound,
} from './results.store.ts';
import { toRunRow } from './run-rows.ts';
import { runById, type StoredRun } from './runs.store.ts';
import { coverageOf } from './verdict.ts';

type Calls = typeof burnInEndpoints;

export const toUnitRow = (unit: StoredUnit): UnitRow => ({
  unitID: `${unit.run_id}.${unit.position}`,
  runID: unit.run_id,
  runNumber: unit.number,
  rack: unit.rack,
  batch: unit.batch,
  position: unit.position,
  sn: unit.sn,
  model: unit.model,
  state: unit.state,
  reason: unit.reason,
  attempt: unit.attempt,
  startedMs: unit.started_at?.getTime() ?? null,
  endedMs: unit.ended_at?.getTime() ?? null,
  outputPercent: unit.output,
  efficiencyPercent: unit.efficiency,
  temperatureC: unit.temperature,
});

export const unitListOf = async ({ db }: Uses<'db'>, input: Asked<Calls['unitList']>) =>
  toRows(await unitsFound(db, input), toUnitRow);

const alarmFactsOf = (alarm: StoredAlarm) => ({
  alarmID: `${alarm.id}.${alarm.number}`,
  code: alarm.code,
  level: alarm.level,
  sinceMs: alarm.since.getTime(),
  untilMs: alarm.until?.getTime() ?? null,
  failed: alarm.failed,
});

const toAlarmRow = (alarm: StoredAlarm): AlarmRow => ({
  ...alarmFactsOf(alarm),
  runID: alarm.run_id,
  runNumber: alarm.number,
  rack: alarm.rack,
  batch: alarm.batch,
  position: alarm.position,
  sn: alarm.sn,
});

export const alarmListOf = async ({ db }: Uses<'db'>, input: Asked<Calls['alarmList']>) =>
  toRows(await alarmsFound(db, input), toAlarmRow);

const TEMPERATURE_BIN = 5;
const EFFICIENCY_BIN = 1;

export async function reportOf({ db }: Uses<'db'>, asked: Parsed<Calls['report']>): Promise<Result<Calls['report']>> {
  const [counts, reasons, temperatures, efficiencies] = await Promise.all([
    countsOf(db, asked),
    reasonsOf(db, asked),
    distributionOf(db, asked, 'maxTemperatureC', TEMPERATURE_BIN),
    distributionOf(db, asked, 'minEfficiencyPercent', EFFICIENCY_BIN),
  ]);
  const bins = (rows: typeof temperatures, width: number) =>
    rows.map(({ from, count }) => ({ from, to: from + width, count }));
  return {
    ...counts,
    reasons: reasons.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }])),
    temperatures: bins(temperatures, TEMPERATURE_BIN),
    efficiencies: bins(efficiencies, EFFICIENCY_BIN),
  };
}

/** Each limit of the plan with the worst that was measured. */
export function verdictsOf(unit: StoredUnit, limits: BurnInLimits): Verdict[] {
  const isOver = isJudged(unit.state);
  const hasRunToEnd = unit.state === 'passed' || isEndReason(unit.reason);
  const measured = isUnitOver(unit.state) ? unit.measured : (unit.progress.worst ?? {});
  return judgedLimits.flatMap((limit): Verdict[] => {
    const allowed = limits[limit];
    if (allowed === null) return [];
    const isReason = unit.reason === limit;
    if (limit === 'failLevel')
      return [
        {
          limit,
          allowed,
          measured: isReason ? unit.reason_value : null,
          atMs: isReason ? (unit.ended_at?.getTime() ?? null) : null,
          holds: isReason ? false : isOver ? true : null,
        },
      ];
    const worst =
      isReason && unit.reason_value !== null ? [unit.reason_value, measured[limit]?.[1] ?? null] : measured[limit];
    const value = worst?.[0] ?? null;
    const isBroken = value !== null && breaks(limit, value, { limits });
    // What is judged at the end is not decided by what a unit gave before it failed for something else.
    const isDecided = isOver && value !== null && (hasRunToEnd || !softLimits.includes(limit) || isBroken);
    return [
      { limit, allowed, measured: value, atMs: worst?.[1] ?? null, holds: isBroken ? false : isDecided ? true : null },
    ];
  });
}

const spanOf = (run: StoredRun, unit: StoredUnit, nowMs: number) => {
  const fromMs = (unit.started_at ?? run.started_at ?? run.created_at).getTime();
  if (unit.started_at === null) return { fromMs, toMs: fromMs };
  const endMs = (unit.ended_at ?? run.ended_at ?? run.ends_at)?.getTime() ?? nowMs;
  // A moment more shows what it failed for.
  return { fromMs, toMs: Math.min(nowMs, endMs + 60_000) };
};

export interface UnitResult {
  readonly run: StoredRun;
  readonly unit: StoredUnit;
  readonly verdicts: readonly Verdict[];
  /** Of its time that was recorded; null without a verdict. */
  readonly coveragePercent: number | null;
  readonly alarms: readonly StoredAlarm[];
  readonly span: { readonly fromMs: number; readonly toMs: number };
  readonly curve: Curve & { readonly askedW: (number | null)[] };
}

/** All that is known of a unit in a run. */
export async function unitResult(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  { runID, sn }: Parsed<Calls['unit']>,
): Promise<UnitResult> {
  const run = found(await runById(db, runID), 'burnInRunNotFound');
  const unit = found(await unitOf(db, runID, sn.toUpperCase()), 'burnInUnitNotFound');
  const span = spanOf(run, unit, nowMs());
  const [alarms, curve] = await Promise.all([
    alarmsOfUnit(db, runID, unit.position),
    keyOf(db, unit.device_id).then((key) => curveOf(telemetry, key, span)),
  ]);
  const startMs = run.started_at?.getTime() ?? 0;
  const steps = askedSteps(run.steps, run.sets_load);
  const askedW = curve.timesMs.map((tsMs) => {
    const step = stepAt(steps, run.duration_minutes * 60_000, tsMs - startMs);
    return step === undefined || unit.rated_power_w === null ? null : (unit.rated_power_w * step.percent) / 100;
  });
  const coveragePercent =
    isJudged(unit.state) && unit.started_at !== null && unit.ended_at !== null && unit.ended_at > unit.started_at
      ? coverageOf(unit.progress, unit.started_at.getTime(), unit.ended_at.getTime())
      : null;
  return {
    run,
    unit,
    verdicts: verdictsOf(unit, run.limits),
    coveragePercent,
    alarms,
    span,
    curve: { ...curve, askedW },
  };
}

export async function unitDetailOf(
  services: Uses<'db' | 'telemetry' | 'nowMs'>,
  asked: Parsed<Calls['unit']>,
): Promise<Result<Calls['unit']>> {
  const { run, unit, verdicts, coveragePercent, alarms, span, curve } = await unitResult(services, asked);
  return {
    run: toRunRow(run, services.nowMs()),
    unit: toUnitRow(unit),
    deviceID: unit.device_id,
    ratedPowerW: unit.rated_power_w,
    removeReason: unit.remove_reason,
    reasonValue: unit.reason_value,
    coveragePercent,
    stillPercent: isUnitOver(unit.state) ? unit.told_percent : null,
    verdicts: [...verdicts],
    alarms: alarms.map(alarmFactsOf),
    curve: {
      startMs: span.fromMs,
      endMs: span.toMs,
      timesMs: curve.timesMs,
      powerW: curve.powerW,
      askedW: curve.askedW,
      temperatureC: curve.temperatureC,
      voltageV: curve.voltageV,
    },
    can: { remove: !isUnitOver(unit.state), settle: isUnitOver(unit.state) && unit.told_percent !== null },
  };
}
