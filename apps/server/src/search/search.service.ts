import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { unitList } from '@sonnenwarte/contract/factory/units';
import type { Level } from '@sonnenwarte/contract/levels';
import type {
  FoundDevice,
  FoundOrder,
  FoundPerson,
  FoundPlant,
  FoundUnit,
  searchEndpoints,
} from '@sonnenwarte/contract/search/search';
import { list as accountList } from '@sonnenwarte/contract/user-management/user-management';
import type { Kysely } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import type { Scope } from '../access/scope.ts';
import { deviceRows } from '../device-rows/device-rows.store.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inOrderOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { ordersNamed } from '../work-orders/orders.store.ts';
import { best, type Candidate } from './ranking.ts';
import {
  dataloggerRows,
  fewPlantsOf,
  type NumberedThing,
  numbered,
  peopleNamed,
  personRows,
  plantRows,
  plantsNamed,
  thingsOfSite,
  unheardNumbered,
  unitRows,
} from './search.store.ts';

type Db = Kysely<Database>;
type Input = Parsed<typeof searchEndpoints.find>;
type Found = Result<typeof searchEndpoints.find>;

/** Of each kind, where all are asked for and where one is. */
const MOST_OF_EACH = 4;
const MOST_OF_ONE = 20;

const none = { rows: [], more: false };

async function plantsFrom(
  db: Db,
  scope: Scope,
  plants: readonly Candidate[],
  nowMs: number,
): Promise<Found['plants']['rows']> {
  if (plants.length === 0) return [];
  const ids = plants.map(({ id }) => id);
  return inOrderOf(ids, await plantRows(db, scope, ids, nowMs)).map(
    (row): FoundPlant => ({
      stationID: row.id,
      name: row.name,
      city: row.city,
      country: row.country,
      systemCapacity: row.system_size_kwp,
      state: row.state,
      pvPowerW: row.state === 'offline' ? null : row.pv_w,
      alarm: row.alarm,
    }),
  );
}

async function devicesFrom(
  db: Db,
  scope: Scope,
  things: readonly NumberedThing[],
  nowMs: number,
): Promise<FoundDevice[]> {
  if (things.length === 0) return [];
  const idsOf = (isDatalogger: boolean) =>
    things.filter((thing) => thing.is_logger === isDatalogger).map(({ id }) => id);
  const [devices, dataloggers] = await Promise.all([
    deviceRows(db, scope, idsOf(false), nowMs),
    idsOf(true).length === 0 ? [] : dataloggerRows(db, scope, idsOf(true), nowMs),
  ]);
  const found = [
    ...devices.map((row) => ({
      id: row.id,
      device: {
        deviceID: row.id,
        sn: row.sn,
        kind: row.kind,
        model: row.model,
        stationID: row.site_id,
        plantName: row.site_name ?? '',
        state: row.state,
        powerW: row.state === 'offline' ? null : row.power_w,
        updatedAtMs: row.ts?.getTime() ?? null,
        alarm: row.alarm && { code: row.alarm.code, sinceMs: row.alarm.sinceMs },
      } satisfies FoundDevice,
    })),
    ...dataloggers.map((row) => ({
      id: row.id,
      device: {
        deviceID: null,
        sn: row.sn,
        kind: 'datalogger' as const,
        model: row.model || row.type,
        stationID: row.site_id,
        plantName: row.site_name ?? '',
        state: row.is_online ? ('normal' as const) : ('offline' as const),
        powerW: null,
        updatedAtMs: row.last_seen_at?.getTime() ?? null,
        alarm: null,
      } satisfies FoundDevice,
    })),
  ];
  return inOrderOf(
    things.map(({ id }) => id),
    found,
  ).map(({ device }) => device);
}

