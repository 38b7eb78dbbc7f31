import type { burnInEndpoints } from '@sonnenwarte/contract/burn-in/burn-in';
import { isUnitOver } from '@sonnenwarte/contract/burn-in/moves';
import { askedSteps, stepAt } from '@sonnenwarte/contract/burn-in/plan';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { giveBack, giveStep, settleLoad } from './load.ts';
import { tellOfRuns } from './news.ts';
import { batchById, planById } from './plans.store.ts';
import { unitOf, unitsNow } from './results.store.ts';
import { toRunRow } from './run-rows.ts';
import {
  abortRun,
  busyUnit,
  deleteRun,
  finishRun,
  heldRun,
  insertRun,
  runById,
  runChoices,
  runsFound,
  snsOf,
  startRun,
  strangersTo,
  takeOff,
  unitInPlant,
} from './runs.store.ts';

type Calls = typeof burnInEndpoints;
type Used = Uses<'db' | 'nowMs' | 'commands'>;
type Tx = Parameters<typeof recordAudit>[0];

/** What was told longer ago is not how a unit is now. */
const FRESH_MS = 5 * 60_000;

export const runListOf = async ({ db, nowMs }: Uses<'db' | 'nowMs'>, input: Asked<Calls['list']>) =>
  toRows(await runsFound(db, input), (run) => toRunRow(run, nowMs()));

export const runsOf = async ({ db }: Uses<'db'>, input: Parsed<Calls['runs']>): Promise<Result<Calls['runs']>> => ({
  choices: await runChoices(db, input),
});

/** The rack of a run now. */
export async function boardOf(
  { db, nowMs: now }: Uses<'db' | 'nowMs'>,
  { runID }: Parsed<Calls['board']>,
): Promise<Result<Calls['board']>> {
  const run = found(await runById(db, runID), 'burnInRunNotFound');
  const nowMs = now();
  const startMs = run.started_at?.getTime() ?? nowMs;
  const step =
    run.state === 'running' && run.ends_at !== null
      ? stepAt(askedSteps(run.steps, run.sets_load), run.ends_at.getTime() - startMs, nowMs - startMs)
      : undefined;
  const units = await unitsNow(db, runID);
  return {
    run: toRunRow(run, nowMs),
    nowMs,
    steps: run.steps,
    limits: run.limits,
    step: step === undefined ? null : { index: step.index, percent: step.percent, endsMs: startMs + step.endMs },
    units: units.map(({ rated_power_w: ratedW, ...unit }) => {
      const isFresh = unit.ts !== null && nowMs - unit.ts.getTime() < FRESH_MS;
      return {
        position: unit.position,
        sn: unit.sn,
        state: unit.state,
        reason: unit.reason,
        valuesMs: isFresh ? (unit.ts?.getTime() ?? null) : null,
        powerW: isFresh ? unit.power : null,
        askedW: step === undefined || ratedW === null ? null : (ratedW * step.percent) / 100,
        temperatureC: isFresh ? unit.temperature : null,
        alarms: unit.alarms,
        endedMs: unit.ended_at?.getTime() ?? null,
        stillPercent: isUnitOver(unit.state) ? unit.told_percent : null,
      };
    }),
  };
}

const record = (
  tx: Tx,
  context: CallContext,
  action: 'add' | 'start' | 'abort' | 'remove' | 'removeUnit' | 'settleLoad',
  run: { readonly id: string; readonly number: number; readonly rack: string },
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'operation',
    action: `burn-in.${action}`,
    recordKind: 'burnInRun',
    recordId: run.id,
    recordName: `#${run.number} ${run.rack}`,
    organisationPath: context.actor.organisationPath,
    ...change,
  });

/** A unit on another rack, or in somebody's plant, cannot be burnt in. */
async function checkUnits(tx: Tx, sns: readonly string[]): Promise<void> {
  const inPlant = await unitInPlant(tx, sns);
  if (inPlant !== undefined) throw new CallError('burnInUnitInPlant', { sn: inPlant.sn });
}

const MOST_NAMED = 10;

/** A certificate names the batch: a unit of another one, or of another model, has no place in the run. */
async function checkBatch(
  tx: Tx,
  sns: readonly string[],
  batchID: string,
  { number, model }: { readonly number: string; readonly model: string },
): Promise<void> {
  const strangers = await strangersTo(tx, sns, batchID, model);
  const named = (list: typeof strangers): string =>
    [...list.slice(0, MOST_NAMED).map(({ sn }) => sn), ...(list.length > MOST_NAMED ? ['…'] : [])].join(', ');
  const others = strangers.filter(({ is_other_batch }) => is_other_batch);
  if (others.length > 0) throw new CallError('burnInUnitOfOtherBatch', { sns: named(others), batch: number });
  if (strangers.length > 0) throw new CallError('burnInUnitOfOtherModel', { sns: named(strangers), model });
}

