import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { intervalsOfRhythm, MOST_REPORT_SCHEDULES, type ScheduleRow } from '@sonnenwarte/contract/reports/report';
import type { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { addJob } from '../jobs/jobs.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { askedReport } from './asked.ts';
import { reportingScope } from './asker.store.ts';
import { MAKE_REPORT } from './maker.ts';
import { nameOf, refuseTooLong } from './reports.service.ts';
import { addReport } from './reports.store.ts';
import { daysBefore, nextDueMs, type Rhythm } from './schedule-times.ts';
import {
  addSchedule,
  changeSchedule,
  holdDue,
  passDue,
  removeSchedule,
  type ScheduleFound,
  scheduleById,
  schedulesFound,
  stopSchedule,
} from './schedules.store.ts';

type Calls = typeof reportEndpoints;
type Own = Pick<CallContext, 'actor'>;
type Stores = Uses<'db' | 'nowMs'>;

const isStop = (stopped: string): stopped is NonNullable<ScheduleRow['stopped']> => stopped !== '';

function toScheduleRow({ request, stopped, ...schedule }: ScheduleFound): ScheduleRow {
  const { source, deviceIDs, stationIDs, variables, interval } = request;
  return {
    scheduleID: schedule.id,
    name: schedule.name,
    source,
    things: (source === 'devices' ? deviceIDs : stationIDs).length,
    variables: variables.length,
    interval,
    every: schedule.every,
    weekday: schedule.weekday,
    at: schedule.at,
    ianaTimezone: schedule.timeZone,
    isPaused: schedule.nextAt === null,
    nextMs: schedule.nextAt?.getTime() ?? null,
    lastMs: schedule.lastAt?.getTime() ?? null,
    stopped: isStop(stopped) ? stopped : null,
    can: { edit: true, pause: schedule.nextAt !== null, resume: schedule.nextAt === null, remove: true },
  };
}

/** The caller's schedules. */
export const scheduleListOf = async ({ db }: Uses<'db'>, input: Asked<Calls['scheduleList']>, { actor }: Own) =>
  toRows(await schedulesFound(db, actor.accountId, input), toScheduleRow);

function refuseInterval({ every }: Pick<Rhythm, 'every'>, interval: ScheduleRow['interval']): void {
  if (!intervalsOfRhythm[every].includes(interval)) throw new CallError('reportRangeTooLong');
}

/** The clock that an account keeps: as it is set, else that of the screen which asks. */
async function zoneOf(
  db: Kysely<Database>,
  { actor, timeZone }: Pick<CallContext, 'actor' | 'timeZone'>,
): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('time_zone')
    .where('id', '=', actor.accountId)
    .executeTakeFirst();
  return [account?.time_zone ?? '', timeZone].find(isValidZone) ?? 'UTC';
}

/** Has a report made again and again. */
export async function addScheduleOf(
  stores: Uses<'db' | 'telemetry' | 'nowMs'>,
  { name, every, weekday, at, ...request }: Parsed<Calls['scheduleAdd']>,
  context: CallContext,
): Promise<Result<Calls['scheduleAdd']>> {
  const { db, nowMs } = stores;
  const { actor, language } = context;
  const asked = await askedReport(db, context.scope, request, 'allThere');
  const rhythm: Rhythm = { every, weekday, at, timeZone: await zoneOf(db, context) };
  refuseInterval(rhythm, request.interval);
  const nextMs = nextDueMs(rhythm, nowMs());
  if (every === 'weekly') await refuseTooLong(stores, asked, { ...request, ...daysBefore(rhythm, nowMs()) });
  const named = name === '' ? nameOf(asked) : name;
  const schedule = { ...rhythm, name: named, language, request, accountId: actor.accountId, nextAt: new Date(nextMs) };
  const added = await inTransaction(db, (tx) => addSchedule(tx, schedule, MOST_REPORT_SCHEDULES));
  return { scheduleID: found(added, 'tooManyReportSchedules'), nextMs };
}

/** Changes the name of a schedule and when it is due; one that is paused stays so. */
export async function editScheduleOf(
  { db, nowMs }: Stores,
  { id, name, ...when }: Parsed<Calls['scheduleEdit']>,
  { actor }: Own,
): Promise<Result<Calls['scheduleEdit']>> {
  const schedule = found(await scheduleById(db, actor.accountId, id), 'reportScheduleNotFound');
  refuseInterval(when, schedule.request.interval);
  const isPaused = schedule.nextAt === null;
  const nextMs = isPaused ? null : nextDueMs({ ...when, timeZone: schedule.timeZone }, nowMs());
  const nextAt = nextMs === null ? null : new Date(nextMs);
  const named = name === '' ? schedule.name : name;
  if (!(await changeSchedule(db, actor.accountId, id, { name: named, ...when, nextAt })))
    throw new CallError('reportScheduleNotFound');
  return { nextMs };
}

/** Pauses a schedule, or lets it go on from now. */
export async function pauseScheduleOf(
  { db, nowMs }: Stores,
  { id, isPaused }: Parsed<Calls['schedulePause']>,
  { actor }: Own,
): Promise<void> {
  const schedule = found(await scheduleById(db, actor.accountId, id), 'reportScheduleNotFound');
  if (isPaused === (schedule.nextAt === null)) return;
  await changeSchedule(db, actor.accountId, id, {
    nextAt: isPaused ? null : new Date(nextDueMs(schedule, nowMs())),
  });
}

export async function removeScheduleOf(
  { db }: Uses<'db'>,
  { id }: Parsed<Calls['scheduleRemove']>,
  { actor }: Own,
): Promise<void> {
  if (!(await removeSchedule(db, actor.accountId, id))) throw new CallError('reportScheduleNotFound');
}

/**
 * Asks for the reports of schedules that are due, each once, and says when they are due again; of what was due several times while nobody
 * looked, only the last is asked for. Answers how many it was.
 */
export async function askWhatIsDue({ db, nowMs }: Stores, ending: AbortSignal): Promise<number> {
  let asked = 0;
  while (!ending.aborted && (await inTransaction(db, (tx) => askNextDue(tx, nowMs())))) asked += 1;
  if (asked > 0) await addJob(db, MAKE_REPORT);
  return asked;
}

async function askNextDue(tx: Kysely<Database>, nowMs: number): Promise<boolean> {
  const now = new Date(nowMs);
  const schedule = await holdDue(tx, now);
  if (schedule?.nextAt == null) return false;
  const scope = await reportingScope(tx, schedule.accountId);
  if (scope === undefined) {
    await stopSchedule(tx, schedule.id, 'notPermitted');
    return true;
  }
  try {
    await askedReport(tx, scope, schedule.request, 'whatIsLeft');
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    await stopSchedule(tx, schedule.id, 'nothingVisible');
    return true;
  }
  const dueAt = new Date(lastDueMs(schedule, schedule.nextAt.getTime(), nowMs));
  await addReport(tx, {
    accountId: schedule.accountId,
    name: schedule.name,
    language: schedule.language,
    request: { ...schedule.request, ...daysBefore(schedule, dueAt.getTime()) },
    askedAt: now,
    schedule: { id: schedule.id, dueAt },
  });
  await passDue(tx, schedule.id, dueAt, new Date(nextDueMs(schedule, nowMs)));
  return true;
}

/** The last time until now at which it was due. */
function lastDueMs(rhythm: Rhythm, firstMs: number, nowMs: number): number {
  let dueMs = firstMs;
  for (let nextMs = nextDueMs(rhythm, dueMs); nextMs <= nowMs; nextMs = nextDueMs(rhythm, dueMs)) dueMs = nextMs;
  return dueMs;
}
