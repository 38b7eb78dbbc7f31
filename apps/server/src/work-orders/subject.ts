import type { Result } from '@sonnenwarte/contract/endpoint';
import { type OrderCategory, URGENT_FROM_LEVEL } from '@sonnenwarte/contract/work-orders/due-times';
import type { OrderProduct } from '@sonnenwarte/contract/work-orders/work-order';
import type { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { deviceIsVisible, type Scope, siteIsVisible } from '../access/scope.ts';
import { CallError, found } from '../http/call-error.ts';
import { incidentsById } from '../incidents/incidents.store.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export interface Named {
  readonly stationID?: string | undefined;
  readonly deviceID?: string | undefined;
  readonly incidentID?: string | undefined;
}

/** What an order is about, as far as that is known. */
export interface Subject {
  readonly site:
    | { readonly id: string; readonly name: string; readonly organisationId: string; readonly timeZone: string }
    | undefined;
  readonly device:
    | { readonly id: string; readonly sn: string; readonly kind: NonNullable<Told['deviceKind']> }
    | undefined;
  readonly incident: { readonly id: string; readonly code: number; readonly level: number } | undefined;
}

type Told = Result<(typeof workOrderEndpoints)['subject']>;

const siteById = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.organisation_id as organisationId', 'sites.time_zone as timeZone'])
    .where(siteIsVisible(scope)(expressionBuilder<Database, 'sites'>()))
    .where('sites.id', '=', id)
    .executeTakeFirst();

const deviceById = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('devices')
    .select(['devices.id', 'devices.sn', 'devices.kind', 'devices.site_id as siteId'])
    .where(deviceIsVisible(scope)(expressionBuilder<Database, 'devices'>()))
    .where('devices.id', '=', id)
    .executeTakeFirst();

/** Finds what is named, in scope; the device and the plant of an alarm, and the plant of a device, go along. What does not belong together is refused. */
export async function subjectOf(db: Db, scope: Scope, { stationID, deviceID, incidentID }: Named): Promise<Subject> {
  const incident =
    incidentID === undefined ? undefined : found((await incidentsById(db, scope, [incidentID]))[0], 'incidentNotFound');
  const ofDevice = deviceID ?? incident?.device_id ?? undefined;
  const device = ofDevice === undefined ? undefined : found(await deviceById(db, scope, ofDevice), 'deviceNotFound');
  const ofSite = device?.siteId ?? incident?.site_id ?? stationID;
  const site = ofSite === undefined ? undefined : found(await siteById(db, scope, ofSite), 'siteNotFound');
  const isOther = (path: string, named: string | undefined, of: string | null | undefined) => {
    if (named !== undefined && of !== null && of !== undefined && named !== of)
      throw new CallError('refusedInput', { fields: [{ path, reason: 'invalid', params: {} }] });
  };
  if (stationID !== undefined && stationID !== site?.id) found(await siteById(db, scope, stationID), 'siteNotFound');
  isOther('stationID', stationID, site?.id);
  isOther('deviceID', deviceID, incident?.device_id);
  return {
    site,
    device: device && { id: device.id, sn: device.sn, kind: device.kind },
    incident: incident && { id: incident.id, code: incident.code, level: incident.level },
  };
}

export const isUrgent = ({ incident }: Subject): boolean => (incident?.level ?? 0) >= URGENT_FROM_LEVEL;

const FIRST_OF_MONITORING = 5_000;
const FIRST_OF_UPGRADES = 6_000;
const FIRST_OF_PORTAL = 7_000;
const WEAK_STRING = 2_006;

/** What an alarm is mostly asked as, by its code. */
export function categoryOf({ incident }: Subject): OrderCategory | null {
  if (incident === undefined) return null;
  const { code } = incident;
  if (code === WEAK_STRING || code === FIRST_OF_PORTAL + 1) return 'yield';
  if (code === FIRST_OF_PORTAL + 3) return 'settings';
  if (code >= FIRST_OF_PORTAL) return 'monitoring';
  if (code >= FIRST_OF_UPGRADES) return 'firmware';
  return code >= FIRST_OF_MONITORING ? 'monitoring' : 'fault';
}

export function productOf({ device, site, incident }: Subject): OrderProduct | null {
  if (device !== undefined) return device.kind;
  if (incident !== undefined && incident.code >= FIRST_OF_MONITORING && incident.code < FIRST_OF_UPGRADES)
    return 'datalogger';
  return site === undefined ? null : 'plant';
}

interface Sought {
  readonly search: string;
  readonly ids?: readonly string[] | undefined;
}

export const sitesToChoose = (db: Db, scope: Scope, { search, ids }: Sought, most: number) =>
  db
    .selectFrom('sites')
    .select(['sites.id', 'sites.name', 'sites.city'])
    .where(siteIsVisible(scope)(expressionBuilder<Database, 'sites'>()))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`sites.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('sites.name', 'ilike', containing(search)))
    .orderBy('sites.name')
    .limit(most)
    .execute();

export const devicesToChoose = (db: Db, scope: Scope, siteId: string, { search, ids }: Sought, most: number) =>
  db
    .selectFrom('devices')
    .select(['devices.id', 'devices.sn', 'devices.model', 'devices.kind'])
    .where(deviceIsVisible(scope)(expressionBuilder<Database, 'devices'>()))
    .where('devices.site_id', '=', siteId)
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`devices.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('devices.sn', 'ilike', containing(search)))
    .orderBy('devices.kind')
    .orderBy('devices.sn')
    .limit(most)
    .execute();

export const isSiteInScope = async (db: Db, scope: Scope, id: string): Promise<boolean> =>
  (await siteById(db, scope, id)) !== undefined;
