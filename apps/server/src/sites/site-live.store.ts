import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { isRecalculated } from '../accounting/recalculations.store.ts';
import { siteHeldDay, sitePvMarksAt, siteStateAt, siteTodayWhAt } from '../current-state/current-state.ts';
import { plantIsOnGridAt } from '../current-state/on-grid.ts';
import type { Database } from '../stores/schema.ts';
import type { TimedValue } from '../stores/schema-plants.ts';
import { visibleSites } from './sites.store.ts';

type Db = Kysely<Database>;

/** Newest value of a point of a row of `device_latest`. */
const value = (point: string): RawBuilder<TimedValue | null> =>
  sql<TimedValue | null>`device_latest.values -> ${point}::text`;

/** Powers and devices of the plants with these ids, as far as they are in scope. */
export async function sitesNow(db: Db, scope: Scope, ids: readonly string[], nowMs: number) {
  if (ids.length === 0) return [];
  const sites = await db
    .selectFrom('sites')
    .leftJoin('site_latest', 'site_latest.site_id', 'sites.id')
    .where(visibleSites(scope))
    .where(sql<boolean>`sites.id = any(${ids}::uuid[])`)
    .select([
      'sites.id',
      'sites.key',
      'sites.name',
      'sites.time_zone',
      'sites.system_size_kwp',
      'sites.country',
      'site_latest.ts',
      'site_latest.pv_w',
      'site_latest.external_w',
      'site_latest.battery_w',
      'site_latest.grid_w',
      'site_latest.load_w',
      'site_latest.charger_w',
      'site_latest.inverter_ac_w',
      'site_latest.soc_percent',
      'site_latest.battery_capacity_wh',
      'site_latest.derived',
      siteStateAt(nowMs).as('state'),
      plantIsOnGridAt(nowMs, sql`sites.id`).as('is_on_grid'),
      siteTodayWhAt(nowMs).as('today_wh'),
      sitePvMarksAt(nowMs).as('pv_marks'),
      'site_latest.history_percent',
      siteHeldDay.as('heldDay'),
      isRecalculated.$castTo<boolean>().as('is_recalculated'),
      sql<number>`coalesce(site_latest.interval_s, 60)`.as('interval_s'),
    ])
    .execute();
  if (sites.length === 0) return [];
  const devices = await db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .where('devices.deleted_at', 'is', null)
    .where(sql<boolean>`devices.site_id = any(${sites.map(({ id }) => id)}::uuid[])`)
    .select([
      'devices.id',
      'devices.site_id',
      'devices.sn',
      'devices.kind',
      'devices.role',
      'devices.state',
      'devices.last_seen_at',
      'devices.capacity_wh',
      'loggers.report_interval_s',
      'device_latest.power_w',
      value('State/WorkMode').as('work_mode'),
      value('Pile/Status').as('charger_status'),
      sql<boolean>`coalesce(device_latest.values ?| array['DC/Power', 'DC/Mppt1/Power', 'DC/Mppt1/Voltage'], false)`.as(
        'has_pv',
      ),
    ])
    .orderBy('devices.sn')
    .execute();
  const bySite = Map.groupBy(devices, ({ site_id }) => site_id ?? '');
  return sites.map((site) => ({ ...site, devices: bySite.get(site.id) ?? [] }));
}

export type SiteNow = Awaited<ReturnType<typeof sitesNow>>[number];
export type SiteNowDevice = SiteNow['devices'][number];
