import { type RawBuilder, sql } from 'kysely';

/** Below it there is no grid at the terminals, whatever a measurement drifts to, V. */
const DEAD_V = 50;

const numberOf = (point: string): RawBuilder<number | null> =>
  sql<number | null>`newest_number(told.values, ${point}::text)`;

/**
 * Whether a plant is on the grid, by its inverters that report; nothing where none can tell. A relay that is open says nothing by itself: each opens
 * for the night. What feeds a backup output is an island; else the voltage at the terminals tells.
 */
export const plantIsOnGridAt = (nowMs: number, siteId: RawBuilder<unknown>): RawBuilder<boolean | null> => {
  const volts = numberOf('AC/L1/Voltage');
  return sql<boolean | null>`(select case when bool_or(${numberOf('State/GridRelay')} <> 0) then true
      when bool_or(${numberOf('Eps/Voltage')} > ${DEAD_V}::float8) then false
      else bool_or(${volts} > ${DEAD_V}::float8) end
    from device_listed as beside join device_latest as told on told.device_id = beside.device_id
    where beside.site_id = ${siteId} and beside.kind = 'inverter' and not beside.deleted
      and beside.last_seen_at >= ${new Date(nowMs)}::timestamptz - greatest(3 * beside.interval_s, 300) * interval '1 second')`;
};
