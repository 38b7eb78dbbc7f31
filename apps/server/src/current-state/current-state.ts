import type { State } from '@sonnenwarte/contract/status';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Values that are older than this many upload intervals are not summed as those of now. */
const FRESH_INTERVALS = 3;
const SHORTEST_SILENCE_S = 300;

/** Silence after which a device or plant counts as offline, whatever ingestion last stored. */
export const silentAfterMs = (intervalS: number): number =>
  Math.max(FRESH_INTERVALS * intervalS, SHORTEST_SILENCE_S) * 1_000;

/** The stored state, or `offline` after too long a silence. */
export function stateNow(stored: State, lastSeen: Date | null, intervalS: number, nowMs: number): State {
  return lastSeen === null || nowMs - lastSeen.getTime() > silentAfterMs(intervalS) ? 'offline' : stored;
}

const time = (ms: number): RawBuilder<Date> => sql<Date>`${new Date(ms)}::timestamptz`;

const silence = (interval: RawBuilder<number>): RawBuilder<string> =>
  sql<string>`greatest(${FRESH_INTERVALS}::int * ${interval}, ${SHORTEST_SILENCE_S}::int) * interval '1 second'`;

/** State of a row of `site_latest`. */
export const siteStateAt = (nowMs: number): RawBuilder<State> => sql<State>`case
  when site_latest.ts >= ${time(nowMs)} - ${silence(sql`site_latest.interval_s`)} then site_latest.state
  else 'offline' end`;

/** State of a row of `devices` joined to `loggers`. */
export const deviceStateAt = (nowMs: number): RawBuilder<State> => sql<State>`case
  when devices.last_seen_at >= ${time(nowMs)} - ${silence(sql`loggers.report_interval_s`)} then devices.state
  else 'offline' end`;

/** A value of now of such a row of `sites`: who does not report has none. */
export const siteNowAt = (column: 'pv_w' | 'soc_percent', nowMs: number): RawBuilder<number | null> => sql<
  number | null
>`case
  when ${siteStateAt(nowMs)} <> 'offline' then site_latest.${sql.ref(column)} end`;

/** The same of a row of `devices` joined to `loggers` and left joined to `device_latest`. */
export const deviceNowAt = (column: 'power_w' | 'soc_percent', nowMs: number): RawBuilder<number | null> => sql<
  number | null
>`case
  when ${deviceStateAt(nowMs)} <> 'offline' then device_latest.${sql.ref(column)} end`;

/** Whether a row of `loggers` is connected. */
export const dataloggerIsOnlineAt = (nowMs: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(loggers.online
    and loggers.last_seen_at >= ${time(nowMs)} - ${silence(sql`loggers.report_interval_s`)}, false)`;

/** The local day up to which the sums of such a row hold while a history of it is coming; null where none comes. */
export const siteHeldDay: RawBuilder<string | null> = sql<string | null>`case
  when site_latest.history_percent is not null then site_latest.local_day::text end`;

/** Generation of the running local day of such a row, null where none came yet. */
export const siteTodayWhAt = (nowMs: number): RawBuilder<number | null> => sql<number | null>`case
  when site_latest.local_day = (${time(nowMs)} at time zone site_latest.site_zone)::date then site_latest.today_wh end`;

/** The same of the running local month. */
export const siteMonthWhAt = (nowMs: number): RawBuilder<number | null> => sql<number | null>`case
  when date_trunc('month', site_latest.local_day::timestamp)
    = date_trunc('month', ${time(nowMs)} at time zone site_latest.site_zone) then site_latest.month_wh end`;

/** Money of the running local day of such a row, in `site_latest.money_currency`. */
export const siteTodayMoneyAt = (nowMs: number): RawBuilder<string | null> => sql<string | null>`case
  when site_latest.local_day = (${time(nowMs)} at time zone site_latest.site_zone)::date then site_latest.today_money end`;

/** The same of the running local month. */
export const siteMonthMoneyAt = (nowMs: number): RawBuilder<string | null> => sql<string | null>`case
  when date_trunc('month', site_latest.local_day::timestamp)
    = date_trunc('month', ${time(nowMs)} at time zone site_latest.site_zone) then site_latest.month_money end`;

/** Marks of the three sums of generation of such a row: nought where the sum of the day or month is of another one. */
export const sitePvMarksAt = (nowMs: number): RawBuilder<number> => sql<number>`(coalesce(site_latest.pv_marks, 0)
  & case when ${siteTodayWhAt(nowMs)} is null then 60 else 63 end & case when ${siteMonthWhAt(nowMs)} is null then 51 else 63 end)`;

/** Energy of the running local day of a row of `devices` left joined to `device_latest`, `sites` and `site_latest`. */
export const deviceTodayWhAt = (nowMs: number): RawBuilder<number | null> => sql<number | null>`case
  when site_latest.history_percent is not null
    and site_latest.local_day < (${time(nowMs)} at time zone sites.time_zone)::date then null
  when (device_latest.ts at time zone coalesce(sites.time_zone, 'UTC'))::date
    = (${time(nowMs)} at time zone coalesce(sites.time_zone, 'UTC'))::date then device_latest.today_wh end`;

/** Order of states by what needs attention first. */
export const stateRank = (state: RawBuilder<State>): RawBuilder<number> =>
  sql<number>`case ${state} when 'fault' then 1 when 'alarm' then 2 when 'offline' then 3 else 4 end`;
