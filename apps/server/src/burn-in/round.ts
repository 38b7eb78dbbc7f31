import { stepAt } from '@sonnenwarte/contract/burn-in/plan';
import { sql } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { Turns } from '../turns.ts';
import {
  type Advanced,
  advance,
  type Failure,
  type Frame,
  failureAtEnd,
  type Minute,
  silentSince,
  stepClosed,
} from './judge.ts';
import { giveBack, giveStep, hasToldOnes } from './load.ts';
import { tellOfRuns } from './news.ts';
import { minutesOf } from './recorded.store.ts';
import {
  bindDevices,
  failingAlarms,
  type OpenUnit,
  openUnits,
  type RunningRun,
  runningRuns,
  type Step,
  writeSteps,
} from './round.store.ts';
import { finishRun } from './runs.store.ts';

const MINUTE_MS = 60_000;
/** A minute is read once it has been over for so long: samples are a moment under way. */
export const SETTLE_MS = 30_000;
/** Of a run that nobody looked at for long so much is read at once. */
const MOST_SPAN_MS = 6 * 3_600_000;
/** Of a unit that is silent, what comes so late is still read. */
const LATE_MS = 10 * MINUTE_MS;

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
    await inTransaction(judging.db, (tx) => giveBack(tx, judging.commands, judging.nowMs()));
}

async function judgeRun(judging: Judging, run: RunningRun): Promise<'more' | 'done'> {
  const { db, telemetry } = judging;
  const nowMs = judging.nowMs();
  const startMs = run.started_at?.getTime() ?? nowMs;
  const endMs = run.ends_at?.getTime() ?? nowMs;
  await bindDevices(db, run.id);
  const units = await openUnits(db, run.id);
  // Whole minutes since the start, and the last one however long it is.
  const readableMs = nowMs - SETTLE_MS >= endMs ? endMs : Math.min(endMs, wholeMinutes(nowMs - SETTLE_MS, startMs));
  const fromMs = Math.min(readableMs, ...units.map(({ progress }) => progress.readMs ?? startMs));
  const toMs = Math.min(readableMs, fromMs + MOST_SPAN_MS);
  const keys = units.flatMap(({ key }) => (key === null ? [] : [key]));
  const [minutes, alarms] = await Promise.all([
    minutesOf(telemetry, keys, { fromMs: Math.max(startMs, fromMs), toMs }),
    alarmsOf(judging, run, units, { startMs, endMs: Math.min(nowMs, endMs) }),
  ]);
  const turns = new Turns();
  const steps: Step[] = [];
  for (const unit of units) {
    if (turns.isOver) await turns.giveBack();
    const frame: Frame = {
      startMs,
      endMs,
      steps: run.steps,
      limits: run.limits,
      ratedW: unit.rated_power_w,
      nowMs,
    };
    const found = { minutes: minutes.get(unit.key ?? -1) ?? [], alarm: alarms.get(unit.device_id ?? '') };
    const step = judgeUnit(unit, found, frame, { toMs, listeningSinceMs: judging.listeningSinceMs });
    if (step !== undefined) steps.push(step);
  }
  await inTransaction(db, (tx) => write(tx, judging, run, steps, { nowMs, startMs, endMs }));
  const readMs = new Map(steps.map(({ position, progress }) => [position, progress.readMs]));
  const over = new Set(steps.filter(({ endedMs }) => endedMs !== null).map(({ position }) => position));
  const open = units.filter(({ position }) => !over.has(position));
  const nextMs = Math.min(
    readableMs,
    ...open.map(({ position, progress }) => readMs.get(position) ?? progress.readMs ?? startMs),
  );
  return toMs < readableMs && nextMs > fromMs ? 'more' : 'done';
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

const earlier = (one: Failure | undefined, other: Failure | undefined): Failure | undefined =>
  one === undefined || (other !== undefined && other.atMs < one.atMs) ? other : one;

/** What a unit comes to by what was recorded of it until a moment. */
export function judgeUnit(
  { position, state, progress: former }: Pick<OpenUnit, 'position' | 'state' | 'progress'>,
  { minutes, alarm }: { readonly minutes: readonly Minute[]; readonly alarm: Failure | undefined },
  frame: Frame,
  { toMs, listeningSinceMs }: { readonly toMs: number; readonly listeningSinceMs: number },
): Step | undefined {
  const until = minutes.filter(({ atMs }) => atMs < toMs);
  const { progress: read, failure: broken, isPatient }: Advanced = advance(former, until, frame);
  const lateMs = Math.max(frame.startMs, toMs - LATE_MS);
  const progress = isPatient || (read.readMs ?? frame.startMs) >= lateMs ? read : { ...read, readMs: lateMs };
  const silent = broken || isPatient ? undefined : silentSince(progress, toMs, listeningSinceMs, frame);
  const isOver = toMs >= frame.endMs && isPatient === undefined;
  const hard = earlier(earlier(broken, silent), alarm);
  const failure = hard ?? (isOver ? failureAtEnd(progress, frame) : undefined);
  const formerMs = former.readMs ?? 0;
  if (failure !== undefined || isOver) {
    const closed = stepClosed(progress, frame);
    const endedMs = failure === undefined ? frame.endMs : Math.max(failure.atMs, frame.startMs);
    return {
      position,
      formerMs,
      progress: closed,
      // Who is heard of and passes in one round has begun as well.
      event: failure !== undefined ? 'fail' : state === 'waiting' ? 'begin' : 'pass',
      failure: failure ?? null,
      endedMs: failure === undefined && state === 'waiting' ? null : endedMs,
      measured: closed.worst ?? {},
    };
  }
  if (progress === former) return undefined;
  const event = state === 'waiting' && progress.firstMs !== undefined ? 'begin' : null;
  return { position, formerMs, progress, event, failure: null, endedMs: null, measured: {} };
}

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
  if (isFinished)
    await recordAudit(
      tx,
      {},
      {
        log: 'operation',
        action: 'burn-in.finish',
        recordKind: 'burnInRun',
        recordId: run.id,
        recordName: `#${run.number} ${run.rack}`,
        organisationPath: [],
      },
    );
  else if (step !== undefined && run.sets_load)
    await giveStep(tx, commands, run.id, step.percent, { nowMs, endsMs: startMs + step.endMs });
}
