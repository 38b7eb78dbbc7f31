import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { Plan } from '@sonnenwarte/contract/work-modes/plan';
import type { Scope } from '../access/scope.ts';
import type { CommandChannel, CommandOrder } from '../commands/orders.ts';
import { obstaclesTo } from '../remote-settings/gate.ts';
import { holdSubjects } from '../remote-settings/subjects.store.ts';
import { changesTo } from './plan-settings.ts';
import { type PlanDevice, planCommands } from './work-modes.store.ts';

type Tx = Parameters<CommandChannel['order']>[0];
export type Given = Pick<CommandOrder, 'source' | 'orderedBy' | 'batchID' | 'expiresMs'>;

export const orderFor = (
  device: PlanDevice,
  values: NonNullable<CommandOrder['content']['values']>,
  given: Given,
): CommandOrder => ({
  loggerID: device.loggerId,
  deviceID: device.id,
  kind: 'write',
  content: { values },
  ...given,
});

/** What devices are told so that they have a plan; nothing to those that have it. */
export const ordersFor = (devices: readonly PlanDevice[], plan: Plan, given: Given): CommandOrder[] =>
  devices.flatMap((device) => {
    const values = changesTo(plan, device.reported);
    return Object.keys(values).length === 0 ? [] : [orderFor(device, values, given)];
  });

/** Orders that their devices would take, by the bounds that they have; those of the portal itself are not clipped to fit. Devices are held from then on. */
export async function takenOrders(tx: Tx, orders: readonly CommandOrder[], nowMs: number): Promise<CommandOrder[]> {
  await holdSubjects(
    tx,
    orders.flatMap(({ deviceID }) => deviceID ?? []),
  );
  const obstacles = await obstaclesTo(tx, orders, { nowMs });
  return orders.filter(({ deviceID }) => !obstacles.has(deviceID ?? ''));
}

/** Devices of which a plan is being written. */
export async function busyOf(tx: Tx, scope: Scope, devices: readonly PlanDevice[]): Promise<Set<string>> {
  const ids = devices.map(({ id }) => id);
  const commands = await planCommands(tx, scope, ids, new Date());
  return new Set(commands.flatMap(({ deviceId, state }) => (isOpenCommand(state) ? [deviceId] : [])));
}
