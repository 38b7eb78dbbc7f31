import type { ReportFailure, ReportRequest } from '@sonnenwarte/contract/reports/report';
import {
  type ReportEvent,
  type ReportState,
  reportMoves,
  reportStates,
  statesBefore,
} from '@sonnenwarte/contract/reports/report-moves';
import type { list, reportFields } from '@sonnenwarte/contract/reports/reports';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
export type Asker = Pick<Actor, 'accountId' | 'level'>;

/** A report is seen by the account that asked for it, and by administrators. */
const visible = ({ accountId, level }: Asker): Expression<SqlBool> => {
  const eb = expressionBuilder<Database, 'reports'>();
  return level === 255 ? eb.val(true) : eb('reports.account_id', '=', accountId);
};

const isOpen = sql<SqlBool>`reports.state in ('queued', 'processing')`;

const shown = (db: Db, asker: Asker) =>
  db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.account_id')
    .where(visible(asker))
    .select([
      'reports.id',
      'reports.run',
      'reports.account_id',
      'reports.name',
      'reports.language',
      'reports.state',
      'reports.request',
      'reports.asked_at',
      'reports.finished_at',
      'reports.kept_until',
      'reports.progress',
      'reports.rows',
      sql<number | null>`reports.bytes::float8`.as('bytes'),
      'reports.failure',
      'reports.missing',
      sql<boolean>`reports.schedule_id is not null`.as('isScheduled'),
      'accounts.username',
      sql<number | null>`case when reports.state = 'queued' then (select count(*)::int from reports as before
        where before.state in ('queued', 'processing') and before.number < reports.number) end`.as('ahead'),
    ]);
export type ReportFound = Awaited<ReturnType<typeof reportById>> & object;

const sortKeys = {
  name: sql`lower(reports.name)`,
  state: sql`array_position(${sql.lit(`{${reportStates.join(',')}}`)}::text[], reports.state)`,
  askedMs: sql`reports.asked_at`,
  rows: sql`reports.rows`,
} satisfies SortKeys<typeof reportFields>;

export function reportsFound(db: Db, asker: Asker, input: Asked<typeof list>) {
  const { content, states, whose = 'mine' } = input.condition;
  let query = shown(db, asker);
  if (whose === 'mine') query = query.where('reports.account_id', '=', asker.accountId);
  if (states !== undefined && states.length > 0) query = query.where('reports.state', 'in', states);
  if (content !== '') {
    const pattern = containing(content);
    query = query.where(sql<SqlBool>`(reports.name ilike ${pattern} or accounts.username ilike ${pattern})`);
  }
  const { field, order } = input.sort;
  return pageOf(query, { key: sortKeys[field], apart: [sql`reports.id`], order }, input);
}

export const reportById = (db: Db, asker: Asker, id: string) =>
  shown(db, asker).where('reports.id', '=', id).executeTakeFirst();

/** Those of some reports that an account sees. */
export const reportsById = (db: Db, asker: Asker, ids: readonly string[]) =>
  shown(db, asker).where(sql<SqlBool>`reports.id = any(${ids}::uuid[])`).execute();

export interface NewReport {
  readonly accountId: string;
  readonly name: string;
  readonly language: string;
  readonly request: ReportRequest;
  readonly askedAt: Date;
  readonly schedule?: { readonly id: string; readonly dueAt: Date };
}

