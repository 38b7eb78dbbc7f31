import type { emsEndpoints } from '@sonnenwarte/contract/ems/ems';
import { MOST_PURCHASE_W } from '@sonnenwarte/contract/ems/ems';
import type { Parsed } from '@sonnenwarte/contract/endpoint';
import { purchaseTargets } from '@sonnenwarte/energy/grid-limit/purchase-limit';
import type { AuditSource } from '../audit/audit.ts';
import type { CommandChannel } from '../commands/orders.ts';
import { CallError } from '../http/call-error.ts';
import { obstaclesTo, orderThroughGate, refuseAt } from '../remote-settings/gate.ts';
import type { PlantWithLimit } from './ems.store.ts';
import { type Giving, givePurchaseSteps } from './give-steps.ts';
import { keepOwnAnew, PURCHASE_LIMIT, type PurchaseDevice, purchaseDevices, WORK_MODE } from './purchase.store.ts';
import { endingPurchase, heldByDevice } from './purchase-steps.ts';
import {
  deviceObstacle,
  dischargers,
  mostLimitW,
  PEAK_SHAVING,
  portalObstacle,
  purchaseHolder,
} from './purchase-units.ts';

interface Setting {
  readonly tx: Parameters<CommandChannel['order']>[0];
  readonly commands: CommandChannel;
  readonly giving: Giving & { readonly orderedBy: string; readonly from: AuditSource };
}

const pathOf = (): string => 'purchaseLimitW';

/** What devices are told at once where somebody holds what is bought from now on, or nobody; since when that is so. */
export async function setPurchase(
  { tx, commands, giving }: Setting,
  plant: PlantWithLimit,
  {
    purchaseController,
    purchaseLimitW,
  }: Pick<Parsed<(typeof emsEndpoints)['setGridLimit']>, 'purchaseController' | 'purchaseLimitW'>,
  gridW: number | null,
): Promise<Date | null> {
  if (purchaseLimitW === null) {
    if (plant.purchaseController !== null) await endPurchase({ tx, commands, giving });
    return null;
  }
  const devices = await purchaseDevices(tx, plant.id, giving.nowMs);
  const obstacle =
    purchaseController === 'portal'
      ? portalObstacle(devices, gridW, plant.followsPlan)
      : deviceObstacle(devices, plant.followsPlan);
  if (obstacle !== null) throw new CallError('purchaseLimitImpossible', { obstacle });
  const holder = purchaseController === 'device' ? purchaseHolder(devices) : undefined;
  const holding = holder === undefined ? dischargers(devices) : [holder];
  const mostW = mostLimitW(holding, MOST_PURCHASE_W);
  if (purchaseLimitW > mostW) {
    throw new CallError('refusedInput', {
      fields: [{ path: 'purchaseLimitW', reason: 'too_big', params: { max: mostW, of: 'number' } }],
    });
  }
  if (holder === undefined) await holdToBounds({ tx, giving }, holding, purchaseLimitW);
  if (plant.purchaseController === null)
    await keepOwnAnew(
      tx,
      holding.map(({ id }) => id),
    );
  if (holder !== undefined) {
    if (plant.purchaseController === 'portal')
      await givePurchaseSteps(tx, commands, endingPurchase(devices, holder.id), giving);
    const values = heldByDevice(holder, purchaseLimitW);
    if (Object.keys(values).length > 0) {
      await orderThroughGate(
        tx,
        commands,
        {
          loggerID: holder.loggerId,
          deviceID: holder.id,
          kind: 'write',
          content: { values },
          source: 'ems',
          orderedBy: giving.orderedBy,
        },
        { nowMs: giving.nowMs, pathOf, from: giving.from },
      );
    }
  }
  return new Date(giving.nowMs);
}

/** Refuses what one of the inverters would not take that are to begin at a grid power. */
async function holdToBounds(
  { tx, giving }: Pick<Setting, 'tx' | 'giving'>,
  devices: readonly PurchaseDevice[],
  limitW: number,
): Promise<void> {
  const { othersW } = purchaseTargets(limitW);
  const intents = devices.map(({ id }) => ({
    deviceID: id,
    content: { values: { [WORK_MODE]: PEAK_SHAVING, [PURCHASE_LIMIT]: othersW } },
  }));
  const [[id, obstacle] = []] = await obstaclesTo(tx, intents, giving);
  const values = intents.find(({ deviceID }) => deviceID === id)?.content.values;
  if (obstacle !== undefined) refuseAt(obstacle, values ?? {}, pathOf);
}

/** Gives back what devices had before somebody held what is bought. */
export async function endPurchase({ tx, commands, giving }: Setting): Promise<void> {
  const devices = await purchaseDevices(tx, giving.siteId, giving.nowMs);
  await givePurchaseSteps(tx, commands, endingPurchase(devices), giving);
}
