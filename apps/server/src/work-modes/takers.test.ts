import { expect, test } from 'vitest';
import { knownStorage, takersOf } from './takers.ts';
import type { PlanDevice } from './work-modes.store.ts';

const device = (kind: PlanDevice['kind'], over: Partial<PlanDevice> = {}): PlanDevice =>
  ({ kind, reported: new Map(), desired: new Map(), ratedPowerW: null, capacityWh: null, ...over }) as PlanDevice;
const inverter = (ratedPowerW: number | null, chargeW?: number): PlanDevice =>
  device('inverter', {
    ratedPowerW,
    reported: new Map(
      chargeW === undefined
        ? [['Setting/WorkMode', 1]]
        : [
            ['Setting/WorkMode', 1],
            ['Setting/ChargePower', chargeW],
          ],
    ),
  });

test('several inverters and batteries have together what all of them have', () => {
  const devices = [
    inverter(5_000, 3_000),
    inverter(8_000, 4_000),
    device('battery', { capacityWh: 10_000 }),
    device('battery', { capacityWh: 5_000 }),
  ];
  expect(knownStorage(takersOf(devices))).toEqual({
    capacityWh: 15_000,
    maxChargeW: 7_000,
    maxDischargeW: null,
    ratedAcW: 13_000,
  });
});

test('one of which a rating, a limit or a capacity is not known does not count as one that has none of it', () => {
  const devices = [
    inverter(5_000, 3_000),
    inverter(null),
    device('battery', { capacityWh: 10_000 }),
    device('battery'),
  ];
  expect(knownStorage(takersOf(devices))).toEqual({
    capacityWh: 0,
    maxChargeW: null,
    maxDischargeW: null,
    ratedAcW: Number.POSITIVE_INFINITY,
  });
});

test('a device whose place another has taken is no part of it any more; where none is left, all are', () => {
  const gone = { ...inverter(5_000, 3_000), isRetired: true };
  const battery = device('battery', { capacityWh: 10_000 });
  const old = device('battery', { capacityWh: 10_000, isRetired: true });
  const there = inverter(8_000, 4_000);
  const takers = takersOf([gone, there, old, battery]);
  expect(takers.devices).toEqual([there]);
  expect(knownStorage(takers)).toMatchObject({ capacityWh: 10_000, maxChargeW: 4_000, ratedAcW: 8_000 });
  expect(takersOf([gone, battery]).devices).toEqual([gone]);
});
