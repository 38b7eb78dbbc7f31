import { expect, test } from 'vitest';
import type { PurchaseDevice } from './purchase.store.ts';
import { endingPurchase, nextPurchaseStep, shortfallOf } from './purchase-steps.ts';
import { batteryInverters, deviceObstacle, OLDEST_VALUE_MS, portalObstacle, REFUSED_FOR_MS } from './purchase-units.ts';

const NOW = 1_800_000_000_000;
const SET = NOW - 3_600_000;
type Setting = PurchaseDevice['settings'][string];

const told = (value: number, over: Partial<Setting> = {}): Setting => ({
  told: value,
  own: value,
  source: null,
  sinceMs: null,
  isDrifted: false,
  low: null,
  high: null,
  isReadOnly: false,
  ...over,
});
const ours = (value: number, own: number): Setting => told(value, { own, source: 'ems', sinceMs: SET + 1_000 });
const settings = (over: Record<string, Setting> = {}): PurchaseDevice['settings'] => ({
  'Setting/WorkMode': told(1),
  'Setting/PeakLimit': told(40_000),
  'Setting/DischargePower': told(7_500),
  'Setting/MinSoc': told(10),
  'Setting/ParallelMode': told(0),
  ...over,
});
const device = (sn: string, over: Partial<PurchaseDevice> = {}): PurchaseDevice => ({
  id: sn,
  loggerId: 'logger',
  sn,
  kind: 'inverter',
  model: 'SW-H10T',
  firmware: '3.14.2',
  state: 'normal',
  ratedW: 10_000,
  capacityWh: null,
  powerW: 0,
  socPercent: null,
  tsMs: NOW,
  settings: settings(),
  pending: {},
  refusedMs: null,
  ...over,
});
const battery = (sn: string, socPercent: number, powerW = 0, over: Partial<PurchaseDevice> = {}): PurchaseDevice =>
  device(sn, { kind: 'battery', settings: {}, socPercent, powerW, capacityWh: 15_000, ratedW: null, ...over });
/** As the portal has set it for a limit of 10 kW. */
const shaving = (targetW: number, capW = 7_500) =>
  settings({
    'Setting/WorkMode': ours(5, 1),
    'Setting/PeakLimit': ours(targetW, 40_000),
    'Setting/DischargePower': ours(capW, 7_500),
  });
const ground = (gridW: number, over = {}) => ({
  gridW,
  measuredMs: NOW,
  limitW: 10_000,
  setAtMs: SET,
  mayShare: true,
  ...over,
});

test('inverters begin with mode and target, and are told nothing more while they have not answered', () => {
  const devices = [device('a'), device('b'), battery('x', 60), battery('y', 60)];
  const { told: first } = nextPurchaseStep(ground(8_000), devices, NOW);
  expect(first.map(({ device: { id }, reason, values }) => [id, reason, values])).toEqual([
    ['a', 'peakBegun', { 'Setting/WorkMode': 5, 'Setting/PeakLimit': 9_900 }],
    ['b', 'peakBegun', { 'Setting/WorkMode': 5, 'Setting/PeakLimit': 9_800 }],
  ]);
  const asked = devices.map((each) =>
    each.kind === 'battery' ? each : { ...each, pending: { 'Setting/WorkMode': { value: 5, isOurs: true } } },
  );
  expect(nextPurchaseStep(ground(20_000), asked, NOW).told).toEqual([]);
});

test('who does not lead has its share by the energy that is left, with the reason; who leads is free', () => {
  const devices = [
    device('a', { settings: shaving(9_900), powerW: 4_000 }),
    device('b', { settings: shaving(9_800), powerW: 4_000 }),
    battery('x', 41, 4_000),
    battery('y', 21, 4_000),
  ];
  const step = nextPurchaseStep(ground(9_900), devices, NOW);
  expect(step).toMatchObject({ needW: 8_000, isOnlyShared: true });
  expect(step.told).toMatchObject([
    {
      device: { id: 'b' },
      reason: 'peakShared',
      values: { 'Setting/DischargePower': 1_925 },
      fromW: 7_500,
      toW: 1_925,
    },
  ]);
  expect(nextPurchaseStep(ground(9_900, { mayShare: false }), devices, NOW).told).toEqual([]);
});

test('in a parallel group the secondaries have no target of their own', () => {
  const group = (mode: number) => settings({ 'Setting/ParallelMode': told(mode) });
  const devices = [
    device('a', { settings: group(1) }),
    device('b', { settings: group(2) }),
    battery('x', 60),
    battery('y', 60),
  ];
  expect(nextPurchaseStep(ground(8_000), devices, NOW).told.map(({ values }) => values)).toEqual([
    { 'Setting/WorkMode': 5, 'Setting/PeakLimit': 9_900 },
    { 'Setting/WorkMode': 5 },
  ]);
});

test('old values are none, and then nobody is told anything: inverters measure by themselves', () => {
  const devices = [device('a', { settings: shaving(9_900) }), battery('x', 60)];
  const step = nextPurchaseStep(ground(30_000, { measuredMs: NOW - OLDEST_VALUE_MS - 1 }), devices, NOW);
  expect(step).toMatchObject({ gridW: null, needW: null, told: [] });
});

