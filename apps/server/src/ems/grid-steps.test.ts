import { expect, test } from 'vitest';
import type { GridDevice } from './ems.store.ts';
import { GridHistory } from './grid-history.ts';
import { limitable, measuredMs, nextStep, OLDEST_GRID_MS, releasing, reportsOf } from './grid-steps.ts';

const NOW = 1_800_000_000_000;
const device = (id: string, over: Partial<GridDevice> = {}): GridDevice => ({
  id,
  loggerId: 'logger',
  sn: id,
  kind: 'inverter',
  role: '',
  model: 'SW-H10T',
  state: 'normal',
  ratedW: 10_000,
  powerW: 8_000,
  tsMs: NOW,
  powerMs: over.tsMs ?? NOW,
  reportIntervalS: 5,
  limitPercent: 100,
  ownPercent: null,
  pendingPercent: null,
  exportLimitW: null,
  peakLimitW: null,
  ...over,
});
const known = (gridW: number) => ({ gridW, measuredMs: NOW });

test('inverters are told less where more is sold than may be, and nothing more while they have not answered', () => {
  const units = [device('a'), device('b')];
  const step = nextStep(known(-15_000), units, 6_000, NOW);
  expect(step.reason).toBe('lowered');
  expect(step.told.map(({ toPercent }) => toPercent)).toEqual([35, 34]);
  const asked = units.map((unit, place) => ({ ...unit, pendingPercent: step.told[place]?.toPercent ?? null }));
  expect(nextStep(known(-15_000), asked, 6_000, NOW).told).toEqual([]);
});

test('an inverter that has not answered counts with what it gave before: the others are told less instead', () => {
  const units = [device('silent', { limitPercent: 50, powerW: 5_000, pendingPercent: 20 }), device('b')];
  const step = nextStep(known(-12_000), units, 8_000, NOW);
  expect(step.told.map(({ device: { id } }) => id)).toEqual(['b']);
});

test('old values are none: no more may be given than may be sold', () => {
  const step = nextStep({ gridW: 20_000, measuredMs: NOW - OLDEST_GRID_MS - 1 }, [device('a')], 4_000, NOW);
  expect(step).toMatchObject({ reason: 'blind', gridW: null });
  expect(step.told[0]?.toPercent).toBe(39);
});

test('inverters without a connection or a rating are told nothing', () => {
  const away = [device('a', { state: 'offline' }), device('b', { ratedW: null }), device('m', { kind: 'meter' })];
  expect(limitable(away)).toEqual([]);
  expect(nextStep(known(-9_000), away, 1_000, NOW).told).toEqual([]);
});

test('the grid power is as old as its meter says, whatever else tells of the plant', () => {
  const meter = device('m', { kind: 'meter', role: 'grid', tsMs: NOW - 200_000 });
  expect(measuredMs([device('a'), meter], NOW)).toBe(NOW - 200_000);
  expect(measuredMs([device('a')], NOW)).toBe(NOW);
});

test('a meter whose role nobody has told measures the grid; one of the generation, load or generator does not', () => {
  const meter = (role: string) => device('m', { kind: 'meter', role, tsMs: NOW - 200_000 });
  expect(measuredMs([meter('')], NOW)).toBe(NOW - 200_000);
  for (const role of ['pv', 'load', 'generator']) expect(measuredMs([meter(role)], NOW)).toBe(NOW);
});

test('what an inverter gave a while ago is not added to what is sold now; one that sleeps, and gave nothing, disturbs nobody', () => {
  const silent = device('silent', { tsMs: NOW - OLDEST_GRID_MS - 1, powerW: 8_000 });
  expect(nextStep(known(-15_000), [silent, device('b')], 6_000, NOW)).toMatchObject({ reason: 'blind', gridW: null });
  const asleep = { ...silent, powerW: 0 };
  expect(nextStep(known(-15_000), [asleep, device('b')], 6_000, NOW)).toMatchObject({ reason: 'lowered' });
});

test('how soon a limit is held follows from the slowest report; where that is too old when it comes, not at all', () => {
  const meter = (reportIntervalS: number, role = 'grid') => device('m', { kind: 'meter', role, reportIntervalS });
  expect(reportsOf([device('a'), meter(60)])).toEqual({ everyS: 60, holdsWithinS: 70 });
  expect(reportsOf([device('a'), meter(300)])).toEqual({ everyS: 300, holdsWithinS: null });
  expect(reportsOf([device('a'), meter(300, 'load')])).toEqual({ everyS: 5, holdsWithinS: 15 });
  expect(reportsOf([])).toBeNull();
});

test('where meter and inverter tell at other moments, limits are lowered and not raised until an output of the moment of the meter is known', () => {
  const history = new GridHistory();
  const at = (gridMs: number, gridW: number, powerMs: number, powerW: number, nowMs: number) =>
    nextStep(
      { gridW, measuredMs: gridMs },
      [device('a', { powerW, tsMs: powerMs, powerMs, limitPercent: 40, reportIntervalS: 10 })],
      4_000,
      nowMs,
      history,
    ).told.map(({ toPercent }) => toPercent);
  // 4 kW now and what was bought 5 s ago, without sun, would be a load of 6 kW.
  expect(at(NOW - 5_000, 2_000, NOW, 4_000, NOW)).toEqual([]);
  // It gave 4 kW before and after: the house draws 1 kW.
  expect(at(NOW + 5_000, -3_000, NOW, 4_000, NOW + 5_000)).toEqual([]);
  expect(at(NOW + 5_000, -3_000, NOW + 10_000, 4_000, NOW + 10_000)).toEqual([49]);
});

test('a limit that ends lets those give all again that were limited, or are about to be', () => {
  const step = releasing([
    device('a', { limitPercent: 35 }),
    device('b'),
    device('c', { limitPercent: 100, pendingPercent: 27 }),
  ]);
  expect(step.told.map(({ device: { id }, toPercent }) => [id, toPercent])).toEqual([
    ['a', 100],
    ['c', 100],
  ]);
});

test('a limit that somebody has set is never lifted, and comes back at the end of the control', () => {
  const [own, free] = [device('a', { ownPercent: 60, limitPercent: 60, powerW: 6_000 }), device('b')];
  expect(nextStep(known(4_000), [own, free], 6_000, NOW).told).toEqual([]);
  const lowered = nextStep(known(-14_000), [own, free], 6_000, NOW).told;
  expect(lowered.find(({ device: { id } }) => id === 'a')?.toPercent).toBeLessThan(60);
  const units = [own, free].map((unit) => ({
    ...unit,
    limitPercent: lowered.find(({ device: { id } }) => id === unit.id)?.toPercent ?? null,
    powerW: 100,
  }));
  const raised = nextStep(known(5_000), units, 6_000, NOW).told;
  expect(raised.find(({ device: { id } }) => id === 'a')?.toPercent).toBeLessThanOrEqual(60);
  expect(releasing(units).told.map(({ toPercent }) => toPercent)).toEqual([60, 100]);
  expect(releasing([own]).told).toEqual([]);
});

test('a meter that another one has replaced blinds nobody; one that is silent since an hour does', () => {
  const meter = (id: string, tsMs: number) => device(id, { kind: 'meter', role: 'grid', tsMs });
  expect(measuredMs([meter('old', NOW - 2 * 86_400_000), meter('new', NOW)], NOW)).toBe(NOW);
  expect(measuredMs([meter('old', NOW - 3_600_000), meter('new', NOW)], NOW)).toBe(NOW - 3_600_000);
});
