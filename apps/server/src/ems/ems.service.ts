import type { Dispatch, emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Kysely } from 'kysely';
import { mayEdit, type Scope } from '../access/scope.ts';
import { type AuditSource, recordAudit } from '../audit/audit.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { orderThroughGate, takeBackWaiting } from '../remote-settings/gate.ts';
import { holdSubjects } from '../remote-settings/subjects.store.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Asked, Found } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  dropLimit,
  EXPORT_LIMIT,
  type GridDevice,
  gridDevices,
  gridPower,
  holdLimit,
  type PlantWithLimit,
  plantWithLimit,
  putLimit,
  unsentSteps,
} from './ems.store.ts';
import { giveSteps } from './give-steps.ts';
import type { GridControl } from './grid-control.ts';
import { measuredMs, releasing, reportsOf } from './grid-steps.ts';
import { purchaseDevices } from './purchase.store.ts';
import { batteriesShown, purchaseShown } from './purchase-shown.ts';
import { endPurchase, setPurchase } from './set-purchase.ts';
import { lastStep, stepsInScope } from './steps.store.ts';

type Calls = typeof emsEndpoints;
type Db = Kysely<Database>;
type Setting = Parameters<typeof setPurchase>[0];
interface Controlling extends Uses<'db' | 'nowMs'> {
  readonly commands: CommandChannel;
  readonly gridControl: GridControl;
}

/** The device whose own controller can hold a limit at the grid point: the EMS unit, or the only inverter. */
function holderOf(devices: readonly GridDevice[]): GridDevice | undefined {
  const ems = devices.find(({ kind }) => kind === 'ems');
  const inverters = devices.filter(({ kind }) => kind === 'inverter');
  return ems ?? (inverters.length === 1 ? inverters[0] : undefined);
}

function obstacleOf(devices: readonly GridDevice[], gridW: number | null) {
  const inverters = devices.filter(({ kind }) => kind === 'inverter');
  if (inverters.length === 0) return 'noInverter' as const;
  if (inverters.some(({ ratedW }) => ratedW === null || ratedW <= 0)) return 'noRating' as const;
  return gridW === null ? ('noGridPower' as const) : null;
}

/** An owner sees it; who looks after the plant sets it. */
const maySet = (scope: Scope, plant: PlantWithLimit): boolean => scope.kind !== 'owner' && mayEdit(scope, plant);

/** What holds the limits at the grid point of a plant, and how. */
export async function gridLimitOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID }: Parsed<Calls['gridLimit']>,
  { scope }: Scoped,
): Promise<Result<Calls['gridLimit']>> {
  const plant = found(await plantWithLimit(db, scope, stationID), 'siteNotFound');
  const now = nowMs();
  const [devices, purchasing, grid, lastSold, lastBought] = await Promise.all([
    gridDevices(db, plant.id, now),
    purchaseDevices(db, plant.id, now),
    gridPower(db, plant.id),
    lastStep(db, plant.id, 'sold'),
    lastStep(db, plant.id, 'bought'),
  ]);
  const holder = holderOf(devices);
  const gridMs = measuredMs(devices, grid?.ts?.getTime() ?? null);
  const gridW = grid?.gridW ?? null;
  const batteries = batteriesShown(plant, purchasing, now);
  return {
    stationID: plant.id,
    stationName: plant.name,
    ianaTimezone: plant.timeZone,
    controller: plant.controller,
    exportLimitW: plant.exportLimitW,
    purchase: {
      ...purchaseShown(plant, purchasing, { gridW, measuredMs: gridMs }, now),
      last: shownStep(lastBought),
    },
    setBy: plant.setBy,
    setAtMs: plant.setAt?.getTime() ?? null,
    device:
      holder === undefined
        ? null
        : {
            deviceID: holder.id,
            deviceSN: holder.sn,
            state: holder.state,
            exportLimitW: holder.exportLimitW,
            peakLimitW: holder.peakLimitW,
          },
    reports: reportsOf(devices),
    gridW: withoutNoise(gridW),
    gridMs,
    units: devices
      .filter(({ kind }) => kind === 'inverter')
      .map((device) => ({
        deviceID: device.id,
        deviceSN: device.sn,
        deviceType: device.model,
        state: device.state,
        ratedW: device.ratedW,
        powerW: withoutNoise(device.powerW),
        limitPercent: device.limitPercent,
        pendingPercent: device.pendingPercent,
        updatedAtMs: device.tsMs,
        battery: batteries.get(device.id) ?? null,
      })),
    last: shownStep(lastSold),
    obstacle: obstacleOf(devices, gridW),
    can: { edit: maySet(scope, plant) },
  };
}

