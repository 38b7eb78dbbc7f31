import type { GridUnit, gridLimit } from '@sonnenwarte/contract/ems/ems';
import { MOST_PURCHASE_W } from '@sonnenwarte/contract/ems/ems';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { PlantWithLimit } from './ems.store.ts';
import type { PurchaseDevice } from './purchase.store.ts';
import { shortfallOf } from './purchase-steps.ts';
import {
  batteryInverters,
  deviceObstacle,
  dischargers,
  mostLimitW,
  portalObstacle,
  purchaseHolder,
} from './purchase-units.ts';

type Limits = Pick<PlantWithLimit, 'purchaseController' | 'purchaseLimitW' | 'purchaseSetAt' | 'followsPlan'>;
type Shown = Omit<Result<typeof gridLimit>['purchase'], 'last'>;

/** Who holds what is bought at a plant, who could, and what is missing. */
export function purchaseShown(
  plant: Limits,
  devices: readonly PurchaseDevice[],
  measured: { readonly gridW: number | null; readonly measuredMs: number | null },
  nowMs: number,
): Shown {
  const { purchaseController: controller, purchaseLimitW: limitW, purchaseSetAt, followsPlan } = plant;
  const holder = purchaseHolder(devices);
  return {
    controller,
    limitW,
    obstacles: {
      device: deviceObstacle(devices, followsPlan),
      portal: portalObstacle(devices, measured.gridW, followsPlan),
    },
    mostW: {
      device: mostLimitW(holder === undefined ? [] : [holder], MOST_PURCHASE_W),
      portal: mostLimitW(dischargers(devices), MOST_PURCHASE_W),
    },
    shortfall:
      controller === null || limitW === null
        ? null
        : shortfallOf({ ...measured, limitW, controller, setAtMs: purchaseSetAt?.getTime() ?? null }, devices, nowMs),
  };
}

/** What inverters with batteries do for it, by their ids. */
export function batteriesShown(
  { purchaseController, purchaseSetAt }: Limits,
  devices: readonly PurchaseDevice[],
  nowMs: number,
): Map<string, NonNullable<GridUnit['battery']>> {
  const isHeld = purchaseController === 'portal';
  const setAtMs = isHeld ? (purchaseSetAt?.getTime() ?? null) : null;
  return new Map(
    batteryInverters(devices, nowMs, setAtMs).map((unit) => [
      unit.device.id,
      {
        socPercent: unit.socPercent,
        powerW: withoutNoise(unit.batteryW),
        mayGiveW: unit.capW,
        pendingW: unit.pendingW,
        part: isHeld ? unit.part : null,
      },
    ]),
  );
}
