import { Random } from '@sonnenwarte/energy/random';
import { expect, test } from 'vitest';
import type { GridDevice } from './ems.store.ts';
import { GridHistory } from './grid-history.ts';
import { measuredMs, nextStep } from './grid-steps.ts';

const START = 1_800_000_000_000;
const EXPORT_W = 20_000;
const RATED_W = [30_000, 20_000, 10_000] as const;

interface Course {
  readonly seed: number;
  readonly meterS: number;
  readonly inverterS: number;
  /** How much later inverters tell than the meter. */
  readonly apartS: number;
}

/**
 * A plant second by second, of which the portal knows only what is told: the meter and the inverters each at their own moments, a second after they
 * measured. Orders arrive after two seconds; inverters go half of the way in one.
 */
function run({ seed, meterS, inverterS, apartS }: Course) {
  const random = new Random(seed);
  const history = new GridHistory();
  const device = (id: string, over: Partial<GridDevice>): GridDevice => ({
    id,
    loggerId: '',
    sn: id,
    kind: 'inverter',
    role: '',
    model: '',
    state: 'normal',
    ratedW: null,
    powerW: null,
    tsMs: null,
    powerMs: null,
    reportIntervalS: inverterS,
    limitPercent: 100,
    ownPercent: null,
    pendingPercent: null,
    exportLimitW: null,
    peakLimitW: null,
    ...over,
  });
  const units = RATED_W.map((ratedW, place) => ({
    ratedW,
    outputW: 0,
    sun: 0.8,
    percent: 100,
    told: device(`${place}`, { ratedW }),
    reports: [] as { atS: number; w: number }[],
    orders: [] as { dueS: number; percent: number }[],
  }));
  let meter = device('meter', { kind: 'meter', role: 'grid', reportIntervalS: meterS });
  const metered: { atS: number; w: number }[] = [];
  let grid: number | null = null;
  let loadW = 8_000;
  let overSinceS: number | undefined;
  let longestOverS = 0;
  let soldWs = 0;
  let possibleWs = 0;
  for (let second = 0; second < 3_600; second += 1) {
    const nowMs = START + second * 1_000;
    if (random.next() < 1 / 200) {
      loadW = 1_000 + random.next() * 25_000;
      overSinceS = undefined;
    }
    let isHeard = false;
    for (const unit of units) {
      if (random.next() < 1 / 60) unit.sun = 0.1 + random.next() * 0.9;
      const wantedW = Math.min(unit.percent / 100, unit.sun) * unit.ratedW;
      unit.outputW += (wantedW - unit.outputW) / 2;
      for (const { percent } of unit.orders.filter(({ dueS }) => dueS === second)) {
        unit.percent = percent;
        // An answer is a message of the device without its power.
        unit.told = { ...unit.told, limitPercent: percent, pendingPercent: null, tsMs: nowMs };
        isHeard = true;
      }
      if ((second + inverterS - apartS) % inverterS === 0) unit.reports.push({ atS: second, w: unit.outputW });
      for (const { atS, w } of unit.reports.filter(({ atS }) => atS === second - 1)) {
        const atMs = START + atS * 1_000;
        unit.told = { ...unit.told, powerW: w, powerMs: atMs, tsMs: Math.max(atMs, unit.told.tsMs ?? 0) };
        isHeard = true;
      }
    }
    const outputW = units.reduce((sum, unit) => sum + unit.outputW, 0);
    const soldW = outputW - loadW;
    if (second % meterS === 0) metered.push({ atS: second, w: -soldW });
    for (const { atS, w } of metered.filter(({ atS }) => atS === second - 1)) {
      grid = w;
      meter = { ...meter, tsMs: START + atS * 1_000 };
      isHeard = true;
    }
    if (second > 2 * Math.max(meterS, inverterS) + 10) {
      soldWs += Math.max(0, soldW);
      const sunW = units.reduce((sum, unit) => sum + unit.sun * unit.ratedW, 0);
      possibleWs += Math.max(0, Math.min(EXPORT_W, sunW - loadW));
      if (soldW <= EXPORT_W * 1.03) overSinceS = undefined;
      else overSinceS ??= second;
      longestOverS = Math.max(longestOverS, overSinceS === undefined ? 0 : second - overSinceS + 1);
    }
    if (!isHeard) continue;
    const devices = [...units.map(({ told }) => told), meter];
    const step = nextStep({ gridW: grid, measuredMs: measuredMs(devices, null) }, devices, EXPORT_W, nowMs, history);
    for (const { device: told, toPercent } of step.told) {
      const unit = units.find((each) => each.told.id === told.id);
      if (unit === undefined) continue;
      unit.told = { ...unit.told, pendingPercent: toPercent };
      unit.orders.push({ dueS: second + 2, percent: toPercent });
    }
  }
  return { longestOverS, soldShare: soldWs / possibleWs };
}

const seeds = [1, 2, 3, 4];

test.each([
  { meterS: 2, inverterS: 2, apartS: 1, sells: 0.8 },
  { meterS: 5, inverterS: 5, apartS: 2, sells: 0.8 },
  { meterS: 10, inverterS: 10, apartS: 5, sells: 0.8 },
  { meterS: 10, inverterS: 10, apartS: 0, sells: 0.8 },
  { meterS: 5, inverterS: 30, apartS: 13, sells: 0.6 },
  { meterS: 60, inverterS: 60, apartS: 30, sells: 0.6 },
  { meterS: 30, inverterS: 5, apartS: 3, sells: 0.6 },
])(
  'what is told at different moments (meter each $meterS s, inverters each $inverterS s, $apartS s apart) is sold 3 percent above the limit no longer than the slowest report and ten seconds',
  ({ sells, ...course }) => {
    for (const seed of seeds) {
      const { longestOverS, soldShare } = run({ ...course, seed });
      expect(longestOverS, `course ${seed}`).toBeLessThanOrEqual(10 + Math.max(course.meterS, course.inverterS));
      expect(soldShare, `course ${seed}`).toBeGreaterThan(sells);
    }
  },
);
