import { type Dispatch, type emsEndpoints, MOST_EXPORT_W } from '@sonnenwarte/contract/ems/ems';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Kysely } from 'kysely';
import { mayEdit, type Scope } from '../access/scope.ts';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Asked, Found } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  dropLimit,
  type GridDevice,
  gridDevices,
  gridPower,
  holdLimit,
  lastStep,
  type PlantWithLimit,
  plantWithLimit,
  putLimit,
  stepsInScope,
  unsentSteps,
} from './ems.store.ts';
import { type GridControl, giveSteps } from './grid-control.ts';
import { measuredMs, releasing } from './grid-steps.ts';

type Calls = typeof emsEndpoints;
type Db = Kysely<Database>;
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

/** What holds the limit at the grid point of a plant, and how. */
export async function gridLimitOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID }: Parsed<Calls['gridLimit']>,
  { scope }: Scoped,
): Promise<Result<Calls['gridLimit']>> {
  const plant = found(await plantWithLimit(db, scope, stationID), 'siteNotFound');
  const [devices, grid, last] = await Promise.all([
    gridDevices(db, plant.id, nowMs()),
    gridPower(db, plant.id),
    lastStep(db, plant.id),
  ]);
  const holder = holderOf(devices);
  return {
    stationID: plant.id,
    stationName: plant.name,
    ianaTimezone: plant.timeZone,
    controller: plant.controller,
    exportLimitW: plant.exportLimitW,
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
    gridW: withoutNoise(grid?.gridW ?? null),
    gridMs: measuredMs(devices, grid?.ts?.getTime() ?? null),
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
      })),
    last: last === undefined ? null : { reason: last.reason, atMs: last.at.getTime(), capW: last.capW },
    obstacle: obstacleOf(devices, grid?.gridW ?? null),
    can: { edit: maySet(scope, plant) },
  };
}

/** Lets a device or the portal hold a limit. */
export async function setGridLimit(
  { db, nowMs, commands, gridControl }: Controlling,
  { stationID, controller, exportLimitW }: Parsed<Calls['setGridLimit']>,
  context: CallContext,
): Promise<Result<Calls['setGridLimit']>> {
  await inTransaction(db, async (tx) => {
    // No step is decided meanwhile, and what was decided before is seen.
    await holdLimit(tx, (await plantToSet(tx, context.scope, stationID)).id);
    const plant = await plantToSet(tx, context.scope, stationID);
    const now = nowMs();
    // Those that are away would be told first what holds no longer.
    await commands.cancel(tx, await unsentSteps(tx, plant.id), context);
    const devices = await gridDevices(tx, plant.id, now);
    if (controller === 'portal') {
      const obstacle = obstacleOf(devices, (await gridPower(tx, plant.id))?.gridW ?? null);
      if (obstacle !== null) throw new CallError('gridLimitImpossible');
    } else {
      const holder = holderOf(devices);
      if (holder === undefined) throw new CallError('gridLimitImpossible');
      if (plant.controller === 'portal')
        await giveSteps(tx, commands, plant.id, releasing(devices), now, context.actor.accountId);
      await commands.order(tx, [
        {
          loggerID: holder.loggerId,
          deviceID: holder.id,
          kind: 'write',
          content: { values: { 'Setting/ExportLimit': Math.min(exportLimitW, MOST_EXPORT_W) } },
          source: 'hand',
          orderedBy: context.actor.accountId,
        },
      ]);
    }
    await putLimit(tx, { siteId: plant.id, controller, exportLimitW, by: context.actor.accountId, at: new Date(now) });
    await recordAudit(tx, context, {
      ...(await entryOf(tx, plant)),
      action: 'ems.setGridLimit',
      before: { controller: plant.controller, exportLimitW: plant.exportLimitW },
      after: { controller, exportLimitW },
    });
  });
  await gridControl.refresh(stationID);
  return {};
}

/** Ends a limit. */
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
    await commands.cancel(tx, await unsentSteps(tx, plant.id), context);
    if (former.controller === 'portal') {
      const devices = await gridDevices(tx, plant.id, now);
      await giveSteps(tx, commands, plant.id, releasing(devices), now, context.actor.accountId);
    }
    await recordAudit(tx, context, {
      ...(await entryOf(tx, plant)),
      action: 'ems.releaseGridLimit',
      before: { controller: former.controller, exportLimitW: former.export_limit_w },
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
      state: row.state ?? 'unknown',
    })),
  };
}

async function plantToSet(db: Db, scope: Scope, stationID: string): Promise<PlantWithLimit> {
  const plant = found(await plantWithLimit(db, scope, stationID), 'siteNotFound');
  if (!maySet(scope, plant)) throw new CallError('noPermission');
  return plant;
}

const entryOf = async (db: Db, plant: PlantWithLimit) => ({
  log: 'operation' as const,
  recordKind: 'site' as const,
  recordId: plant.id,
  recordName: plant.name,
  organisationPath: await pathOfOrganisation(db, plant.organisation_id),
});
