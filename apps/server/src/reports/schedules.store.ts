import type { ReportedThings, ScheduleStop } from '@sonnenwarte/contract/reports/report';
import type { scheduleFields, scheduleList } from '@sonnenwarte/contract/reports/reports';
import { type Kysely, sql } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import type { Rhythm } from './schedule-times.ts';

type Db = Kysely<Database>;

const columns = [
  'id',
  'account_id as accountId',
  'name',
  'language',
  'request',
  'every',
  'weekday',
  'at',
  'time_zone as timeZone',
  'next_at as nextAt',
  'last_at as lastAt',
  'stopped',
] as const;

/** Schedules of an account, which alone sees them. */
const ofAccount = (db: Db, accountId: string) =>
  db.selectFrom('report_schedules').where('account_id', '=', accountId).select(columns);
export type ScheduleFound = NonNullable<Awaited<ReturnType<typeof scheduleById>>>;

const sortKeys = {
  name: sql`lower(name)`,
  every: sql`array_position('{daily,weekly,monthly}'::text[], every)`,
  nextMs: sql`next_at`,
  lastMs: sql`last_at`,
} satisfies SortKeys<typeof scheduleFields>;

export function schedulesFound(db: Db, accountId: string, input: Asked<typeof scheduleList>) {
  const { content } = input.condition;
  let query = ofAccount(db, accountId);
  if (content !== '') query = query.where('name', 'ilike', containing(content));
  const { field, order } = input.sort;
  return pageOf(query, { key: sortKeys[field], apart: [sql`id`], order }, input);
}

export const scheduleById = (db: Db, accountId: string, id: string) =>
  ofAccount(db, accountId).where('id', '=', id).executeTakeFirst();

interface NewSchedule extends Rhythm {
  readonly accountId: string;
  readonly name: string;
  readonly language: string;
  readonly request: ReportedThings;
  readonly nextAt: Date;
}

/** Keeps a schedule; undefined where the account has as many as it may. */
export async function addSchedule(tx: Db, schedule: NewSchedule, most: number): Promise<string | undefined> {
  await tx.selectFrom('accounts').select('id').where('id', '=', schedule.accountId).forNoKeyUpdate().execute();
  const { kept } = await tx
    .selectFrom('report_schedules')
    .where('account_id', '=', schedule.accountId)
    .select(sql<number>`count(*)::int`.as('kept'))
    .executeTakeFirstOrThrow();
  if (kept >= most) return undefined;
  const { accountId, timeZone, nextAt, request, ...columns } = schedule;
  const { id } = await tx
    .insertInto('report_schedules')
    .values({
      ...columns,
      account_id: accountId,
      time_zone: timeZone,
      next_at: nextAt,
      request: JSON.stringify(request),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface Change {
  readonly name?: string;
  readonly every?: Rhythm['every'];
  readonly weekday?: number;
  readonly at?: string;
  readonly nextAt: Date | null;
}

/** Changes a schedule, which then has not stopped. */
export async function changeSchedule(
  db: Db,
  accountId: string,
  id: string,
  { nextAt, ...change }: Change,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('report_schedules')
    .set({ ...change, next_at: nextAt, ...(nextAt !== null && { stopped: '' }) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function removeSchedule(db: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('report_schedules')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The schedule that is due first, held until the transaction ends; others that are due are for others. */
export const holdDue = (tx: Db, now: Date) =>
  tx
    .selectFrom('report_schedules')
    .select(columns)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

/** It was due, and is due again. */
export const passDue = (tx: Db, id: string, dueAt: Date, nextAt: Date) =>
  tx.updateTable('report_schedules').set({ last_at: dueAt, next_at: nextAt }).where('id', '=', id).execute();

export const stopSchedule = (tx: Db, id: string, stopped: ScheduleStop) =>
  tx.updateTable('report_schedules').set({ next_at: null, stopped }).where('id', '=', id).execute();
