import { type BatteryStatus, batteryStatusOfState, type State } from '@sonnenwarte/contract/status';
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

/**
 * Whether something was heard of not too long ago. Nearly all rows of a fleet are told by a comparison with a constant; only what
 * reports seldom has its own silence reckoned.
 */
const isFresh = (lastSeen: RawBuilder<unknown>, interval: RawBuilder<number>, nowMs: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${lastSeen} >= ${time(nowMs - SHORTEST_SILENCE_S * 1_000)} or (${FRESH_INTERVALS}::int * ${interval} > ${SHORTEST_SILENCE_S}::int
    and ${lastSeen} >= ${time(nowMs)} - ${FRESH_INTERVALS}::int * ${interval} * interval '1 second'))`;

/** State of a row of `site_latest`. */
export const siteStateAt = (nowMs: number): RawBuilder<State> => sql<State>`case
  when ${isFresh(sql`site_latest.ts`, sql`site_latest.interval_s`, nowMs)} then site_latest.state
  else 'offline' end`;

/** State of a row of `devices` joined to `loggers`. */
export const deviceStateAt = (nowMs: number): RawBuilder<State> => sql<State>`case
  when ${isFresh(sql`devices.last_seen_at`, sql`loggers.report_interval_s`, nowMs)} then devices.state
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
    and ${isFresh(sql`loggers.last_seen_at`, sql`loggers.report_interval_s`, nowMs)}, false)`;

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

/** State of a row of `device_listed`. */
export const listedStateAt = (nowMs: number): RawBuilder<State> => sql<State>`case
  when ${isFresh(sql`device_listed.last_seen_at`, sql`device_listed.interval_s`, nowMs)} then device_listed.state
  else 'offline' end`;

/** What such a row tells of now: who does not report tells nothing. */
export const listedNowAt = <T>(value: RawBuilder<T>, nowMs: number): RawBuilder<T | null> =>
  sql<T | null>`case when ${listedStateAt(nowMs)} <> 'offline' then ${value} end`;

/** What of such a row is of its local day, while that runs. */
export const listedTodayAt = (
  column: 'today_wh' | 'import_today_wh' | 'export_today_wh',
  nowMs: number,
): RawBuilder<number | null> => sql<number | null>`case
  when device_listed.today_ends_at > ${time(nowMs)} then device_listed.${sql.ref(column)} end`;

/**
 * What such a row generated yesterday, and in the running month and year: what was generated before a day, and since. Nothing
 * while its day has turned and what was before is not summed yet; yesterday alone is known of one that has been silent since.
 */
export const listedEnergyAt = (span: 'yesterday' | 'month' | 'year', nowMs: number): RawBuilder<number | null> => {
  if (span === 'yesterday') {
    return sql<number | null>`case when device_listed.day_ends_at > ${time(nowMs)} then device_listed.yesterday_wh
      when device_listed.day_ends_at > ${time(nowMs)} - interval '1 day' and device_listed.today_ends_at = device_listed.day_ends_at
      then device_listed.today_wh end`;
  }
  const before = sql.ref(`device_listed.${span}_wh`);
  return sql<number | null>`case
    when device_listed.${sql.ref(`${span}_ends_at`)} <= ${time(nowMs)} or device_listed.today_ends_at > device_listed.day_ends_at then null
    when device_listed.today_ends_at = device_listed.day_ends_at and device_listed.today_wh is not null
      then coalesce(${before}, 0) + device_listed.today_wh
    else ${before} end`;
};

/** What the battery of such a row does, by the rule of `batteryStatusOf`; nothing while it does not report. */
export const listedBatteryStatusAt = (nowMs: number): RawBuilder<BatteryStatus | null> => {
  const told = Object.entries(batteryStatusOfState).map(
    ([number, status]) => sql`when ${Number(number)}::float8 then ${status}`,
  );
  return listedNowAt(
    sql<BatteryStatus>`case device_listed.battery_state ${sql.join(told, sql` `)} else case
      when device_listed.power_w < 0 then 'charging' when device_listed.power_w > 0 then 'normal' else 'idle' end end`,
    nowMs,
  );
};