async function checkBusy(tx: Tx, sns: readonly string[]): Promise<void> {
  const busy = await busyUnit(tx, sns);
  if (busy !== undefined) throw new CallError('burnInUnitBusy', { sn: busy.sn, number: busy.number });
}

const UNIQUE_VIOLATION = '23505';

export async function addRun(
  { db, nowMs }: Used,
  input: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> {
  const { planID, rack, batchID = null, batchNumber, setsLoad } = input;
  const places = input.sns.map((sn) => sn.toUpperCase());
  const sns = places.filter((sn) => sn !== '');
  const make = () =>
    inTransaction(db, async (tx) => {
      const plan = found(await planById(tx, planID), 'burnInPlanNotFound');
      const batch = batchID === null ? undefined : await batchById(tx, batchID);
      if (batchID !== null && batch === undefined)
        throw new CallError('refusedInput', { fields: [{ path: 'batchID', reason: 'unknown', params: {} }] });
      await checkUnits(tx, sns);
      if (batchID !== null && batch !== undefined) await checkBatch(tx, sns, batchID, batch);
      await checkBusy(tx, sns);
      const run = await insertRun(tx, {
        planId: planID,
        plan: { name: plan.name, durationMinutes: plan.duration_minutes, steps: plan.steps, limits: plan.limits },
        rack,
        batchId: batchID,
        batch: batch?.number ?? batchNumber,
        manufacturer: batch?.manufacturer ?? '',
        model: batch?.model ?? '',
        setsLoad,
        places,
        at: new Date(nowMs()),
      });
      await tellOfRuns(tx);
      await record(
        tx,
        context,
        'add',
        { ...run, rack },
        {
          after: { plan: plan.name, batch: batch?.number ?? batchNumber, setsLoad, units: sns.join(', ') },
        },
      );
      return { runID: run.id };
    });
  try {
    return await make();
  } catch (error) {
    // Somebody has put one of them on another rack in the same moment.
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    await inTransaction(db, (tx) => checkBusy(tx, sns));
    throw error;
  }
}

export const startRunOf = (
  { db, nowMs, commands }: Used,
  { runID }: Parsed<Calls['start']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const run = found(await heldRun(tx, runID), 'burnInRunNotFound');
    await checkUnits(tx, await snsOf(tx, runID));
    const at = new Date(nowMs());
    if (!(await startRun(tx, run, at))) throw new CallError('burnInRunBegun');
    await tellOfRuns(tx);
    await record(tx, context, 'start', run, { after: { plan: run.plan_name, setsLoad: run.sets_load } });
    const [first] = run.steps;
    if (first !== undefined)
      await giveStep(tx, commands, runID, first.percent, {
        nowMs: at.getTime(),
        endsMs: at.getTime() + first.minutes * 60_000,
      });
  });

export const abortRunOf = (
  { db, nowMs, commands }: Used,
  { runID, reason }: Parsed<Calls['abort']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const run = found(await heldRun(tx, runID), 'burnInRunNotFound');
    if (!(await abortRun(tx, runID, reason, new Date(nowMs())))) throw new CallError('burnInRunOver');
    await tellOfRuns(tx);
    await record(tx, context, 'abort', run, { after: { reason } });
    await giveBack(tx, commands, nowMs());
  });

export const removeRunOf = ({ db }: Used, { runID }: Parsed<Calls['remove']>, context: CallContext): Promise<void> =>
  inTransaction(db, async (tx) => {
    const run = found(await heldRun(tx, runID), 'burnInRunNotFound');
    const sns = await snsOf(tx, runID);
    if (!(await deleteRun(tx, runID))) throw new CallError('burnInRunBegun');
    await tellOfRuns(tx);
    await record(tx, context, 'remove', run, { before: { plan: run.plan_name, units: sns.join(', ') } });
  });

export const removeUnitOf = (
  { db, nowMs, commands }: Used,
  { runID, sn, reason }: Parsed<Calls['removeUnit']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const run = found(await heldRun(tx, runID), 'burnInRunNotFound');
    const at = new Date(nowMs());
    const isOff = found(await takeOff(tx, runID, sn.toUpperCase(), reason, at), 'burnInUnitNotFound');
    if (!isOff) throw new CallError('burnInUnitOver');
    // The last one that was open ends the run.
    await finishRun(tx, runID, at);
    await tellOfRuns(tx);
    await record(tx, context, 'removeUnit', run, { after: { sn: sn.toUpperCase(), reason } });
    await giveBack(tx, commands, nowMs());
  });

/** Nothing that stood is no error: the device may have taken it in the same moment. */
export const settleLoadOf = (
  { db }: Used,
  { runID, sn }: Parsed<Calls['settleLoad']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const run = found(await heldRun(tx, runID), 'burnInRunNotFound');
    const unit = found(await unitOf(tx, runID, sn.toUpperCase()), 'burnInUnitNotFound');
    if (!(await settleLoad(tx, runID, unit.position))) return;
    await tellOfRuns(tx);
    await record(tx, context, 'settleLoad', run, { before: { sn: unit.sn, percent: unit.told_percent } });
  });
