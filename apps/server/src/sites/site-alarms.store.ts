import type { SiteAlarm, SiteChange } from '@sonnenwarte/contract/sites/site-alarms';
import { priceOfDay } from '@sonnenwarte/energy/accounting/day-prices';
import { marketPriceAt } from '@sonnenwarte/energy/accounting/market-price';
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { dataloggerIsOnlineAt } from '../current-state/current-state.ts';
import { marketBooks, marketTariffOf, zonesOf } from '../market-prices/market-prices.store.ts';
import type { Database } from '../stores/schema.ts';
import { visibleSites } from './sites.store.ts';

type Db = Kysely<Database>;

const alarms = (db: Db, scope: Scope) =>
  db
    .selectFrom('alarms')
    .innerJoin('sites', 'sites.id', 'alarms.site_id')
    .innerJoin('devices', 'devices.id', 'alarms.device_id')
    .where(visibleSites(scope));

/** What is told of a device that was removed is over with it. */
const stands = sql<SqlBool>`alarms.until is null and devices.deleted_at is null`;

type Span = { startMs: number; endMs: number };

const stoodWithin = ({ startMs, endMs }: Span) => sql<SqlBool>`alarms.since < ${new Date(endMs)}
  and coalesce(alarms.until, devices.deleted_at, 'infinity') >= ${new Date(startMs)}`;

/** Alarms of a plant that stand now or stood within a span, the worst and the newest first, and how many there are. */
export async function alarmsOfSite(
  db: Db,
  scope: Scope,
  siteId: string,
  { span, most }: { span: Span | undefined; most: number },
): Promise<{ alarms: SiteAlarm[]; total: number }> {
  const rows = await alarms(db, scope)
    .where('alarms.site_id', '=', siteId)
    .where(span === undefined ? stands : stoodWithin(span))
    .select([
      'alarms.code',
      'alarms.level',
      'alarms.since',
      'alarms.until',
      'devices.id as device_id',
      'devices.sn',
      'devices.kind',
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy('alarms.level', 'desc')
    .orderBy('alarms.since', 'desc')
    .orderBy('alarms.id')
    .limit(most)
    .execute();
  return { alarms: rows.map(toAlarm), total: rows[0]?.total ?? 0 };
}

interface AlarmRow {
  code: number;
  level: number;
  since: Date;
  until: Date | null;
  device_id: string;
  sn: string;
  kind: SiteAlarm['kind'];
}

const toAlarm = ({ code, level, since, until, device_id, sn, kind }: AlarmRow): SiteAlarm => ({
  code,
  level,
  sinceMs: since.getTime(),
  untilMs: until?.getTime() ?? null,
  deviceID: device_id,
  deviceSN: sn,
  kind,
});

/** Of each of some plants the worst alarm that stands and how many do, by the plant's id. */
export async function worstAlarms(
  db: Db,
  scope: Scope,
  siteIds: readonly string[],
): Promise<Map<string, { alarm: SiteAlarm; count: number }>> {
  if (siteIds.length === 0) return new Map();
  const rows = await alarms(db, scope)
    .where(sql<SqlBool>`alarms.site_id = any(${siteIds}::uuid[])`)
    .where(stands)
    .distinctOn('alarms.site_id')
    .select([
      'sites.id as site_id',
      'alarms.code',
      'alarms.level',
      'alarms.since',
      'alarms.until',
      'devices.id as device_id',
      'devices.sn',
      'devices.kind',
      sql<number>`count(*) over (partition by alarms.site_id)::int`.as('count'),
    ])
    .orderBy('alarms.site_id')
    .orderBy('alarms.level', 'desc')
    .orderBy('alarms.since', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.site_id, { alarm: toAlarm(row), count: row.count }]));
}

const visibleDataloggers = (scope: Scope): Expression<SqlBool> =>
  dataloggerIsVisible(scope)(expressionBuilder<Database, 'loggers'>());

export interface HeardDatalogger {
  sn: string;
  type: string;
  lastSeenMs: number | null;
  isOnline: boolean;
}

/** Of each of some plants the datalogger that was heard last, by the plant's id. */
export async function heardDataloggers(
  db: Db,
  scope: Scope,
  siteIds: readonly string[],
  nowMs: number,
): Promise<Map<string, HeardDatalogger>> {
  if (siteIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('loggers')
    .where(visibleDataloggers(scope))
    .where(sql<SqlBool>`loggers.site_id = any(${siteIds}::uuid[])`)
    .distinctOn('loggers.site_id')
    .select([
      'loggers.site_id',
      'loggers.sn',
      'loggers.type',
      'loggers.last_seen_at',
      dataloggerIsOnlineAt(nowMs).as('is_online'),
    ])
    .orderBy('loggers.site_id')
    .orderBy(sql`loggers.last_seen_at desc nulls last`)
    .orderBy('loggers.sn')
    .execute();
  return new Map(
    rows.map((row) => [
      row.site_id ?? '',
      {
        sn: row.sn,
        type: row.type,
        lastSeenMs: row.last_seen_at?.getTime() ?? null,
        isOnline: Boolean(row.is_online),
      },
    ]),
  );
}

/** Prices of a plant that became valid within a span, the oldest first. The site is one that the caller may see. */
export async function priceChangesWithin(
  db: Db,
  { id, timeZone }: { readonly id: string; readonly timeZone: string },
  { startMs, endMs }: Span,
): Promise<SiteChange[]> {
  const rows = await db
    .selectFrom('site_prices')
    .select(['valid_from', 'feed_in_price', 'purchase_price', 'feed_in_periods', 'purchase_periods', 'currency'])
    .select('purchase_market')
    .where('site_id', '=', id)
    .where('valid_from', '>=', new Date(startMs))
    .where('valid_from', '<', new Date(endMs))
    .orderBy('valid_from')
    .execute();
  const books = await marketBooks(db, zonesOf(rows));
  return rows.map((row): SiteChange => {
    const atMs = row.valid_from.getTime();
    const market = marketTariffOf(row.purchase_market, books);
    const ofDay = row.purchase_periods === null ? row.purchase_price : priceOfDay(row.purchase_periods, atMs, timeZone);
    return {
      atMs,
      what: 'prices',
      price: row.feed_in_periods === null ? row.feed_in_price : priceOfDay(row.feed_in_periods, atMs, timeZone),
      purchasePrice: market === null ? ofDay : marketPriceAt(market, atMs),
      currency: row.currency,
    };
  });
}
