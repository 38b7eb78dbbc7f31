import type { PilePhases, sessionFields, sessions } from '@sonnenwarte/contract/chargers/chargers';
import { type Kysely, type SqlBool, sql, type Transaction, type Updateable } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import type { TimedValue } from '../stores/schema-plants.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** Whether a plant in scope, or the right of who has it shared, lets its piles be controlled. */
const setsWorkMode = (scope: Scope) =>
  scope.kind !== 'owner'
    ? sql<boolean>`false`
    : sql<boolean>`exists (select from site_shares where site_shares.site_id = sites.id and site_shares.ended_at is null
        and site_shares.account_id = ${scope.accountId} and site_shares.sets_work_mode)`;

const sites = (db: Db, scope: Scope) =>
  db
    .selectFrom('sites')
    .where(siteIsVisible(scope))
    .select([
      'sites.id',
      'sites.name',
      'sites.organisation_id as organisationId',
      'sites.owner_account_id',
      'sites.time_zone as timeZone',
      setsWorkMode(scope).as('setsWorkMode'),
    ]);
export type ChargerSite = Awaited<ReturnType<ReturnType<typeof sites>['executeTakeFirstOrThrow']>>;

export const siteInScope = (db: Db, scope: Scope, id: string): Promise<ChargerSite | undefined> =>
  sites(db, scope).where('sites.id', '=', id).executeTakeFirst();

/** The same, held: piles are added to it one after the other. */
export const holdSite = (tx: Tx, scope: Scope, id: string): Promise<ChargerSite | undefined> =>
  sites(tx, scope).where('sites.id', '=', id).forUpdate('sites').executeTakeFirst();

const value = (point: string) => sql<TimedValue | null>`device_latest.values -> ${point}::text`;

const piles = (db: Db, scope: Scope) =>
  db
    .selectFrom('charge_points')
    .innerJoin('devices', 'devices.id', 'charge_points.device_id')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .leftJoin('device_latest', 'device_latest.device_id', 'devices.id')
    .where('devices.deleted_at', 'is', null)
    .where(siteIsVisible(scope))
    .selectAll('charge_points')
    .select([
      'devices.sn',
      'devices.site_id as siteId',
      'devices.logger_id as dataloggerId',
      'devices.rated_power_w',
      'loggers.online',
      'device_latest.ts as readAt',
      value('Pile/Status').as('status'),
      value('Pile/Power').as('power'),
    ]);
export type PileRow = Awaited<ReturnType<ReturnType<typeof piles>['executeTakeFirstOrThrow']>>;

export const pilesOfSite = (db: Db, scope: Scope, siteId: string): Promise<PileRow[]> =>
  piles(db, scope).where('devices.site_id', '=', siteId).orderBy('charge_points.created_at').execute();

export const pileInScope = (db: Db, scope: Scope, deviceId: string): Promise<PileRow | undefined> =>
  piles(db, scope).where('devices.id', '=', deviceId).executeTakeFirst();

export interface NewPile {
  readonly sn: string;
  readonly dataloggerSn: string;
  readonly secretHash: Buffer;
  /** Of a password that nobody knows: it does not come by MQTT. */
  readonly unusableHash: Buffer;
  readonly name: string;
  readonly ratedPowerW: number;
  readonly phases: PilePhases;
  readonly mostCurrentA: number;
}

/** Whether a serial number is one of a device or a pile already, whose ever. */
export const isSnTaken = async (tx: Tx, sn: string): Promise<boolean> => {
  const { rows } = await sql`select from devices where sn = ${sn}
    union all select from charge_points where identity = ${sn} limit 1`.execute(tx);
  return rows.length > 0;
};

/** Adds a pile as a device of a plant, behind a datalogger that is its connection. */
export async function insertPile(tx: Tx, site: ChargerSite, pile: NewPile): Promise<string> {
  const { id: dataloggerId } = await tx
    .insertInto('loggers')
    .values({
      sn: pile.dataloggerSn,
      site_id: site.id,
      organisation_id: site.organisationId,
      token_hash: pile.unusableHash,
      type: 'OCPP',
      rssi_dbm: null,
      born_at: null,
      last_seen_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: deviceId } = await tx
    .insertInto('devices')
    .values({
      sn: pile.sn,
      logger_id: dataloggerId,
      site_id: site.id,
      kind: 'pile',
      rated_power_w: pile.ratedPowerW,
      capacity_wh: null,
      last_seen_at: null,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('charge_points')
    .values({
      device_id: deviceId,
      identity: pile.sn,
      secret_hash: pile.secretHash,
      name: pile.name,
      phases: pile.phases,
      most_current_a: pile.mostCurrentA,
    })
    .execute();
  return deviceId;
}

export type PileChanges = Updateable<Database['charge_points']>;

export const changePile = (tx: Db, deviceId: string, changes: PileChanges) =>
  tx.updateTable('charge_points').set(changes).where('device_id', '=', deviceId).execute();

export const setRating = (tx: Tx, deviceId: string, ratedPowerW: number) =>
  tx.updateTable('devices').set({ rated_power_w: ratedPowerW }).where('id', '=', deviceId).execute();

/** Takes away a pile of which nothing is stored. */
export async function deletePile(tx: Tx, { device_id, dataloggerId }: PileRow): Promise<void> {
  await tx.deleteFrom('devices').where('id', '=', device_id).execute();
  await sql`delete from loggers where id = ${dataloggerId}
    and not exists (select from devices where devices.logger_id = loggers.id)`.execute(tx);
}

const sortKeys = {
  beganMs: sql`charging_sessions.began_at`,
  endedMs: sql`charging_sessions.ended_at`,
  pile: sql`lower(charge_points.name)`,
  energyWh: sql`charging_sessions.energy_wh`,
} satisfies SortKeys<typeof sessionFields>;

export type SessionRow = Awaited<ReturnType<typeof sessionsInScope>>['rows'][number];

/** Sessions of piles in scope. */
export function sessionsInScope(db: Db, scope: Scope, input: Asked<typeof sessions>) {
  const { sort, condition } = input;
  let query = db
    .selectFrom('charging_sessions')
    .innerJoin('devices', 'devices.id', 'charging_sessions.device_id')
    .innerJoin('charge_points', 'charge_points.device_id', 'devices.id')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .where(siteIsVisible(scope))
    .where('devices.deleted_at', 'is', null)
    // What was told of a transaction that is not known otherwise has begun nowhere.
    .where(sql<SqlBool>`(charging_sessions.energy_wh is distinct from 0 or charging_sessions.ended_at is null)`)
    .select([
      'charging_sessions.id',
      'devices.sn',
      'charge_points.name',
      'charging_sessions.began_at',
      'charging_sessions.ended_at',
      'charging_sessions.heard_at',
      'charging_sessions.energy_wh',
      'sites.id as siteId',
      'sites.key as siteKey',
      'sites.time_zone as timeZone',
    ]);
  if (condition.stationID !== undefined) query = query.where('devices.site_id', '=', condition.stationID);
  if (condition.content !== '') query = query.where('charge_points.name', 'ilike', containing(condition.content));
  return pageOf(
    query,
    {
      key: sortKeys[sort.field],
      apart: [sql`charging_sessions.id`],
      order: sort.order,
      isKnown: sort.field !== 'endedMs',
    },
    input,
  );
}
