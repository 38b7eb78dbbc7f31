import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import { MOST_FELLOWS, SAME_MOMENT_MS } from '@sonnenwarte/contract/fault-records/fault-record';
import type { faultRecordFields, list } from '@sonnenwarte/contract/fault-records/fault-records';
import { recordStates } from '@sonnenwarte/contract/fault-records/record-moves';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const visible = (db: Db, scope: Scope) =>
  joinedDevices(db).innerJoin('fault_records', 'fault_records.device_id', 'devices.id').where(visibleDevices(scope));

const shown = (db: Db, scope: Scope) =>
  visible(db, scope).select([
    'fault_records.id',
    'fault_records.device_id',
    'fault_records.record_index',
    'fault_records.occurred_at',
    'fault_records.code',
    'fault_records.size',
    'fault_records.on_device',
    'fault_records.state',
    'fault_records.failure',
    'fault_records.device_code',
    'fault_records.parts',
    'fault_records.part_count',
    'fault_records.trigger_name',
    'fault_records.trigger_value',
    'fault_records.trigger_limit',
    'fault_records.stored_at',
    'devices.sn',
    'devices.kind',
    'devices.model',
    'devices.site_id',
    'sites.name as site_name',
    'sites.time_zone',
  ]);

export type RecordFound = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>;

const sortKeys = {
  deviceSN: sql`devices.sn`,
  plantName: sql`lower(sites.name)`,
  occurredMs: sql`fault_records.occurred_at`,
  state: sql`array_position(${sql.lit(`{${recordStates.join(',')}}`)}::text[], fault_records.state)`,
} satisfies SortKeys<typeof faultRecordFields>;

/** Records of devices in scope. `codes`: those that the text names. */
export function recordsFound(db: Db, scope: Scope, input: Asked<typeof list>, codes: readonly number[]) {
  const { content, states, code, stationID, deviceID, fromMs, toMs } = input.condition;
  let query = shown(db, scope);
  if (states !== undefined && states.length > 0) query = query.where('fault_records.state', 'in', states);
  if (code !== undefined) query = query.where('fault_records.code', '=', code);
  if (stationID !== undefined) query = query.where('devices.site_id', '=', stationID);
  if (deviceID !== undefined) query = query.where('fault_records.device_id', '=', deviceID);
  if (fromMs !== undefined) query = query.where('fault_records.occurred_at', '>=', new Date(fromMs));
  if (toMs !== undefined) query = query.where('fault_records.occurred_at', '<', new Date(toMs));
  if (content !== '') {
    const pattern = containing(content);
    query = query.where(
      sql<SqlBool>`(devices.sn ilike ${pattern} or sites.name ilike ${pattern} or fault_records.code = any(${codes}::int[]))`,
    );
  }
  const { field, order } = input.sort;
  return pageOf(query, { key: sortKeys[field], apart: [sql`fault_records.id`], order }, input);
}

export const recordById = (db: Db, scope: Scope, id: string): Promise<RecordFound | undefined> =>
  shown(db, scope).where('fault_records.id', '=', id).executeTakeFirst();

/** Those of some records that are in scope. */
export const recordsById = (db: Db, scope: Scope, ids: readonly string[]): Promise<RecordFound[]> =>
  shown(db, scope).where(sql<SqlBool>`fault_records.id = any(${ids}::uuid[])`).execute();

export const contentOf = async (db: Db, id: string): Promise<Buffer | undefined> =>
  (await db.selectFrom('fault_records').select('content').where('id', '=', id).executeTakeFirst())?.content ??
  undefined;

/** Stored records that can be laid over one: those of neighbours at the same moment, then others of the same device, the nearest first. */
export async function fellowsOf(
  db: Db,
  scope: Scope,
  record: RecordFound,
): Promise<(RecordFound & { of: 'device' | 'neighbour' })[]> {
  const stored = shown(db, scope)
    .where('fault_records.state', '=', 'stored')
    .where('fault_records.id', '<>', record.id)
    .orderBy(sql`abs(extract(epoch from fault_records.occurred_at - ${record.occurred_at}::timestamptz))`)
    .orderBy('fault_records.id')
    .limit(MOST_FELLOWS / 2);
  const at = record.occurred_at.getTime();
  const [neighbours, own] = await Promise.all([
    stored
      .where('fault_records.device_id', '<>', record.device_id)
      .where('fault_records.occurred_at', '>=', new Date(at - SAME_MOMENT_MS))
      .where('fault_records.occurred_at', '<=', new Date(at + SAME_MOMENT_MS))
      .where((eb) =>
        eb.or([
          ...(record.site_id === null ? [] : [eb('devices.site_id', '=', record.site_id)]),
          eb.and([eb('devices.model', '=', record.model), eb('devices.model', '<>', '')]),
        ]),
      )
      .execute(),
    stored.where('fault_records.device_id', '=', record.device_id).execute(),
  ]);
  return [
    ...neighbours.map((row) => ({ ...row, of: 'neighbour' as const })),
    ...own.map((row) => ({ ...row, of: 'device' as const })),
  ];
}

/** A device that can be asked. */
export const deviceInScope = (db: Db, scope: Scope, id: string) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select(['devices.id as device_id', 'devices.logger_id', 'devices.sn', 'sites.time_zone'])
    .executeTakeFirst();

/** How many records of a device are on their way. */
export async function countUnderWay(tx: Db, deviceIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('fault_records')
    .where(sql<SqlBool>`device_id = any(${deviceIds}::uuid[])`)
    .where('state', 'in', ['asked', 'receiving'])
    .groupBy('device_id')
    .select(['device_id', sql<number>`count(*)::int`.as('count')])
    .execute();
  return new Map(rows.map(({ device_id, count }) => [device_id, count]));
}

const KEEPERS: readonly AttachedKind[] = ['inverter'];

/** Inverters to choose from. */
export const devicesToChoose = (
  db: Db,
  scope: Scope,
  { search, ids }: { readonly search: string; readonly ids?: readonly string[] | undefined },
) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`devices.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined, (query) => query.where('devices.kind', 'in', KEEPERS))
    .$if(ids === undefined && search !== '', (query) => {
      const pattern = containing(search);
      return query.where(sql<SqlBool>`(devices.sn ilike ${pattern} or sites.name ilike ${pattern})`);
    })
    .select(['devices.id', 'devices.sn as name', sql<string>`coalesce(sites.name, '')`.as('detail')])
    .orderBy('devices.sn')
    .orderBy('devices.id')
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();

/** Plants to choose from. */
export const plantsToChoose = (
  db: Db,
  scope: Scope,
  { search, ids }: { readonly search: string; readonly ids?: readonly string[] | undefined },
) =>
  db
    .selectFrom('sites')
    .where(siteIsVisible(scope))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`sites.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('sites.name', 'ilike', containing(search)))
    .select(['sites.id', 'sites.name', 'sites.city as detail'])
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id')
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();
