import type { RecordContent } from '@sonnenwarte/contract/fault-records/fault-record';
import { expect, test } from 'vitest';
import { isNoughtThroughout, lanesOf, placeAt, rangeOf, timesOf, valueAt } from './wave-lanes.ts';

const content: RecordContent = {
  nominalHz: 50,
  rateHz: 1_000,
  before: 2,
  values: [],
  waves: [
    { variable: 'AC/L1/Voltage', unit: 'V', values: [1, 2, 3, 4, 5] },
    { variable: 'DC/BusVoltage', unit: 'V', values: [640, 640, 640, 650, 660] },
    { variable: 'AC/L2/Voltage', unit: 'V', values: [5, 4, 3, 2, 1] },
  ],
};

test('the fault begins at 0 ms, whatever the rate', () => {
  expect(timesOf(content)).toEqual([-2, -1, 0, 1, 2]);
  expect(timesOf({ ...content, rateHz: 500 })).toEqual([-4, -2, 0, 2, 4]);
});

test('voltages of the grid and of the direct current side have scales of their own', () => {
  expect(lanesOf(content).map(({ key, waves }) => [key, waves.map(({ variable }) => variable)])).toEqual([
    ['AC:V', ['AC/L1/Voltage', 'AC/L2/Voltage']],
    ['DC:V', ['DC/BusVoltage']],
  ]);
});

test('waves that are nought throughout have no scale, unless the record beside them has one', () => {
  const wave = (values: number[]) => ({ variable: 'AC/LeakageCurrent', unit: 'mA', values });
  const [still, moves] = [{ waves: [wave([0, 0, -0])] }, { waves: [wave([0, 3, 0])] }];
  expect(isNoughtThroughout(still, [still])).toBe(true);
  expect(isNoughtThroughout(still, [still, content])).toBe(true);
  expect(isNoughtThroughout(still, [still, moves])).toBe(false);
  expect(isNoughtThroughout(moves, [moves])).toBe(false);
});

test('two records are read at the same time after their faults, each at its rate', () => {
  expect(valueAt(content, 'AC/L1/Voltage', 1)).toBe(4);
  expect(valueAt({ ...content, rateHz: 500 }, 'AC/L1/Voltage', 2)).toBe(4);
  expect(valueAt(content, 'AC/L1/Voltage', 9)).toBeUndefined();
  expect(valueAt(content, 'AC/L3/Voltage', 0)).toBeUndefined();
  expect([-99, 0, 99].map((ms) => placeAt(content, ms))).toEqual([0, 2, 4]);
});

test('a scale holds all values with room around them, also where nothing moves', () => {
  const [low, high] = rangeOf([-5, 20]);
  expect(low).toBeLessThan(-5);
  expect(high).toBeGreaterThan(20);
  const [below, above] = rangeOf([0, 0]);
  expect(below).toBeLessThan(0);
  expect(above).toBeGreaterThan(0);
  expect(rangeOf([])).toEqual([0, 1]);
});
