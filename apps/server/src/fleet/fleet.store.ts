import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { joinedDevices, visibleDevices } from '../inverters/device-rows.store.ts';
import {
  deviceStateAt,
  deviceTodayWhAt,
  siteMonthWhAt,
  sitePowersAreFreshAt,
  siteStateAt,
  siteTodayWhAt,
} from '../live/current-state.ts';
import { visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const sum = (value: RawBuilder<number | null>): RawBuilder<number | null> => sql<number | null>`sum(${value})`;
const count = sql<number>`count(*)::int`;

/** Plants in scope by state, each with its sums. */
export const plantSums = (db: Db, scope: Scope, nowMs: number) =>
  db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .where(visibleSites(scope))
    .select([
      siteStateAt(nowMs).as('state'),
      count.as('count'),
      sql<number>`sum(sites.system_size_kwp)`.as('kwp'),
      sum(sql`case when ${sitePowersAreFreshAt(nowMs)} then site_latest.pv_w end`).as('pv_w'),
      sql<number>`count(*) filter (where ${sitePowersAreFreshAt(nowMs)})::int`.as('reporting'),
      sum(siteTodayWhAt(nowMs)).as('today_wh'),
      sum(siteMonthWhAt(nowMs)).as('month_wh'),
      sum(sql`site_latest.total_wh`).as('total_wh'),
    ])
    .groupBy(sql`1`)
    .execute();

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
      sum(sql`device_latest.total_wh`).as('total_wh'),
    ])
    .groupBy(sql`1`)
    .execute();
