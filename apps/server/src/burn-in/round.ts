import { askedSteps, stepAt } from '@sonnenwarte/contract/burn-in/plan';
import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { giveUpClaimed } from '../device-claims/burnt-in.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { Turns } from '../turns.ts';
import type { Frame } from './frame.ts';
import type { Failure } from './judge.ts';
import { giveBack, giveStep, hasToldOnes } from './load.ts';
import { tellOfRuns } from './news.ts';
import { MOST_READ, minutesOf, type Reading } from './recorded.store.ts';
import {
  bindDevices,
  failingAlarms,
  leaveForPlants,
  type OpenUnit,
  openUnits,
  type RunningRun,
  runningRuns,
  type Step,
  writeSteps,
} from './round.store.ts';
import { finishRun } from './runs.store.ts';
import { judgeUnit } from './verdict.ts';

const MINUTE_MS = 60_000;
/** A minute is read once it has been over for so long: samples are a moment under way. */
export const SETTLE_MS = 30_000;
/** So much behind the end shows whether a unit went on telling. */
const BEHIND_MS = 10 * MINUTE_MS;
/** Units of which more is to be read are read apart from the others. */
const NEAR_MS = 60 * MINUTE_MS;
/** As often as dataloggers tell unless they say otherwise. */
const USUAL_INTERVAL_S = 60;

export type Judging = Uses<'db' | 'telemetry' | 'nowMs' | 'commands'> & {
  /** Since when this server has been listening. */
  readonly listeningSinceMs: number;
};

const wholeMinutes = (ms: number, startMs: number): number =>
  startMs + Math.floor((ms - startMs) / MINUTE_MS) * MINUTE_MS;

/** Brings every run that is under way to where it is now. */
export async function judgeRuns(judging: Judging, ending?: AbortSignal): Promise<void> {
  for (const run of await runningRuns(judging.db)) {
    if (ending?.aborted) return;
    while ((await judgeRun(judging, run)) === 'more') if (ending?.aborted) return;
  }
  if (await hasToldOnes(judging.db))
    await inTransaction(judging.db, async (tx) => {
      if (await giveBack(tx, judging.commands, judging.nowMs())) await tellOfRuns(tx);
    });
  await giveUpClaimed(judging.db);
}

const record = (
  tx: Parameters<typeof writeSteps>[0],
  run: RunningRun,
  action: 'finish' | 'removeUnit',
  after: Record<string, unknown> = {},
): Promise<void> =>
  recordAudit(
    tx,
    {},
    {
      log: 'operation',
      action: `burn-in.${action}`,
      recordKind: 'burnInRun',
      recordId: run.id,
      recordName: `#${run.number} ${run.rack}`,
      organisationPath: [],
      after,
    },
  );

/** Whose device was linked to a plant is in nobody's burn-in any more. */
const removeLinked = ({ db }: Judging, run: RunningRun, at: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    const held = await sql`select from burn_in_runs where id = ${run.id} and state = 'running' for update`.execute(tx);
    if (held.rows.length === 0) return;
    const sns = await leaveForPlants(tx, run.id, at);
    if (sns.length === 0) return;
    await tellOfRuns(tx);
    await record(tx, run, 'removeUnit', { sn: sns.join(', '), reason: 'linked to a plant' });
  });

async function judgeRun(judging: Judging, run: RunningRun): Promise<'more' | 'done'> {
  const { db, telemetry } = judging;
  const nowMs = judging.nowMs();
  const startMs = run.started_at?.getTime() ?? nowMs;
  const endMs = run.ends_at?.getTime() ?? nowMs;
  await removeLinked(judging, run, new Date(nowMs));
  await bindDevices(db, run.id);
  const units = await openUnits(db, run.id);
  // Whole minutes since the start, and the last one however long it is.
  const readableMs = nowMs - SETTLE_MS >= endMs ? endMs : Math.min(endMs, wholeMinutes(nowMs - SETTLE_MS, startMs));
  // What comes behind shows whether a minute is whole.
  const readings = units.flatMap(({ key, progress }): Reading[] =>
    key === null ? [] : [{ key, fromMs: Math.max(startMs, progress.readMs ?? startMs) }],
  );
  const isNear = ({ fromMs }: Reading): boolean => fromMs >= readableMs - NEAR_MS;
  const span = { startMs, toMs: Math.min(nowMs, endMs + BEHIND_MS) };
  const [near, far, alarms] = await Promise.all([
    minutesOf(telemetry, readings.filter(isNear), span),
    minutesOf(
      telemetry,
      readings.filter((reading) => !isNear(reading)),
      span,
    ),
    alarmsOf(judging, run, units, { startMs, endMs: Math.min(nowMs, endMs) }),
  ]);
  const turns = new Turns();
  const steps: Step[] = [];
  let hasMore = false;
  for (const unit of units) {
    if (turns.isOver) await turns.giveBack();
    const frame: Frame = {
      startMs,
      endMs,
      steps: askedSteps(run.steps, run.sets_load),
      limits: run.limits,
      ratedW: unit.rated_power_w,
      intervalMs: (unit.report_interval_s ?? USUAL_INTERVAL_S) * 1_000,
    };
    const minutes = near.get(unit.key ?? -1) ?? far.get(unit.key ?? -1) ?? [];
    const isCut = minutes.length >= MOST_READ;
    const found = { minutes, alarm: alarms.get(unit.device_id ?? '') };
    const step = judgeUnit(unit, found, frame, {
      nowMs,
      readableMs,
      listeningSinceMs: judging.listeningSinceMs,
      loggerSinceMs: unit.is_heard ? (unit.born_at?.getTime() ?? judging.listeningSinceMs) : null,
      isCut,
    });
    if (step === undefined) continue;
    steps.push(step);
    hasMore ||= isCut && step.endedMs === null && (step.progress.readMs ?? 0) > step.formerMs;
  }
  await inTransaction(db, (tx) => write(tx, judging, run, steps, { nowMs, startMs, endMs }));
  return hasMore ? 'more' : 'done';
}

const alarmsOf = (
  { db }: Judging,
  { limits }: RunningRun,
  units: readonly OpenUnit[],
  span: { readonly startMs: number; readonly endMs: number },
): Promise<Map<string, Failure>> =>
  limits.failLevel === null
    ? Promise.resolve(new Map())
    : failingAlarms(db, {
        ...span,
        deviceIds: units.flatMap(({ device_id }) => device_id ?? []),
        level: limits.failLevel,
        allowed: limits.allowedCodes,
      });

async function write(
  tx: Parameters<typeof writeSteps>[0],
  { commands }: Judging,
  run: RunningRun,
  steps: readonly Step[],
  { nowMs, startMs, endMs }: { readonly nowMs: number; readonly startMs: number; readonly endMs: number },
): Promise<void> {
  // The run before its units, as who starts and aborts it.
  const held = await sql`select from burn_in_runs where id = ${run.id} and state = 'running' for update`.execute(tx);
  if (held.rows.length === 0) return;
  const moved = await writeSteps(tx, run.id, steps);
  const { numUpdatedRows } = await finishRun(tx, run.id, new Date(Math.min(nowMs, Math.max(endMs, startMs))));
  const isFinished = numUpdatedRows > 0n;
  if (moved > 0 || isFinished) await tellOfRuns(tx);
  const step = stepAt(run.steps, endMs - startMs, nowMs - startMs);
  if (isFinished) await record(tx, run, 'finish');
  else if (step !== undefined && run.sets_load)
    await giveStep(tx, commands, run.id, step.percent, { nowMs, endsMs: startMs + step.endMs });
}