const shownStep = (step: Awaited<ReturnType<typeof lastStep>>) =>
  step === undefined ? null : { reason: step.reason, atMs: step.at.getTime(), capW: step.capW };

const entered = ({ controller, exportLimitW, purchaseController, purchaseLimitW }: Limits) => ({
  ...(exportLimitW !== null && { controller, exportLimitW }),
  ...(purchaseLimitW !== null && { purchaseController, purchaseLimitW }),
});
type Limits = Pick<PlantWithLimit, 'controller' | 'exportLimitW' | 'purchaseController' | 'purchaseLimitW'>;

/** Lets devices or the portal hold limits. */
export async function setGridLimit(
  { db, nowMs, commands, gridControl }: Controlling,
  { stationID, ...wanted }: Parsed<Calls['setGridLimit']>,
  context: CallContext,
): Promise<Result<Calls['setGridLimit']>> {
  await inTransaction(db, async (tx) => {
    // No step is decided meanwhile, and what was decided before is seen.
    await holdLimit(tx, (await plantToSet(tx, context.scope, stationID)).id);
    const plant = await plantToSet(tx, context.scope, stationID);
    const now = nowMs();
    const devices = await gridDevices(tx, plant.id, now);
    const holder = holderOf(devices);
    if (holder !== undefined) await holdSubjects(tx, [holder.id]);
    // Those that are away would be told first what holds no longer.
    await commands.cancel(tx, await unsentSteps(tx, plant.id), context);
    const gridW = (await gridPower(tx, plant.id))?.gridW ?? null;
    const giving = { siteId: plant.id, nowMs: now, orderedBy: context.actor.accountId, from: context };
    await setExport({ tx, commands, giving }, plant, wanted, { devices, holder, gridW });
    const purchaseSetAt = await setPurchase({ tx, commands, giving }, plant, wanted, gridW);
    const after = {
      controller: wanted.exportLimitW === null ? null : wanted.controller,
      exportLimitW: wanted.exportLimitW,
      purchaseController: wanted.purchaseLimitW === null ? null : wanted.purchaseController,
      purchaseLimitW: wanted.purchaseLimitW,
    };
    await putLimit(tx, {
      ...after,
      siteId: plant.id,
      purchaseSetAt,
      by: context.actor.accountId,
      at: new Date(now),
    });
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, plant)),
      action: 'ems.setGridLimit',
      before: entered(plant),
      after: entered(after),
    });
  });
  await gridControl.refresh(stationID);
  return {};
}

interface Behind {
  readonly devices: readonly GridDevice[];
  readonly holder: GridDevice | undefined;
  readonly gridW: number | null;
}

