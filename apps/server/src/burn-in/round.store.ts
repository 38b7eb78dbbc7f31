import { LEFT_FOR_PLANT, unitStatesBefore } from '@sonnenwarte/contract/burn-in/moves';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { Measured, UnitProgress } from '../stores/schema-burn-in.ts';
import type { Failure } from './judge.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

export const runningRuns = (db: Db) =>
  db
    .selectFrom('burn_in_runs')
    .selectAll()
    .where('state', '=', 'running')
    .orderBy('started_at')
    .orderBy('id')
    .execute();
export type RunningRun = Awaited<ReturnType<typeof runningRuns>>[number];

/**
 * Devices that have come meanwhile are those of their serial numbers; such as stand in a plant are somebody's. A unit that has been on several
 * racks is a device of each of them, of which one alone has the number: it is the one that was heard last, and stays so once it was heard in the run.
 */
export const bindDevices = (db: Db, runId: string) =>
  sql`update burn_in_units u set device_id = d.id, model = d.model, rated_power_w = d.rated_power_w,
      -- A device that has come in the place of another was told nothing.
      told_percent = case when u.device_id = d.id then u.told_percent end,
      load_command = case when u.device_id = d.id then u.load_command end
    from (
      select distinct on (named.position) named.position, there.id, there.model, there.rated_power_w
      from burn_in_units named
      join burn_in_runs r on r.id = named.run_id
      join lateral (
        select *, true as has_number from devices where upper(sn) = named.sn and deleted_at is null
        union all
        select *, false from devices where upper(told_sn) = named.sn and told_sn is not null and deleted_at is null
      ) there on there.kind = 'inverter' and there.site_id is null
      where named.run_id = ${runId} and named.state in ('waiting', 'running')
      order by named.position, coalesce(there.id = named.device_id and there.last_seen_at >= r.started_at, false) desc,
        there.last_seen_at desc nulls last, there.has_number desc, there.id
    ) d
    where u.run_id = ${runId} and u.position = d.position and u.state in ('waiting', 'running')
      and (u.device_id is distinct from d.id or (u.rated_power_w is null and d.rated_power_w is not null))`.execute(db);

/** Units whose device stands in somebody's plant meanwhile leave their run; answers their serial numbers. */
export async function leaveForPlants(tx: Tx, runId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ sn: string }>`
    update burn_in_units u set state = 'removed', ended_at = ${at}, remove_reason = ${LEFT_FOR_PLANT},
      measured = coalesce(progress -> 'worst', '{}')
    where u.run_id = ${runId} and u.state in ('waiting', 'running')
      and (exists (select from devices d where upper(d.sn) = u.sn and d.deleted_at is null and d.site_id is not null)
        or exists (select from devices d where d.id = u.device_id and d.deleted_at is null and d.site_id is not null))
    returning u.sn`.execute(tx);
  return rows.map(({ sn }) => sn).sort();
}

/** Units without a verdict, with the key under which their device records. */
export const openUnits = (db: Db, runId: string) =>
  db
    .selectFrom('burn_in_units')
    .leftJoin('devices', 'devices.id', 'burn_in_units.device_id')
    .leftJoin('loggers', 'loggers.id', 'devices.logger_id')
    .select([
      'burn_in_units.position',
      'burn_in_units.sn',
      'burn_in_units.state',
      'burn_in_units.device_id',
      'burn_in_units.rated_power_w',
      'burn_in_units.progress',
      'devices.key',
      'loggers.report_interval_s',
      sql<boolean>`coalesce(loggers.online, true)`.as('is_heard'),
      'loggers.born_at',
    ])
    .where('run_id', '=', runId)
    .where('burn_in_units.state', 'in', unitStatesBefore('abort'))
    .orderBy('position')
    .execute();
export type OpenUnit = Awaited<ReturnType<typeof openUnits>>[number];

interface AlarmTerms {
  readonly deviceIds: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
  readonly level: number;
  readonly allowed: readonly number[];
}

/** The first alarm of each device that stood within a span and is of a level or above. */
export async function failingAlarms(
  db: Db,
  { deviceIds, startMs, endMs, level, allowed }: AlarmTerms,
): Promise<Map<string, Failure>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await sql<{ device_id: string; code: number; since: Date }>`
    select distinct on (device_id) device_id, code, greatest(since, ${new Date(startMs)}) as since from alarms
    where device_id = any(${[...deviceIds]}::uuid[]) and source = 'device' and level >= ${level}
      and since < ${new Date(endMs)} and (until is null or until > ${new Date(startMs)}) and code <> all(${[...allowed]}::int[])
    order by device_id, greatest(since, ${new Date(startMs)}), level desc, code`.execute(db);
  return new Map(
    rows.map(({ device_id, code, since }) => [
      device_id,
      { reason: 'failLevel', value: code, atMs: since.getTime() } satisfies Failure,
    ]),
  );
}

/** What a round comes to of a unit. */
export interface Step {
  readonly position: number;
  /** Until when it had been read before; where another round was quicker, this one is void. */
  readonly formerMs: number;
  readonly progress: UnitProgress;
  readonly event: 'begin' | 'pass' | 'fail' | null;
  readonly failure: Failure | null;
  readonly endedMs: number | null;
  readonly measured: Measured;
}

/** Writes a round: units whose verdict was told meanwhile keep it. Answers how many states are others now. */
export async function writeSteps(tx: Tx, runId: string, steps: readonly Step[]): Promise<number> {
  if (steps.length === 0) return 0;
  const rows = steps.map(({ failure, endedMs, formerMs, ...step }) => ({
    ...step,
    former: formerMs,
    reason: failure?.reason ?? null,
    value: failure?.value ?? null,
    ended: endedMs === null ? null : new Date(endedMs).toISOString(),
  }));
  const result = await sql<{ moved: boolean }>`
    update burn_in_units u set
      progress = s.progress,
      state = case s.event when 'begin' then 'running' when 'pass' then 'passed' when 'fail' then 'failed' else u.state end,
      reason = s.reason, reason_value = s.value, ended_at = s.ended,
      measured = case when s.ended is null then u.measured else s.measured end
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as s (position int, former bigint, progress jsonb, event text, reason text, value float8, ended timestamptz, measured jsonb)
    where u.run_id = ${runId} and u.position = s.position and u.state in ('waiting', 'running')
      and coalesce((u.progress ->> 'readMs')::bigint, 0) = s.former
      and (s.event is distinct from 'begin' or u.state = 'waiting')
      and (s.event is distinct from 'pass' or u.state = 'running')
    returning s.event is not null as moved`.execute(tx);
  return result.rows.filter(({ moved }) => moved).length;
}
