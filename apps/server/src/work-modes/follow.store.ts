import type { CommandState } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { FollowDetail, FollowReason } from '@sonnenwarte/contract/work-modes/follow';
import type { Plan, ToldPlan } from '@sonnenwarte/contract/work-modes/plan';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** What a plan went by. */
export type Expectation = NonNullable<Selectable<Database['followed_plans']>['expected']>;

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
      look_at: at,
    })
    .onConflict((conflict) =>
      // What was before the first start stays what comes back at the end.
      conflict.column('site_id').doUpdateSet({
        trades_with_grid: tradesWithGrid,
        planned_day: null,
        written: null,
        expected: null,
        look_at: at,
      }),
    )
    .execute();

export const dropFollowed = (tx: Tx, siteIds: readonly string[]) =>
  tx
    .deleteFrom('followed_plans')
    .where(sql<boolean>`site_id = any(${siteIds}::uuid[])`)
    .returning(['site_id', 'former', 'written'])
    .execute();

/** What was planned, for which local day, and when it is looked at next. */
export interface Followed {
  readonly written?: Plan;
  readonly plannedDay?: string;
  readonly expected?: Expectation | null;
  readonly lookAt: Date;
}

export const noteFollowed = (db: Db | Tx, siteId: string, { written, plannedDay, expected, lookAt }: Followed) =>
  db
    .updateTable('followed_plans')
    .set({
      look_at: lookAt,
      ...(written !== undefined && { written: JSON.stringify(written) }),
      ...(plannedDay !== undefined && { planned_day: plannedDay }),
      ...(expected !== undefined && { expected: expected && JSON.stringify(expected) }),
    })
    .where('site_id', '=', siteId)
    .execute();

/** Which prices of a plant are known: another text where one of them, or of its market, is another, or one has come. */
const pricesKnown = sql<string>`md5(concat_ws('|', sites.feed_in_price, sites.purchase_price, sites.feed_in_periods, sites.purchase_periods,
  sites.purchase_market, sites.currency,
  (select string_agg(p::text, '|' order by p.valid_from) from site_prices p where p.site_id = sites.id),
  (select sum(m.changes) from market_sources m where m.zone = sites.purchase_market ->> 'zone'
    or m.zone in (select p.purchase_market ->> 'zone' from site_prices p where p.site_id = sites.id))))`;

export async function pricesKnownOf(db: Db, siteId: string): Promise<string> {
  const row = await db.selectFrom('sites').select(pricesKnown.as('known')).where('id', '=', siteId).executeTakeFirst();
  return row?.known ?? '';
}

/** Plans that are to be looked at by now, those that are due for longest first, with what is known of their plants. */
export const duePlans = (db: Db, now: Date, most: number) =>
  db
    .selectFrom('followed_plans')
    .innerJoin('sites', 'sites.id', 'followed_plans.site_id')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(most)
    .select([
      'sites.id',
      'sites.key',
      'sites.time_zone as zone',
      'sites.deleted_at as deletedAt',
      'planned_day as plannedDay',
      'expected',
      'site_latest.ts as heardAt',
      'site_latest.soc_percent as socPercent',
      pricesKnown.as('prices'),
    ])
    .execute();
export type DuePlan = Awaited<ReturnType<typeof duePlans>>[number];

/** Says of several plans when they are looked at next. */
export async function lookLater(
  db: Db,
  plans: readonly { readonly id: string; readonly atMs: number }[],
): Promise<void> {
  if (plans.length === 0) return;
  await sql`
    update followed_plans f set look_at = to_timestamp(r.at_ms / 1000.0)
    from json_to_recordset(${JSON.stringify(plans.map(({ id, atMs }) => ({ id, at_ms: atMs })))}::json) as r (id uuid, at_ms float8)
    where f.site_id = r.id`.execute(db);
}

/** Whether somebody else has set devices otherwise since a time, or is setting one of these settings. */
export async function othersAt(
  tx: Tx,
  deviceIds: readonly string[],
  values: Readonly<Record<string, SettingValue>>,
  since: Date,
): Promise<'have set' | 'are setting' | 'nobody'> {
  const { rows } = await sql<{ is_set: boolean; is_being_set: boolean }>`
    select exists (
      select from device_settings s join jsonb_each(${JSON.stringify(values)}::jsonb) as w (name, value) on w.name = s.name
      where s.subject_id = any(${deviceIds}::uuid[]) and s.desired_since > ${since} and s.desired <> w.value
        and (s.desired_source is distinct from 'plan' or s.desired_by is not null)) as is_set,
    exists (
      select from commands c where coalesce(c.device_id, c.logger_id) = any(${deviceIds}::uuid[]) and c.kind = 'write'
        and c.state in ('queued', 'sent', 'acknowledged') and c.content -> 'values' ?| ${Object.keys(values)}::text[]
        and (c.source <> 'plan' or c.ordered_by is not null)) as is_being_set`.execute(tx);
  const [found] = rows;
  return found?.is_set ? 'have set' : found?.is_being_set ? 'are setting' : 'nobody';
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
