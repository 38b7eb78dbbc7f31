import type { alarmList, unitList } from '@sonnenwarte/contract/burn-in/burn-in';
import type { alarmFields, unitFields } from '@sonnenwarte/contract/burn-in/rows';
import { type Kysely, sql } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const ofUnits = (db: Db) =>
  db.selectFrom('burn_in_units').innerJoin('burn_in_runs', 'burn_in_runs.id', 'burn_in_units.run_id');

const worst = (limit: string) => sql<number | null>`(burn_in_units.measured -> ${sql.lit(limit)} ->> 0)::float8`;

const units = (db: Db) =>
  ofUnits(db).select([
    'burn_in_units.run_id',
    'burn_in_runs.number',
    'burn_in_runs.rack',
    'burn_in_runs.batch',
    'burn_in_units.position',
    'burn_in_units.sn',
    sql<string>`coalesce(nullif(burn_in_units.model, ''), burn_in_runs.model)`.as('model'),
    'burn_in_units.state',
    'burn_in_units.reason',
    'burn_in_units.reason_value',
    'burn_in_units.remove_reason',
    'burn_in_units.attempt',
    'burn_in_units.started_at',
    'burn_in_units.ended_at',
    'burn_in_units.device_id',
    'burn_in_units.rated_power_w',
    'burn_in_units.measured',
    'burn_in_units.progress',
    'burn_in_units.told_percent',
    worst('minOutputPercent').as('output'),
    worst('minEfficiencyPercent').as('efficiency'),
    worst('maxTemperatureC').as('temperature'),
  ]);
export type StoredUnit = Awaited<ReturnType<ReturnType<typeof units>['execute']>>[number];

export interface OfRuns {
  readonly runID?: string | undefined;
  readonly batchID?: string | undefined;
}

const within = ({ runID, batchID }: OfRuns) =>
  sql<boolean>`(${runID ?? null}::uuid is null or burn_in_runs.id = ${runID ?? null}::uuid)
    and (${batchID ?? null}::uuid is null or burn_in_runs.batch_id = ${batchID ?? null}::uuid)`;

const unitKeys = {
  sn: sql`burn_in_units.sn`,
  rack: sql`lower(burn_in_runs.rack)`,
  batch: sql`lower(burn_in_runs.batch)`,
  position: sql`burn_in_units.position`,
  model: sql`lower(coalesce(nullif(burn_in_units.model, ''), burn_in_runs.model))`,
  state: sql`burn_in_units.state`,
  reason: sql`burn_in_units.reason`,
  attempt: sql`burn_in_units.attempt`,
  startedMs: sql`burn_in_units.started_at`,
  endedMs: sql`burn_in_units.ended_at`,
} satisfies SortKeys<typeof unitFields>;

export function unitsFound(db: Db, { condition, sort, ...span }: Asked<typeof unitList>) {
  const { content, states = [] } = condition;
  const part = containing(content);
  const query = units(db)
    .where(within(condition))
    .$if(content !== '', (some) =>
      some.where(
        sql<boolean>`(burn_in_units.sn ilike ${part} or burn_in_runs.rack ilike ${part} or burn_in_runs.batch ilike ${part})`,
      ),
    )
    .$if(states.length > 0, (some) => some.where('burn_in_units.state', 'in', states));
  const ordering = {
    key: unitKeys[sort.field],
    apart: [sql`burn_in_units.run_id`, sql`burn_in_units.position`],
    order: sort.order,
  };
  return pageOf(query, ordering, span as Asked<typeof unitList>);
}

export const unitOf = (db: Db, runId: string, sn: string) =>
  units(db).where('burn_in_units.run_id', '=', runId).where('burn_in_units.sn', '=', sn).executeTakeFirst();

export const unitsOf = (db: Db, runId: string) =>
  units(db).where('burn_in_units.run_id', '=', runId).orderBy('burn_in_units.position').execute();

/** Units with what their devices tell now. */
export const unitsNow = (db: Db, runId: string) =>
  db
    .selectFrom('burn_in_units')
    .leftJoin('device_latest', 'device_latest.device_id', 'burn_in_units.device_id')
    .select([
      'burn_in_units.position',
      'burn_in_units.sn',
      'burn_in_units.state',
      'burn_in_units.reason',
      'burn_in_units.ended_at',
      'burn_in_units.rated_power_w',
      'burn_in_units.told_percent',
      'device_latest.ts',
      sql<number | null>`(device_latest.values -> 'AC/ActivePower' ->> 0)::float8`.as('power'),
      sql<number | null>`(device_latest.values -> 'Temp/Heatsink' ->> 0)::float8`.as('temperature'),
      sql<number>`(select count(*)::int from alarms where alarms.device_id = burn_in_units.device_id
        and alarms.until is null and alarms.source = 'device')`.as('alarms'),
    ])
    .where('run_id', '=', runId)
    .orderBy('position')
    .execute();