async function people(db: Db, scope: Scope, text: string, most: number): Promise<Found['people']> {
  const chosen = best(await peopleNamed(db, scope, text, most + 1), text, most);
  const ids = chosen.best.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : inOrderOf(ids, await personRows(db, scope, ids));
  return {
    rows: rows.map(
      (row): FoundPerson => ({
        id: row.id,
        user: row.username,
        name: row.name,
        level: row.level as Level,
        organisation: row.organisation,
        state: row.disabled_at === null ? 'enabled' : 'disabled',
      }),
    ),
    more: chosen.more,
  };
}

async function orders(db: Db, scope: Scope, text: string, most: number): Promise<Found['orders']> {
  const rows = await ordersNamed(db, scope, text, most + 1);
  return {
    rows: rows.slice(0, most).map(
      ({ id, number, title, plant }): FoundOrder => ({
        orderID: id,
        number,
        title,
        plantName: plant ?? '',
      }),
    ),
    more: rows.length > most,
  };
}

/** Delivered units that were never heard of are found by who keeps them and may tell so. */
const seesUnheard = (actor: Actor): boolean =>
  unitList.callers.some((level) => level === actor.level) && actor.codes.has('device:viewUncreated');

async function units(db: Db, text: string, most: number, nowMs: number): Promise<Found['units']> {
  const chosen = best(await unheardNumbered(db, text, most + 1), text, most);
  const ids = chosen.best.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : inOrderOf(ids, await unitRows(db, ids));
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return {
    rows: rows.map(
      ({ id, kind, model, batch, delivered_on: deliveredOn }): FoundUnit => ({
        sn: id,
        kind,
        model,
        batch,
        seen: deliveredOn !== null && deliveredOn > today ? 'undelivered' : 'never',
      }),
    ),
    more: chosen.more,
  };
}

/** People are found by whoever may open the list of them. */
const seesPeople = (actor: Actor): boolean =>
  accountList.callers.some((level) => level === actor.level) && isLetPast(actor, [accountList.code]);

/** The devices that a text names; where it names none, those of a plant that it names. */
async function devices(
  db: Db,
  scope: Scope,
  {
    things,
    plant,
    text,
    most,
  }: { things: readonly NumberedThing[]; plant: Candidate | undefined; text: string; most: number },
  nowMs: number,
): Promise<Found['devices']> {
  if (things.length > 0 || plant === undefined) {
    const chosen = best(things, text, most);
    return { rows: await devicesFrom(db, scope, chosen.best, nowMs), more: chosen.more, ofPlant: null };
  }
  const inPlant = await thingsOfSite(db, scope, plant.id, most + 1);
  return {
    rows: await devicesFrom(db, scope, inPlant.slice(0, most), nowMs),
    more: inPlant.length > most,
    ofPlant: plant.text,
  };
}

/** The best matches of each kind, or of one, as far as the caller sees them. */
export async function find(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { content, kind }: Input,
  { actor, scope }: CallContext,
): Promise<Found> {
  const now = nowMs();
  const most = kind === undefined ? MOST_OF_EACH : MOST_OF_ONE;
  const wants = (each: Input['kind']) => kind === undefined || kind === each;
  const few = await fewPlantsOf(db, scope);
  const [named, things, foundUnits, foundOrders, foundPeople] = await Promise.all([
    wants('plants') || wants('devices') ? plantsNamed(db, scope, few, content, most + 1) : [],
    wants('devices') ? numbered(db, scope, few, content, most + 1) : [],
    wants('devices') && seesUnheard(actor) ? units(db, content, most, now) : none,
    wants('orders') ? orders(db, scope, content, most) : none,
    wants('people') && seesPeople(actor) ? people(db, scope, content, most) : none,
  ]);
  const plants = best(named, content, most);
  const [plant] = plants.best;
  const [rows, foundDevices] = await Promise.all([
    wants('plants') ? plantsFrom(db, scope, plants.best, now) : [],
    wants('devices') ? devices(db, scope, { things, plant, text: content, most }, now) : { ...none, ofPlant: null },
  ]);
  return {
    plants: { rows, more: wants('plants') && plants.more },
    devices: foundDevices,
    units: foundUnits,
    orders: foundOrders,
    people: foundPeople,
  };
}
