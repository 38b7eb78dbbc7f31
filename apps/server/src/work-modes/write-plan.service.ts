import { randomUUID } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { EVERY_DAY, MOST_PERIODS, overlaps, type Plan, planActions } from '@sonnenwarte/contract/work-modes/plan';
import type { workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { recordAudit } from '../audit/audit.ts';
import { entryAboutSite } from '../audit/entry-about.ts';
import type { CommandChannel, CommandOrder } from '../commands/orders.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import { obstaclesTo, refuseAt } from '../remote-settings/gate.ts';
import { holdSubjects } from '../remote-settings/subjects.store.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { endFollowing } from './follow-end.ts';
import { busyOf, orderFor, ordersFor } from './plan-orders.ts';
import { chargePlaceIn, placeIn } from './plan-places.ts';
import { planOf, scheduleRow, valuesOf } from './plan-settings.ts';
import { takersOf } from './takers.ts';
import { mayWrite, SHOWN_COMMANDS_MS, writtenOf } from './work-modes.service.ts';
import {
  holdPlanSites,
  type PlanDevice,
  type PlanSite,
  planCommands,
  planDevices,
  planSites,
  siteOfDevice,
} from './work-modes.store.ts';

type Calls = typeof workModeEndpoints;
type Used = Uses<'db' | 'nowMs'> & { readonly commands: CommandChannel };
type Tx = Parameters<CommandChannel['order']>[0];

/** A plan that waits for a device that is away is still wanted when it comes back in the morning. */
const KEPT_MS = 12 * 3_600_000;

async function told(
  tx: Tx,
  context: CallContext,
  site: PlanSite,
  action: 'work-modes.write' | 'work-modes.writeCharge',
  devices: readonly PlanDevice[],
  after: unknown,
): Promise<void> {
  await recordAudit(tx, context, {
    ...(await entryAboutSite(tx, site)),
    action,
    before: { plan: planOf(devices[0]?.reported ?? new Map()) },
    after: { devices: devices.map(({ sn }) => sn), plan: after },
  });
}

/** Writes a plan to plants; what one of them is refused for keeps the others from nothing but what stands in its own way. */
export async function writePlan(
  { db, nowMs, commands }: Used,
  { stationID, plan, others }: Parsed<Calls['write']>,
  context: CallContext,
): Promise<Result<Calls['write']>> {
  const { scope, actor } = context;
  const ids = [...new Set([stationID, ...others])];
  return inTransaction(db, async (tx) => {
    const sites = await holdPlanSites(tx, scope, ids);
    if (sites.length < ids.length) throw new CallError('siteNotFound');
    if (sites.some((site) => !mayWrite(scope, site))) throw new CallError('noPermission');
    const devices = Map.groupBy(await planDevices(tx, scope, ids, nowMs()), ({ siteId }) => siteId);
    const takers = new Map(sites.map(({ id }) => [id, takersOf(devices.get(id) ?? []).devices]));
    const busy = await busyOf(tx, scope, [...takers.values()].flat());
    const given = {
      source: 'hand' as const,
      orderedBy: actor.accountId,
      batchID: randomUUID(),
      expiresMs: nowMs() + KEPT_MS,
    };
    const wanted = new Map(sites.map(({ id }) => [id, ordersFor(takers.get(id) ?? [], plan, given)]));
    const all = [...wanted.values()].flat();
    await holdSubjects(
      tx,
      all.flatMap(({ deviceID }) => deviceID ?? []),
    );
    const beyond = await obstaclesTo(tx, all, { nowMs: nowMs() });
    const orders: CommandOrder[] = [];
    const plants: Result<Calls['write']>['plants'] = [];
    for (const site of sites) {
      const own = takers.get(site.id) ?? [];
      const ofSite = wanted.get(site.id) ?? [];
      const unfit = ofSite.flatMap(({ deviceID }) => beyond.get(deviceID ?? '') ?? [])[0];
      if (unfit !== undefined && sites.length === 1) refuseAt(unfit, Object.fromEntries(valuesOf(plan)), placeIn(plan));
      const obstacle = obstacleOf(own, ofSite.length, busy) ?? (unfit === undefined ? null : 'beyondBounds');
      plants.push({ stationID: site.id, stationName: site.name, commands: obstacle ? 0 : ofSite.length, obstacle });
      if (obstacle !== null) continue;
      orders.push(...ofSite);
      await endFollowing(tx, site.id, 'byHand', { nowMs: nowMs(), accountId: actor.accountId });
      await told(tx, context, site, 'work-modes.write', own, plan);
    }
    if (plants.length === 1) refuseAlone(plants[0]?.obstacle ?? null);
    if (orders.length > 0) await commands.order(tx, orders, context);
    return { plants };
  });
}

function obstacleOf(devices: readonly PlanDevice[], wanted: number, busy: ReadonlySet<string>) {
  if (devices.length === 0) return 'noTaker';
  if (devices.some(({ id }) => busy.has(id))) return 'underWay';
  return wanted === 0 ? 'same' : null;
}

const errorOf = {
  same: 'planUnchanged',
  noTaker: 'noPlanTaker',
  underWay: 'planUnderWay',
  beyondBounds: 'settingUnknown',
} as const;

function refuseAlone(obstacle: keyof typeof errorOf | null): void {
  if (obstacle !== null) throw new CallError(errorOf[obstacle]);
}

/** Charge periods of the devices of a plant. */
export async function chargePeriodsOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID }: Parsed<Calls['charge']>,
  { scope }: Scoped,
): Promise<Result<Calls['charge']>> {
  const [site] = await planSites(db, scope, [stationID]);
  const { id, name } = found(site, 'siteNotFound');
  const { devices } = takersOf(await planDevices(db, scope, [id], nowMs()));
  const ids = devices.map((device) => device.id);
  const commands = await planCommands(db, scope, ids, new Date(nowMs() - SHOWN_COMMANDS_MS));
  return {
    stationName: name,
    devices: devices.map((device) => ({
      deviceID: device.id,
      deviceSN: device.sn,
      online: device.online,
      plan: planOf(device.reported),
      commands: commands.filter(({ deviceId }) => deviceId === device.id).map(writtenOf),
    })),
    can: { write: devices.length > 0 && site !== undefined && mayWrite(scope, site) },
  };
}