/** Keeps what is asked for; undefined where a schedule has it for this time already. */
export async function addReport(db: Db, report: NewReport): Promise<string | undefined> {
  const { accountId, name, language, request, askedAt, schedule } = report;
  const added = await db
    .insertInto('reports')
    .values({
      account_id: accountId,
      name,
      language,
      request: JSON.stringify(request),
      asked_at: askedAt,
      ...(schedule && { schedule_id: schedule.id, due_at: schedule.dueAt }),
    })
    .onConflict((conflict) =>
      conflict.columns(['schedule_id', 'due_at']).where('schedule_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

/** How many reports an account has open, and how many are kept for it; it asks for no other until the transaction ends. */
export async function countReports(tx: Db, accountId: string): Promise<{ open: number; kept: number }> {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  return tx
    .selectFrom('reports')
    .where('account_id', '=', accountId)
    .select([
      sql<number>`(count(*) filter (where ${isOpen}))::int`.as('open'),
      sql<number>`(count(*) filter (where schedule_id is null))::int`.as('kept'),
    ])
    .executeTakeFirstOrThrow();
}

/** Open reports of everybody. */
export async function countOpen(db: Db): Promise<number> {
  const { open } = await db
    .selectFrom('reports')
    .where(isOpen)
    .select(sql<number>`count(*)::int`.as('open'))
    .executeTakeFirstOrThrow();
  return open;
}

const isBefore = (event: ReportEvent) => expressionBuilder<Database, 'reports'>()('state', 'in', statesBefore(event));
/** The state after an event, of rows that are in one before it. */
const after = (event: ReportEvent) =>
  sql<ReportState>`case state ${sql.join(
    statesBefore(event).map((state) => sql`when ${sql.lit(state)} then ${sql.lit(reportMoves[state][event] ?? state)}`),
    sql` `,
  )} end`;

export interface BegunReport {
  readonly id: string;
  readonly run: number;
  readonly tries: number;
  readonly accountId: string;
  readonly name: string;
  readonly language: string;
  readonly request: ReportRequest;
  readonly scheduleId: string | null;
}

/** Makers begin one after another. */
const BEGINNING = 0x7265706f;

/**
 * Begins with the report that was asked for first, or with one whose maker was stopped. None while as many are made as may be at once, or
 * where none waits.
 */
export async function beginNext(
  tx: Db,
  { now, heldUntil, atOnce }: { now: Date; heldUntil: Date; atOnce: number },
): Promise<BegunReport | undefined> {
  await sql`select pg_advisory_xact_lock(${BEGINNING})`.execute(tx);
  const { held } = await tx
    .selectFrom('reports')
    .where('state', '=', 'processing')
    .where('held_until', '>', now)
    .select(sql<number>`count(*)::int`.as('held'))
    .executeTakeFirstOrThrow();
  if (held >= atOnce) return undefined;
  const next = await tx
    .selectFrom('reports')
    .where(isOpen)
    .where((eb) => eb.or([eb('state', '=', 'queued'), eb('held_until', 'is', null), eb('held_until', '<=', now)]))
    .select('id')
    .orderBy('number')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (next === undefined) return undefined;
  return tx
    .updateTable('reports')
    .set({ state: after('begin'), run: sql`run + 1`, tries: sql`tries + 1`, held_until: heldUntil, progress: 0 })
    .where('id', '=', next.id)
    .where(isBefore('begin'))
    .returning([
      'id',
      'run',
      'tries',
      'account_id as accountId',
      'name',
      'language',
      'request',
      'schedule_id as scheduleId',
    ])
    .executeTakeFirst();
}

const ofRun = (db: Db, event: ReportEvent, { id, run }: Pick<BegunReport, 'id' | 'run'>) =>
  db
    .updateTable('reports')
    .where('id', '=', id)
    .where('run', '=', run)
    .where(isBefore(event))
    .set({ state: after(event) });

const isDone = ({ numUpdatedRows }: { numUpdatedRows: bigint }): boolean => numUpdatedRows > 0n;

/** Says how far a run is, and that it lives. False where it is to stop: it was cancelled, or another has begun. */
export const tellProgress = async (
  db: Db,
  { id, run }: Pick<BegunReport, 'id' | 'run'>,
  progress: number,
  heldUntil: Date,
): Promise<boolean> =>
  isDone(
    await db
      .updateTable('reports')
      .set({ progress, held_until: heldUntil })
      .where('id', '=', id)
      .where('run', '=', run)
      .where('state', '=', 'processing')
      .executeTakeFirstOrThrow(),
  );

/** Others may begin with it; a try that was not its own fault does not count. */
export const putBack = async (db: Db, report: BegunReport, counts: boolean): Promise<boolean> =>
  isDone(
    await ofRun(db, 'putBack', report)
      .set({ held_until: null, progress: 0, ...(!counts && { tries: sql`tries - 1` }) })
      .executeTakeFirstOrThrow(),
  );

interface Completed {
  readonly rows: number;
  readonly bytes: number;
  readonly missing: number;
  readonly at: Date;
  readonly keptUntil: Date;
}

export const complete = async (db: Db, report: BegunReport, { at, keptUntil, ...made }: Completed): Promise<boolean> =>
  isDone(
    await ofRun(db, 'complete', report)
      .set({ ...made, held_until: null, progress: 100, finished_at: at, kept_until: keptUntil })
      .executeTakeFirstOrThrow(),
  );

export const fail = async (
  db: Db,
  report: Pick<BegunReport, 'id' | 'run'>,
  { failure, at, keptUntil }: { failure: ReportFailure; at: Date; keptUntil: Date },
): Promise<boolean> =>
  isDone(
    await ofRun(db, 'fail', report)
      .set({ failure, held_until: null, finished_at: at, kept_until: keptUntil })
      .executeTakeFirstOrThrow(),
  );

/** Cancels those of some reports that are open. */
export async function cancelReports(tx: Db, ids: readonly string[], at: Date, keptUntil: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('reports')
    .set({ state: after('cancel'), held_until: null, finished_at: at, kept_until: keptUntil })
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .where(isBefore('cancel'))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Has it made again, behind what waits. */
export const retryReport = async (db: Db, id: string): Promise<boolean> =>
  isDone(
    await db
      .updateTable('reports')
      .set({
        state: after('retry'),
        // The last of all.
        number: sql`default`,
        tries: 0,
        failure: '',
        progress: 0,
        missing: 0,
        finished_at: null,
        kept_until: null,
      })
      .where('id', '=', id)
      .where(isBefore('retry'))
      .executeTakeFirstOrThrow(),
  );

/** What one run has written. */
export interface RunOf {
  readonly id: string;
  readonly run: number;
}

export const removeReports = (tx: Db, ids: readonly string[]): Promise<RunOf[]> =>
  tx.deleteFrom('reports').where(sql<SqlBool>`id = any(${ids}::uuid[])`).returning(['id', 'run']).execute();

/** Takes away reports whose time is over, so many at a time. */
export function forgetReports(db: Db, now: Date, most: number): Promise<RunOf[]> {
  const over = db.selectFrom('reports').select('id').where('kept_until', '<=', now).orderBy('kept_until').limit(most);
  return db.deleteFrom('reports').where('id', 'in', over).returning(['id', 'run']).execute();
}

/** Of some reports the run that began last, by their ids. */
export async function lastRuns(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('reports')
    .select(['id', 'run'])
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, run }) => [id, run]));
}
