import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { FollowDetail, FollowReason } from '@sonnenwarte/contract/work-modes/follow';
import type { Plan, ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const nameOf = sql<string>`coalesce(nullif(accounts.name, ''), accounts.username, '')`;

/** How the portal plans the battery of a plant; undefined where it does not. */
export const followedPlan = (db: Db, siteId: string) =>
  db
    .selectFrom('followed_plans')
    .leftJoin('accounts', 'accounts.id', 'followed_plans.started_by')
    .where('site_id', '=', siteId)
    .selectAll('followed_plans')
    .select(nameOf.as('by'))
    .executeTakeFirst();

/** The same, locked until the transaction ends. */
export const holdFollowed = (tx: Tx, siteId: string) =>
  tx.selectFrom('followed_plans').where('site_id', '=', siteId).selectAll().forUpdate().executeTakeFirst();

export const putFollowed = (
  tx: Tx,
  {
    siteId,
    tradesWithGrid,
    by,
    at,
    former,
  }: { siteId: string; tradesWithGrid: boolean; by: string; at: Date; former: ToldPlan },
) =>
  tx
    .insertInto('followed_plans')
    .values({
      site_id: siteId,
      trades_with_grid: tradesWithGrid,
      started_by: by,
      started_at: at,
      former: JSON.stringify(former),
    })
    .onConflict((conflict) =>
      // What was before the first start stays what comes back at the end.
      conflict.column('site_id').doUpdateSet({ trades_with_grid: tradesWithGrid, planned_day: null, written: null }),
    )
    .execute();

export const dropFollowed = (tx: Tx, siteIds: readonly string[]) =>
  tx
    .deleteFrom('followed_plans')
    .where(sql<boolean>`site_id = any(${siteIds}::uuid[])`)
    .returning(['site_id', 'former', 'written'])
    .execute();

/** What was planned for a local day. */
export const notePlanned = (tx: Tx, siteId: string, { day, written, at }: { day: string; written: Plan; at: Date }) =>
  tx
    .updateTable('followed_plans')
    .set({ planned_day: day, written: JSON.stringify(written), looked_at: at })
    .where('site_id', '=', siteId)
    .execute();

export const noteLooked = (db: Db, siteId: string, at: Date) =>
  db.updateTable('followed_plans').set({ looked_at: at }).where('site_id', '=', siteId).execute();

/** Plants whose running local day is not planned yet, those first at which nobody has looked for longest; looked at before a time. */
export async function unplannedSites(db: Db, now: Date, lookedBefore: Date, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('followed_plans')
    .innerJoin('sites', 'sites.id', 'followed_plans.site_id')
    .where('sites.deleted_at', 'is', null)
    .where(
      sql<boolean>`(planned_day is null or planned_day < (${now}::timestamptz at time zone sites.time_zone)::date)
        and (looked_at is null or looked_at < ${lookedBefore})`,
    )
    .orderBy(sql`looked_at asc nulls first`)
    .limit(most)
    .select('site_id')
    .execute();
  return rows.map(({ site_id }) => site_id);
}

export interface NewStep {
  readonly siteId: string;
  readonly at: Date;
  readonly day: string;
  readonly reason: FollowReason;
  readonly accountId?: string | null;
  readonly detail?: FollowDetail;
  readonly batchId?: string;
}

export const noteStep = ({ siteId, at, day, reason, accountId = null, detail = {}, batchId }: NewStep, tx: Db | Tx) =>
  tx
    .insertInto('followed_steps')
    .values({
      site_id: siteId,
      at,
      day,
      reason,
      account_id: accountId,
      detail: JSON.stringify(detail),
      batch_id: batchId ?? null,
    })
    .execute();

/** The last step of a plant about a day. */
export const lastStepOf = (db: Db, siteId: string, day: string) =>
  db
    .selectFrom('followed_steps')
    .select('reason')
    .where('site_id', '=', siteId)
    .where('day', '=', day)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

const STATES = [
  'refused',
  'differs',
  'timedOut',
  'expired',
  'cancelled',
  'queued',
  'sent',
  'acknowledged',
  'confirmed',
];

/** The newest steps of a plant, each with the command that is least far. */
export const stepsOf = (db: Db, siteId: string, most: number) =>
  db
    .selectFrom('followed_steps')
    .leftJoin('accounts', 'accounts.id', 'followed_steps.account_id')
    .where('site_id', '=', siteId)
    .orderBy('at', 'desc')
    .orderBy('followed_steps.id', 'desc')
    .limit(most)
    .select(['followed_steps.id', 'at', 'day', 'reason', 'detail', nameOf.as('by')])
    .select(
      sql<CommandState | null>`(select c.state from commands c where c.batch_id = followed_steps.batch_id
        order by array_position(${STATES}::text[], c.state) limit 1)`.as('state'),
    )
    .execute();

const AT_ONCE = 5_000;

/** Takes away steps that are older, a part at a time; true while there may be more. */
export async function forgetFollowed(db: Db, before: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('followed_steps')
    .where('id', 'in', (eb) =>
      eb.selectFrom('followed_steps').select('id').where('at', '<', before).orderBy('at').limit(AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}
