import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import { MOST_UNITS_COUNTED } from '@sonnenwarte/contract/factory/factory-words';
import type { UnitOrigin, UnitRow } from '@sonnenwarte/contract/factory/units';
import { lastPlannedDay, warrantyStateOn } from '@sonnenwarte/contract/factory/warranty';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Asked } from '../stores/lists.ts';
import { refusedDay, todayOf } from './days.ts';
import { recordFactory } from './recorded.ts';
import { dataloggerThere, deviceThere } from './things.store.ts';
import {
  deleteUnit,
  type StoredUnit,
  setWarrantyBegin,
  type UnitSight,
  unitForChange,
  unitOfThing,
  unitsFound,
} from './units.store.ts';

type Calls = typeof factoryEndpoints;
type Used = Uses<'db' | 'nowMs'>;

const ADMIN = 255;
const OWNER = 1;

/** Whether somebody may tell what was never seen. */
export const seesUncreated = ({ actor }: Pick<CallContext, 'actor'>): boolean =>
  actor.codes.has('device:viewUncreated');

const warrantyIn = ({ warranty_from: from, warranty_until: until }: StoredUnit) =>
  from === null || until === null ? undefined : { from, until };

const untold: UnitSight = {
  seen: null,
  seenMs: null,
  deviceID: null,
  stationID: null,
  plantName: '',
  firmwareNow: '',
  firmwareDiffers: null,
};

function sightOf(unit: StoredUnit, today: string): UnitSight {
  const unheard = unit.delivered_on !== null && unit.delivered_on > today ? 'undelivered' : 'never';
  const firmwareNow = unit.firmware_now ?? '';
  return {
    seen: unit.seen_at === null ? unheard : 'seen',
    seenMs: unit.seen_at?.getTime() ?? null,
    deviceID: unit.device_id,
    stationID: unit.site_id,
    plantName: unit.plant ?? '',
    firmwareNow,
    firmwareDiffers: firmwareNow === '' || unit.firmware === '' ? null : firmwareNow !== unit.firmware,
  };
}

/** Whether the first day of its warranty tells when it was heard, or where it is. */
const tellsSight = ({ warranty_begins: begins, warranty_set: isSet }: StoredUnit): boolean =>
  !isSet && begins !== null && begins !== 'delivery';

function warrantyRow(unit: StoredUnit, sees: boolean, today: string) {
  if (!sees && tellsSight(unit)) return { warrantyFrom: null, warrantyUntil: null, warranty: null };
  const warranty = warrantyStateOn(today, warrantyIn(unit));
  return { warrantyFrom: unit.warranty_from, warrantyUntil: unit.warranty_until, warranty };
}

const toRow =
  (sees: boolean, today: string) =>
  (unit: StoredUnit): UnitRow => ({
    sn: unit.id,
    odmSN: unit.odm_sn,
    kind: unit.kind,
    model: unit.model,
    firmware: unit.firmware,
    batchID: unit.batch_id,
    batch: unit.batch,
    manufacturer: unit.manufacturer,
    deliveredOn: unit.delivered_on,
    ...(sees ? sightOf(unit, today) : untold),
    ...warrantyRow(unit, sees, today),
    warrantySet: unit.warranty_set,
  });

/** Delivered units, for a page as for a file. Who may not tell what was never seen can neither filter nor order by it. */
export async function unitRows({ db, nowMs }: Used, input: Asked<Calls['unitList']>, context: CallContext) {
  const sees = seesUncreated(context);
  const { condition, sort } = input;
  const asksForSight = condition.seen !== undefined || condition.warranty !== undefined;
  if (!sees && (asksForSight || sort.field === 'seenMs' || sort.field === 'warrantyUntil'))
    throw new CallError('noPermission');
  const today = todayOf(nowMs());
  const { rows, total, end } = await unitsFound(db, input, today);
  return {
    rows: rows.map(toRow(sees, today)),
    total: Math.min(total, MOST_UNITS_COUNTED),
    end,
    isMore: total > MOST_UNITS_COUNTED,
  };
}

export const removeUnit = ({ db }: Used, { sn }: Parsed<Calls['unitRemove']>, context: CallContext): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { odm_sn, model, batch } = found(await unitForChange(tx, sn), 'deliveredUnitNotFound');
    await deleteUnit(tx, sn);
    const record = { kind: 'deliveredUnit', id: sn, name: sn } as const;
    await recordFactory(tx, context, 'factory.deleteUnit', record, { before: { odmSN: odm_sn, model, batch } });
  });

/** Sets on which day the warranty of a unit begins, or leaves that to its term again. */
export const setUnitWarranty = (
  { db, nowMs }: Used,
  { sn, beginsOn }: Parsed<Calls['unitWarranty']>,
  context: CallContext,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const unit = found(await unitForChange(tx, sn), 'deliveredUnitNotFound');
    const isEarly = beginsOn !== null && unit.delivered_on !== null && beginsOn < unit.delivered_on;
    if (isEarly || (beginsOn !== null && beginsOn > lastPlannedDay(nowMs()))) throw refusedDay('beginsOn');
    if (beginsOn === unit.warranty_set_on) return;
    await setWarrantyBegin(tx, sn, beginsOn);
    const change = { before: { beginsOn: unit.warranty_set_on }, after: { beginsOn } };
    await recordFactory(tx, context, 'factory.setWarrantyBegin', { kind: 'deliveredUnit', id: sn, name: sn }, change);
  });

const NOTHING: UnitOrigin = { warranty: null, unit: null };

function originOf(unit: StoredUnit | undefined, level: number, nowMs: number): UnitOrigin {
  if (unit === undefined) return NOTHING;
  const warranty = warrantyIn(unit);
  return {
    warranty: warranty === undefined ? null : { ...warranty, state: warrantyStateOn(todayOf(nowMs), warranty) },
    unit:
      level === ADMIN
        ? {
            batchID: unit.batch_id,
            batch: unit.batch,
            manufacturer: unit.manufacturer,
            deliveredOn: unit.delivered_on,
            firmware: unit.firmware,
          }
        : null,
  };
}

/** Of a device; an end user with whom a plant is only shared is told nothing. */
export async function deviceOrigin(
  { db, nowMs }: Used,
  { deviceID }: Parsed<Calls['originOfDevice']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['originOfDevice']>> {
  const { owner } = found(await deviceThere(db, scope, deviceID), 'deviceNotFound');
  if (actor.level === OWNER && owner !== actor.accountId) return NOTHING;
  return originOf(await unitOfThing(db, deviceID), actor.level, nowMs());
}

export async function dataloggerOrigin(
  { db, nowMs }: Used,
  { moduleID }: Parsed<Calls['originOfDatalogger']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['originOfDatalogger']>> {
  found(await dataloggerThere(db, scope, moduleID), 'dataloggerNotFound');
  return originOf(await unitOfThing(db, moduleID), actor.level, nowMs());
}