/** Alarms that stood while their unit was in a run. */
const alarmsInRuns = (db: Db) =>
  ofUnits(db)
    .innerJoin('alarms', 'alarms.device_id', 'burn_in_units.device_id')
    .where('alarms.source', '=', 'device')
    .where(
      sql<boolean>`burn_in_units.started_at is not null and alarms.since < coalesce(burn_in_units.ended_at + interval '1 second', 'infinity')
        and coalesce(alarms.until, 'infinity') > burn_in_units.started_at`,
    )
    .select([
      'alarms.id',
      'alarms.code',
      'alarms.level',
      'alarms.since',
      'alarms.until',
      'burn_in_runs.id as run_id',
      'burn_in_runs.number',
      'burn_in_runs.rack',
      'burn_in_runs.batch',
      'burn_in_units.position',
      'burn_in_units.sn',
      sql<boolean>`coalesce(burn_in_units.reason = 'failLevel' and burn_in_units.reason_value = alarms.code, false)`.as(
        'failed',
      ),
    ]);
export type StoredAlarm = Awaited<ReturnType<ReturnType<typeof alarmsInRuns>['execute']>>[number];

const alarmKeys = {
  sn: sql`burn_in_units.sn`,
  rack: sql`lower(burn_in_runs.rack)`,
  batch: sql`lower(burn_in_runs.batch)`,
  sinceMs: sql`alarms.since`,
  untilMs: sql`alarms.until`,
} satisfies SortKeys<typeof alarmFields>;

export function alarmsFound(db: Db, { condition, sort, ...span }: Asked<typeof alarmList>) {
  const { content, levels = [] } = condition;
  const part = containing(content);
  const query = alarmsInRuns(db)
    .where(within(condition))
    .$if(content !== '', (some) =>
      some.where(
        sql<boolean>`(burn_in_units.sn ilike ${part} or burn_in_runs.rack ilike ${part} or burn_in_runs.batch ilike ${part}
          or alarms.code::text = ${content})`,
      ),
    )
    .$if(levels.length > 0, (some) => some.where('alarms.level', 'in', levels));
  const ordering = {
    key: alarmKeys[sort.field],
    apart: [sql`alarms.id`, sql`burn_in_runs.id`],
    order: sort.order,
  };
  return pageOf(query, ordering, span as Asked<typeof alarmList>);
}

const MOST_ALARMS = 200;

export const alarmsOfUnit = (db: Db, runId: string, position: number) =>
  alarmsInRuns(db)
    .where('burn_in_units.run_id', '=', runId)
    .where('burn_in_units.position', '=', position)
    .orderBy('alarms.since')
    .orderBy('alarms.id')
    .limit(MOST_ALARMS)
    .execute();

export const keyOf = async (db: Db, deviceId: string | null): Promise<number | null> =>
  deviceId === null
    ? null
    : ((await db.selectFrom('devices').select('key').where('id', '=', deviceId).executeTakeFirst())?.key ?? null);

/** Units are serial numbers with a verdict, by their last one; first-pass yield goes by their first. */
export async function countsOf(db: Db, asked: OfRuns) {
  const judged = ofUnits(db).where(within(asked)).where('burn_in_units.state', 'in', ['passed', 'failed']);
  const last = judged
    .distinctOn('burn_in_units.sn')
    .select(['burn_in_units.sn', 'burn_in_units.state'])
    .orderBy('burn_in_units.sn')
    .orderBy('burn_in_units.attempt', (order) => order.desc().nullsLast())
    .orderBy('burn_in_units.ended_at', 'desc');
  const [units, firsts, runs] = await Promise.all([
    db
      .selectFrom(last.as('last'))
      .select([
        sql<number>`count(*)::int`.as('units'),
        sql<number>`count(*) filter (where state = 'passed')::int`.as('passed'),
        sql<number>`count(*) filter (where state = 'failed')::int`.as('failed'),
      ])
      .executeTakeFirstOrThrow(),
    judged
      .where('attempt', '=', 1)
      .select([
        sql<number>`count(*)::int`.as('first'),
        sql<number>`count(*) filter (where burn_in_units.state = 'passed')::int`.as('firstPassed'),
      ])
      .executeTakeFirstOrThrow(),
    ofUnits(db)
      .where(within(asked))
      .select(sql<number>`count(distinct burn_in_runs.id)::int`.as('runs'))
      .executeTakeFirstOrThrow(),
  ]);
  return { ...units, ...firsts, ...runs };
}

export const reasonsOf = (db: Db, asked: OfRuns) =>
  ofUnits(db)
    .where(within(asked))
    .where('burn_in_units.state', '=', 'failed')
    .select(['burn_in_units.reason', sql<number>`count(*)::int`.as('count')])
    .groupBy('burn_in_units.reason')
    .orderBy('count', 'desc')
    .orderBy('reason')
    .execute();

/** How many judged units have a worst value within each bin of a width. */
export const distributionOf = (
  db: Db,
  asked: OfRuns,
  limit: 'maxTemperatureC' | 'minEfficiencyPercent',
  width: number,
) =>
  ofUnits(db)
    .where(within(asked))
    .where('burn_in_units.state', 'in', ['passed', 'failed'])
    .where(sql<boolean>`burn_in_units.measured ? ${sql.lit(limit)}`)
    .select([
      sql<number>`(floor(${worst(limit)} / ${width}) * ${width})::float8`.as('from'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy('from')
    .orderBy('from')
    .execute();
