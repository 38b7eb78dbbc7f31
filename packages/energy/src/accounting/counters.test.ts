import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CounterOptions, CounterState, CounterStep } from './counters.ts';
import { counterStep, LATCH_MS, REGISTER_WIDTHS_WH } from './counters.ts';

const MINUTE_MS = 60_000;
const OPTIONS: CounterOptions = { maxPowerW: 10_000, gapMs: 20 * MINUTE_MS, wrapWh: [65_536_000], resolutionWh: 10 };

function run(readings: [minute: number, wh: number][], options: CounterOptions = OPTIONS) {
  let state: CounterState | undefined;
  const steps: CounterStep[] = [];
  for (const [minute, wh] of readings) {
    const taken = counterStep(state, minute * MINUTE_MS, wh, options);
    state = taken.state;
    if (taken.step !== undefined) steps.push(taken.step);
  }
  const totalWh = steps.reduce((sum, { energyWh, earlier }) => sum + energyWh + (earlier?.energyWh ?? 0), 0);
  return { state, steps, totalWh };
}

const events = (steps: CounterStep[]) => steps.map(({ event }) => event);

describe('counterStep', () => {
  test('the first reading sets the base and counts nothing', () => {
    expect(counterStep(undefined, 5, 1000, OPTIONS)).toEqual({
      state: { lastTsMs: 5, lastWh: 1000, epoch: 0, changedTsMs: 5, first: { tsMs: 5, wh: 1000 } },
    });
  });

  test('a first reading that is no number is refused', () => {
    expect(() => counterStep(undefined, 5, Number.NaN, OPTIONS)).toThrow(RangeError);
  });

  test('a plausible series counts exactly last minus first, in any thinning', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 15 }), fc.double({ min: 0, max: 1, noNaN: true })), {
          minLength: 1,
        }),
        (increments) => {
          let minute = 0;
          let wh = 5000;
          const readings: [number, number][] = [[0, wh]];
          for (const [minutes, load] of increments) {
            minute += minutes;
            wh += (load * OPTIONS.maxPowerW * minutes) / 60;
            readings.push([minute, wh]);
          }
          const { totalWh, steps } = run(readings);
          expect(totalWh).toBeCloseTo(wh - 5000, 6);
          expect(events(steps).every((event) => event === undefined)).toBe(true);
        },
      ),
    );
  });

  test('no series of readings whatever yields negative energy, a reversed span or more than the power can deliver', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -3, max: 60 }), fc.double({ min: -10, max: 1e8, noNaN: true }))),
        (moves) => {
          let minute = 0;
          const readings = moves.map(([minutes, wh]): [number, number] => {
            minute += minutes;
            return [minute, wh];
          });
          const valid = readings.slice(readings.findIndex(([, wh]) => wh >= 0));
          const { totalWh, steps } = run(readings.some(([, wh]) => wh >= 0) ? valid : []);
          for (const step of steps) {
            expect(step.energyWh).toBeGreaterThanOrEqual(0);
            expect(step.toMs).toBeGreaterThan(step.fromMs);
          }
          const times = valid.map(([at]) => at);
          const hours = (Math.max(0, ...times) - Math.min(0, ...times)) / 60;
          const slackWh = steps.length * (1.2 * OPTIONS.maxPowerW * (LATCH_MS / 3_600_000) + 60);
          expect(totalWh).toBeLessThanOrEqual(1.2 * OPTIONS.maxPowerW * hours * 2 + slackWh);
        },
      ),
    );
  });

  test('a reading that is not later changes nothing', () => {
    const { state } = counterStep(undefined, 1000, 50, OPTIONS);
    expect(counterStep(state, 1000, 60, OPTIONS)).toEqual({ state });
    expect(counterStep(state, 999, 60, OPTIONS)).toEqual({ state });
  });

  test('a fall by one resolution step is noise: nothing is lost and nothing counted twice', () => {
    const { totalWh, steps, state } = run([
      [0, 1000],
      [1, 1010],
      [2, 1000],
      [3, 1010],
      [4, 1020],
    ]);
    expect(totalWh).toBe(20);
    expect(events(steps).every((event) => event === undefined)).toBe(true);
    expect(state?.epoch).toBe(0);
  });

  test('rounding of a large counter to float32 is no reset', () => {
    const kwh = [98_765.43, 98_765.44, 98_765.43, 98_765.46].map((value) => Math.fround(value) * 1000);
    const { state } = run(
      kwh.map((wh, minute): [number, number] => [minute, wh]),
      { ...OPTIONS, resolutionWh: 1 },
    );
    expect(state?.epoch).toBe(0);
  });

  test('a restart from zero counts what the counter gained since, once a second reading confirms it', () => {
    const { totalWh, steps, state } = run([
      [0, 500_000],
      [1, 500_100],
      [2, 50],
      [3, 150],
    ]);
    expect(totalWh).toBe(100 + 50 + 100);
    expect(events(steps)).toEqual([undefined, 'implausible', 'reset']);
    expect(state?.epoch).toBe(1);
  });

  test('a replaced device that starts elsewhere counts only what follows', () => {
    const { totalWh, steps, state } = run([
      [0, 500_000],
      [1, 500_100],
      [2, 90_000],
      [3, 90_100],
    ]);
    expect(totalWh).toBe(100 + 100);
    expect(events(steps)).toEqual([undefined, 'implausible', 'replaced']);
    expect(state?.epoch).toBe(1);
  });

  test('a jump forward that stays is a replacement, not energy', () => {
    const { totalWh, steps, state } = run([
      [0, 500_000],
      [1, 500_100],
      [2, 9_000_000],
      [3, 9_000_100],
    ]);
    expect(totalWh).toBe(200);
    expect(state?.epoch).toBe(1);
    expect(steps.at(-1)?.neededW).toBeGreaterThan(1_000_000);
  });

  test('a single spike up or down is forgotten and costs nothing', () => {
    for (const spike of [0, 6_553_600_000, 123]) {
      const { totalWh, steps, state } = run([
        [0, 500_000],
        [1, 500_100],
        [2, spike],
        [3, 500_300],
      ]);
      expect(totalWh).toBe(300);
      expect(events(steps)).toEqual([undefined, 'implausible', 'implausible']);
      expect(state?.epoch).toBe(0);
    }
  });

  test('a device that reports zeros for a while and recovers loses nothing', () => {
    const { totalWh } = run([
      [0, 500_000],
      [1, 500_100],
      [2, 0],
      [3, 0],
      [4, 0],
      [5, 500_500],
      [6, 500_600],
    ]);
    expect(totalWh).toBe(600);
  });

  test('a jump long after a reset is not taken for the old series', () => {
    const days = 30 * 24 * 60;
    const { totalWh } = run([
      [0, 500_000],
      [1, 0],
      [2, 0],
      [days, 100],
      [days + 1, 600_000],
      [days + 2, 200],
    ]);
    expect(totalWh).toBe(200);
  });

  test('a counter that passes a known width goes on, once a second reading confirms it', () => {
    const { totalWh, steps, state } = run([
      [0, 65_535_800],
      [1, 65_535_900],
      [2, 40],
      [3, 90],
    ]);
    expect(totalWh).toBe(100 + 140 + 50);
    expect(steps.at(-1)).toMatchObject({ event: 'wrap', quality: 'corrected', earlier: { energyWh: 140 } });
    expect(state?.epoch).toBe(0);
  });

  test.each([
    ['so far below a width that the power cannot have reached it', 41_940, 15],
    ['still for a quarter of an hour before', 63_900, 5],
  ])('a fall to zero is a reset where the counter stood %s', (_, standsWh, minutes) => {
    const still = Array.from({ length: 4 }, (_each, index): [number, number] => [1 + index * minutes, standsWh]);
    const { totalWh, steps } = run(
      [[0, standsWh - 10], ...still, [1 + 4 * minutes, 0], [1 + 5 * minutes, 0], [1 + 6 * minutes, 0]],
      { ...OPTIONS, maxPowerW: 5_000, wrapWh: REGISTER_WIDTHS_WH, powerWh: () => 0 },
    );
    expect(totalWh).toBe(10);
    expect(events(steps)).toContain('reset');
  });

  test('a rise that is held back does not become plausible by waiting', () => {
    const jumpWh = 1.5 * ((1.2 * OPTIONS.maxPowerW) / 60) + 20;
    const { totalWh } = run([
      [0, 500_000],
      [1, 500_050],
      [2, 500_050 + jumpWh],
      [3, 500_055 + jumpWh],
      [4, 500_060 + jumpWh],
    ]);
    expect(totalWh).toBeCloseTo(50 + 10, 6);
  });

  test('what was held back counts once more is known of the channel', () => {
    const options = { ...OPTIONS, maxPowerW: 1_000 };
    const first = counterStep(undefined, 0, 500_005, options);
    const held = counterStep(first.state, 5 * MINUTE_MS, 501_005, options);
    expect(held.step).toMatchObject({ energyWh: 0, event: 'implausible' });
    const { step } = counterStep(held.state, 10 * MINUTE_MS, 501_505, { ...options, maxPowerW: 12_000 });
    expect(step).toMatchObject({
      energyWh: 500,
      quality: 'measured',
      earlier: { energyWh: 1_000, quality: 'measured' },
    });
  });

  test('a counter that reports nonsense far above for a while and recovers loses nothing', () => {
    const { totalWh } = run([
      [0, 500_000],
      [1, 500_100],
      [2, 4_294_967_295],
      [3, 4_294_967_295],
      [4, 4_294_967_295],
      [5, 500_500],
      [6, 500_600],
    ]);
    expect(totalWh).toBe(600);
  });

  test.each([0, 4_294_967_295])(
    'a first reading of %i is forgotten when the next do not follow from it',
    (nonsense) => {
      for (const times of [1, 3]) {
        const boot = Array.from({ length: times }, (_each, minute): [number, number] => [minute, nonsense]);
        const { totalWh, steps } = run([...boot, [times, 6_455_800], [times + 1, 6_455_900], [times + 2, 6_456_000]]);
        expect(totalWh).toBe(200);
        expect(steps.findLast(({ opened }) => opened !== undefined)?.opened).toEqual({
          tsMs: times * MINUTE_MS,
          wh: 6_455_800,
        });
      }
    },
  );

  test('a first reading opens the series when another one follows, and stays once the counter has grown from it', () => {
    const { steps } = run([
      [0, 1_000],
      [1, 1_000],
      [2, 1_050],
      [3, 0],
      [4, 0],
    ]);
    expect(steps.map(({ opened }) => opened?.wh)).toEqual([1_000, 1_000, undefined, undefined]);
  });

  test('a counter in steps of 1 kWh is believed however slowly it is counted', () => {
    const { totalWh } = run(
      Array.from({ length: 300 }, (_, minute): [number, number] => [minute, 41_000 + 1_000 * Math.floor(minute / 100)]),
      { ...OPTIONS, maxPowerW: 800, resolutionWh: 100, powerWh: () => 150 },
    );
    expect(totalWh).toBe(2_000);
  });

  test('a counter of which nothing is known, but that goes on rising fast, teaches what its channel carries', () => {
    const options = {
      ...OPTIONS,
      maxPowerW: 30_000,
      learn: (powerW: number) => Object.assign(options, { maxPowerW: powerW }),
    };
    const { totalWh } = run(
      [0, 125, 240, 370, 500, 610].map((kwh, index): [number, number] => [15 * index, 70_005 + kwh * 1_000]),
      options,
    );
    expect(totalWh).toBe(610_000);
  });

  test('after a gap the energy counts in full and is marked estimated', () => {
    const { steps } = run([
      [0, 1000],
      [600, 21_000],
    ]);
    expect(steps).toMatchObject([
      { fromMs: 0, toMs: 600 * MINUTE_MS, energyWh: 20_000, quality: 'estimated', event: 'gap' },
    ]);
  });

  test('a counter that updates every ten minutes but is read every minute is believed and spread over the ten', () => {
    const readings = Array.from({ length: 31 }, (_, minute): [number, number] => [
      minute,
      Math.floor(minute / 10) * 1500,
    ]);
    const { totalWh, steps } = run(readings);
    expect(totalWh).toBe(4500);
    expect(steps.filter(({ energyWh }) => energyWh > 0).map(({ fromMs, toMs }) => (toMs - fromMs) / MINUTE_MS)).toEqual(
      [10, 10, 10],
    );
  });
});
