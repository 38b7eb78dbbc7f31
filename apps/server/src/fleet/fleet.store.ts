import { markOf } from '@sonnenwarte/energy/accounting/quality';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { listedSiteIsVisible, type Scope } from '../access/scope.ts';
import { areAnyRecalculated, isAmongRecalculated } from '../accounting/recalculations.store.ts';
import {
  deviceStateAt,
  deviceTodayWhAt,
  siteMonthMoneyAt,
  siteMonthWhAt,
  sitePvMarksAt,
  siteStateAt,
  siteTodayMoneyAt,
  siteTodayWhAt,
} from '../current-state/current-state.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const sum = (value: RawBuilder<number | null>): RawBuilder<number | null> => sql<number | null>`sum(${value})`;
const sumMoney = (value: RawBuilder<string | null>): RawBuilder<string | null> => sql<string | null>`sum(${value})`;
const count = sql<number>`count(*)::int`;

const isPreliminary = sql<boolean>`(site_latest.history_percent is not null
  or ${isAmongRecalculated(sql`sites.id`, sql`sites.key`)})`;
const preliminary = sql<number>`count(*) filter (where ${isPreliminary})::int`;

/** What estimated sums contribute, by their place among the marks; those of which history is coming are told apart. */
const ofEstimated = (place: number, nowMs: number) =>
  sql`filter (where ${sitePvMarksAt(nowMs)} & ${markOf('estimated', place)}::int <> 0 and not site_latest.has_history)`;
const estimated = (value: RawBuilder<number | null>, place: number, nowMs: number): RawBuilder<number | null> =>
  sql<number | null>`${sum(value)} ${ofEstimated(place, nowMs)}`;
const estimatedMoney = (value: RawBuilder<string | null>, place: number, nowMs: number): RawBuilder<string | null> =>
  sql<string | null>`${sumMoney(value)} ${ofEstimated(place, nowMs)}`;

/** Plants of which something of their running local day is known. */
const ofToday = (nowMs: number) => sql`filter (where ${siteTodayWhAt(nowMs)} is not null)`;

/** Plants that are alike in all that decides which of their sums are of now: the clock of a zone is asked once, not for each plant. */
const alikeSums = async (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('site_latest')
    .where(await listedSiteIsVisible(db, scope))
    .select([
      siteStateAt(nowMs).as('state'),
      'site_latest.site_zone',
      'site_latest.site_country',
      'site_latest.local_day',
      'site_latest.pv_marks',
      sql<boolean>`site_latest.history_percent is not null`.as('has_history'),
      'site_latest.money_currency',
      count.as('count'),
      sql<number>`sum(site_latest.site_kwp)`.as('kwp'),
      sum(sql`site_latest.pv_w`).as('pv_w'),
      sum(sql`site_latest.today_wh`).as('today_wh'),
      sql<number>`count(site_latest.today_wh)::int`.as('today_count'),
      sum(sql`case when site_latest.today_wh is not null then site_latest.site_kwp end`).as('today_kwp'),
      sum(sql`site_latest.month_wh`).as('month_wh'),
      sum(sql`site_latest.total_wh`).as('total_wh'),
      sumMoney(sql`site_latest.today_money`).as('today_money'),
      sumMoney(sql`site_latest.month_money`).as('month_money'),
    ])
    .groupBy(sql`1, 2, 3, 4, 5, 6, 7`);

/** Plants in scope by state, country and currency, each with its sums. */
export const plantSums = async (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom((await alikeSums(db, scope, nowMs)).as('site_latest'))
    .select([
      'site_latest.state',
      'site_latest.site_country as country',
      'site_latest.money_currency as currency',
      sql<number>`sum(site_latest.count)::int`.as('count'),
      sql<number>`sum(site_latest.kwp)`.as('kwp'),
      sum(sql`case when site_latest.state <> 'offline' then site_latest.pv_w end`).as('pv_w'),
      sql<number>`coalesce(sum(site_latest.count) filter (where site_latest.has_history), 0)::int`.as('with_history'),
      sum(siteTodayWhAt(nowMs)).as('today_wh'),
      sql<number>`coalesce(sum(site_latest.today_count) ${ofToday(nowMs)}, 0)::int`.as('today_count'),
      sql<number | null>`sum(site_latest.today_kwp) ${ofToday(nowMs)}`.as('today_kwp'),
      sum(siteMonthWhAt(nowMs)).as('month_wh'),
      sum(sql`site_latest.total_wh`).as('total_wh'),
      sumMoney(siteTodayMoneyAt(nowMs)).as('today_money'),
      sumMoney(siteMonthMoneyAt(nowMs)).as('month_money'),
      estimatedMoney(siteTodayMoneyAt(nowMs), 0, nowMs).as('today_estimated_money'),
      estimatedMoney(siteMonthMoneyAt(nowMs), 1, nowMs).as('month_estimated_money'),
      estimated(siteTodayWhAt(nowMs), 0, nowMs).as('today_estimated_wh'),
      estimated(siteMonthWhAt(nowMs), 1, nowMs).as('month_estimated_wh'),
      estimated(sql`site_latest.total_wh`, 2, nowMs).as('total_estimated_wh'),
    ])
    .groupBy(['site_latest.state', 'site_latest.site_country', 'site_latest.money_currency'])
    .execute();

/** How many plants in scope of which no history is coming are being made anew. */
export async function countRecalculated(db: Db, scope: Scope): Promise<number> {
  const { plants } = await db
    .selectFrom('site_latest')
    .where(areAnyRecalculated)
    .where(await listedSiteIsVisible(db, scope))
    .where('site_latest.history_percent', 'is', null)
    .where(isAmongRecalculated(sql`site_latest.site_id`, sql`site_latest.site_key`))
    .select(count.as('plants'))
    .executeTakeFirstOrThrow();
  return plants;
}

/** Inverters in scope by state, each with its sums: all that an integrator has. */
export const inverterSums = (db: Db, scope: Scope, nowMs: number) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.kind', '=', 'inverter')
    .select([
      deviceStateAt(nowMs).as('state'),
      count.as('count'),
      sum(sql`case when ${deviceStateAt(nowMs)} <> 'offline' then device_latest.power_w end`).as('power_w'),
      sum(deviceTodayWhAt(nowMs)).as('today_wh'),
      sum(
        sql`case when device_latest.today_marks & ${markOf('estimated', 0)}::int <> 0 then ${deviceTodayWhAt(nowMs)} end`,
      ).as('today_estimated_wh'),
      preliminary.as('preliminary'),
      sum(sql`device_latest.total_wh`).as('total_wh'),
    ])
    .groupBy(sql`1`)
    .execute();