test.each([
  ['away', device('a', { state: 'offline' })],
  ['away', device('a', { tsMs: NOW - OLDEST_VALUE_MS - 1 })],
  ['refused', device('a', { refusedMs: NOW - REFUSED_FOR_MS + 1 })],
  ['own', device('a', { settings: settings({ 'Setting/WorkMode': told(3, { source: 'hand', sinceMs: SET + 1 }) }) })],
  [
    'own',
    device('a', { settings: settings({ 'Setting/PeakLimit': { ...ours(9_900, 40_000), told: 5, isDrifted: true } }) }),
  ],
] as const)('one that is "%s" is told nothing', (part, unit) => {
  const devices = [unit, battery('x', 60)];
  expect(batteryInverters(devices, NOW, SET)).toMatchObject([{ part }]);
  expect(nextPurchaseStep(ground(30_000), devices, NOW).told).toEqual([]);
});

test('what somebody had set before the limit takes nobody out, and bounds what a battery may give', () => {
  const before = told(4_000, { source: 'hand', sinceMs: SET - 1 });
  const devices = [
    device('a', {
      settings: settings({
        'Setting/WorkMode': told(1, { source: 'hand', sinceMs: SET - 1 }),
        'Setting/DischargePower': before,
      }),
    }),
    battery('x', 60),
  ];
  expect(batteryInverters(devices, NOW, SET)).toMatchObject([{ part: 'holds', mostW: 4_000 }]);
});

test('what the sun gives leaves less room to the battery, and a battery at its minimum none to count on', () => {
  const devices = [device('a', { powerW: 9_000 }), device('b'), battery('x', 60, 2_000), battery('y', 10.5)];
  expect(batteryInverters(devices, NOW, SET)).toMatchObject([
    { part: 'holds', mostW: 3_000, usableWh: 7_350 },
    { part: 'empty', usableWh: 0 },
  ]);
});

test('batteries of which nobody says whose they are count for all inverters of their datalogger', () => {
  const devices = [device('a'), device('b', { ratedW: 5_000 }), battery('x', 61, 3_000)];
  expect(batteryInverters(devices, NOW, SET)).toMatchObject([
    { usableWh: 5_000, batteryW: 2_000 },
    { usableWh: 2_500, batteryW: 1_000 },
  ]);
});

test('at the end each gets back what it had; of what somebody has set since, or the device itself, nothing', () => {
  const step = endingPurchase([
    device('a', { settings: shaving(9_900, 2_000) }),
    device('b', {
      settings: { ...shaving(9_800, 2_000), 'Setting/WorkMode': told(3, { source: 'hand', sinceMs: SET + 1 }) },
    }),
    device('c', { settings: { ...shaving(9_800), 'Setting/WorkMode': { ...ours(2, 1), isDrifted: true } } }),
    device('d'),
  ]);
  expect(step.told.map(({ device: { id }, values, reason }) => [id, values, reason])).toEqual([
    ['a', { 'Setting/WorkMode': 1, 'Setting/PeakLimit': 40_000, 'Setting/DischargePower': 7_500 }, 'released'],
    ['b', { 'Setting/PeakLimit': 40_000, 'Setting/DischargePower': 7_500 }, 'released'],
    ['c', { 'Setting/PeakLimit': 40_000 }, 'released'],
  ]);
});

test('what is bought beyond the limit is told with the reason: empty, all they can give, or under way', () => {
  const at = (gridW: number, devices: readonly PurchaseDevice[]) =>
    shortfallOf({ ...ground(gridW), controller: 'portal' }, devices, NOW);
  const inverter = device('a', { settings: shaving(9_900), powerW: 7_500 });
  expect(at(10_300, [inverter, battery('x', 60, 7_500)])).toBeNull();
  expect(at(13_000, [inverter, battery('x', 60, 7_500)])).toEqual({ missingW: 3_000, why: 'weak' });
  expect(at(13_000, [{ ...inverter, powerW: 1_000 }, battery('x', 60, 1_000)])).toEqual({
    missingW: 3_000,
    why: 'underWay',
  });
  expect(at(13_000, [inverter, battery('x', 10)])).toEqual({ missingW: 3_000, why: 'empty' });
});

test('what stands in the way is named', () => {
  const solar = device('s', { model: 'SW-S20T' });
  const ems = device('e', { kind: 'ems', model: 'SW-E1' });
  const [one, two, store] = [device('a'), device('b'), battery('x', 60)];
  expect(deviceObstacle([one], false)).toBe('noBattery');
  expect(deviceObstacle([one, two, store], false)).toBe('noHolder');
  expect(deviceObstacle([solar, store], false)).toBe('noSetting');
  expect(deviceObstacle([ems, one, two, store], false)).toBeNull();
  expect(deviceObstacle([one, store], true)).toBe('followsPlan');
  expect(portalObstacle([one, two], 0, false)).toBe('noBattery');
  expect(portalObstacle([ems, one, store], 0, false)).toBe('directedByEms');
  expect(portalObstacle([solar, store], 0, false)).toBe('noSetting');
  expect(portalObstacle([device('a', { ratedW: null }), store], 0, false)).toBe('noRating');
  expect(portalObstacle([one, two, store], null, false)).toBe('noGridPower');
  expect(portalObstacle([one, two, store], 0, true)).toBe('followsPlan');
  expect(portalObstacle([one, two, store], 0, false)).toBeNull();
});