const CHARGES = planActions.indexOf('gridCharge') + 1;

/** Writes the charge periods of a device among its other periods, which stay; where there are any, in the mode in which they hold. */
export async function writeChargePeriods(
  { db, nowMs, commands }: Used,
  { deviceID, periods }: Parsed<Calls['writeCharge']>,
  context: CallContext,
): Promise<Result<Calls['writeCharge']>> {
  const { scope, actor } = context;
  return inTransaction(db, async (tx) => {
    const siteId = found(await siteOfDevice(tx, scope, deviceID), 'deviceNotFound');
    const [held] = await holdPlanSites(tx, scope, [siteId]);
    const site = found(held, 'deviceNotFound');
    if (!mayWrite(scope, site)) throw new CallError('noPermission');
    const { devices } = takersOf(await planDevices(tx, scope, [siteId], nowMs()));
    const device = found(
      devices.find(({ id }) => id === deviceID),
      'noPlanTaker',
    );
    const reportedPlan = planOf(device.reported);
    if (reportedPlan === null) throw new CallError('planNotTold');
    const schedule = device.reported.get('Setting/Schedule');
    const rows = Array.isArray(schedule) ? schedule.filter((row) => row.mode !== CHARGES) : [];
    const spans = rows.map((row) => ({ startMin: row.start ?? 0, endMin: row.end ?? 0, days: row.days ?? EVERY_DAY }));
    const isInTheWay = periods.some((period) => spans.some((span) => overlaps(span, period)));
    if (isInTheWay || rows.length + periods.length > MOST_PERIODS) throw new CallError('chargePeriodsInTheWay');
    if ((await busyOf(tx, scope, [device])).size > 0) throw new CallError('planUnderWay');
    const all = [...rows, ...periods.map(scheduleRow)].sort((one, other) => (one.start ?? 0) - (other.start ?? 0));
    const mode: Plan['mode'] = periods.length > 0 ? 'batterySupport' : reportedPlan.mode;
    const values = {
      ...(mode !== reportedPlan.mode && { 'Setting/WorkMode': 4 }),
      'Setting/Schedule': all,
    };
    const given = { source: 'hand' as const, orderedBy: actor.accountId, expiresMs: nowMs() + KEPT_MS };
    const order = orderFor(device, values, given);
    await holdSubjects(tx, [deviceID]);
    const unfit = (await obstaclesTo(tx, [order], { nowMs: nowMs() })).get(deviceID);
    if (unfit !== undefined) refuseAt(unfit, values, chargePlaceIn(periods, all));
    await endFollowing(tx, siteId, 'byHand', { nowMs: nowMs(), accountId: actor.accountId });
    await told(tx, context, site, 'work-modes.writeCharge', [device], { mode, periods });
    const [commandID = ''] = await commands.order(tx, [order], context);
    return { commandID };
  });
}