/** What inverters are told at once where another holds what is sold from now on. */
async function setExport(
  { tx, commands, giving }: Setting,
  plant: PlantWithLimit,
  { controller, exportLimitW }: Pick<Parsed<Calls['setGridLimit']>, 'controller' | 'exportLimitW'>,
  { devices, holder, gridW }: Behind,
): Promise<void> {
  const isByDevice = exportLimitW !== null && controller === 'device';
  if (exportLimitW !== null && controller === 'portal' && obstacleOf(devices, gridW) !== null)
    throw new CallError('gridLimitImpossible');
  if (isByDevice && holder === undefined) throw new CallError('gridLimitImpossible');
  if (plant.controller === 'device' && !isByDevice) await takeBackExport(tx, commands, devices, giving.from);
  if (exportLimitW !== null && controller === 'portal') return;
  if (plant.controller === 'portal') await giveSteps(tx, commands, releasing(devices), giving);
  if (exportLimitW === null || holder === undefined) return;
  await orderThroughGate(
    tx,
    commands,
    {
      loggerID: holder.loggerId,
      deviceID: holder.id,
      kind: 'write',
      content: { values: { [EXPORT_LIMIT]: exportLimitW } },
      source: 'hand',
      orderedBy: giving.orderedBy,
    },
    { nowMs: giving.nowMs, pathOf: () => 'exportLimitW', from: giving.from },
  );
}

/** What a device that holds what is sold was told and has not been sent yet holds no longer, whoever ordered it. */
const takeBackExport = (
  tx: Setting['tx'],
  commands: CommandChannel,
  devices: readonly GridDevice[],
  from: AuditSource,
): Promise<void> =>
  takeBackWaiting(tx, commands, { deviceIDs: devices.map(({ id }) => id), names: [EXPORT_LIMIT] }, from);

/** Ends all limits. */
export async function releaseGridLimit(
  { db, nowMs, commands, gridControl }: Controlling,
  { stationID }: Parsed<Calls['releaseGridLimit']>,
  context: CallContext,
): Promise<Result<Calls['releaseGridLimit']>> {
  await inTransaction(db, async (tx) => {
    const plant = await plantToSet(tx, context.scope, stationID);
    const former = await dropLimit(tx, plant.id);
    if (former === undefined) return;
    const now = nowMs();
    const giving = { siteId: plant.id, nowMs: now, orderedBy: context.actor.accountId, from: context };
    await commands.cancel(tx, await unsentSteps(tx, plant.id), context);
    const devices = await gridDevices(tx, plant.id, now);
    if (former.controller === 'device') await takeBackExport(tx, commands, devices, context);
    if (former.controller === 'portal') await giveSteps(tx, commands, releasing(devices), giving);
    if (former.peak_controller !== null) await endPurchase({ tx, commands, giving });
    await recordAudit(tx, context, {
      ...(await entryAboutSite(tx, plant)),
      action: 'ems.releaseGridLimit',
      before: entered({
        controller: former.controller,
        exportLimitW: former.export_limit_w,
        purchaseController: former.peak_controller,
        purchaseLimitW: former.peak_limit_w,
      }),
      after: null,
    });
  });
  await gridControl.refresh(stationID);
  return {};
}

/** The steps of the portal at plants. */
export async function stepList(
  { db }: Uses<'db'>,
  input: Asked<Calls['dispatches']>,
  { scope }: Scoped,
): Promise<Found<Dispatch>> {
  const page = await stepsInScope(db, scope, input);
  return {
    ...page,
    rows: page.rows.map((row) => ({
      dispatchID: `${row.id}`,
      atMs: row.at.getTime(),
      deviceID: row.deviceId,
      deviceSN: row.sn,
      reason: row.reason,
      gridW: withoutNoise(row.gridW),
      capW: withoutNoise(row.capW),
      fromPercent: row.fromPercent,
      toPercent: row.toPercent,
      fromW: withoutNoise(row.fromW),
      toW: withoutNoise(row.toW),
      state: row.state ?? 'unknown',
    })),
  };
}

/** A file of the steps of one plant tells times by its clock. */
export async function stepZone(
  { db }: Uses<'db'>,
  { condition: { stationID } }: Asked<Calls['dispatches']>,
  { scope }: Scoped,
): Promise<string | undefined> {
  return stationID === undefined ? undefined : (await plantWithLimit(db, scope, stationID))?.timeZone;
}

async function plantToSet(db: Db, scope: Scope, stationID: string): Promise<PlantWithLimit> {
  const plant = found(await plantWithLimit(db, scope, stationID), 'siteNotFound');
  if (!maySet(scope, plant)) throw new CallError('noPermission');
  return plant;
}
