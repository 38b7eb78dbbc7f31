import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearSky, type Sky, skyOf, worstMeanW } from '../testing/sky.ts';
import {
  beginning,
  CONTACTOR_MS,
  CONTROL_EVERY_MS,
  type ControlState,
  controlled,
  leastPowerW,
  mostBySunW,
  type PileLimits,
} from './charging-control.ts';
import { type OfferChange, surplusOf } from './plant-surplus.ts';

const VOLTAGE_V = 230;
/** A datalogger that reports every ten seconds, and what a charge point and a vehicle take to follow. */
const REPORT_S = 10;
const STORED_S = 2;
const FOLLOW_S = 4;
const reactionMs = (REPORT_S + STORED_S + FOLLOW_S) * 1_000;
const HOURS = 3;

interface Vehicle {
  limits: PileLimits;
  /** What it takes at most of what it is offered, W. */
  takesW?: number;
}

interface Driven {
  readonly limits: PileLimits;
  readonly takesW: number;
  state: ControlState;
  drawnW: number;
  /** What it told last, and when. */
  powerW: number;
  readMs: number;
  change: OfferChange | undefined;
  readonly told: { atS: number; currentA: number; phases: 1 | 3 }[];
  readonly switchedS: number[];
  chargedWh: number;
}

const powerOf = (currentA: number, phases: 1 | 3): number => currentA * VOLTAGE_V * phases;

const driven = ({ limits, takesW = Number.POSITIVE_INFINITY }: Vehicle): Driven => ({
  limits,
  takesW,
  state: { ...beginning(limits, 0), switchedMs: -CONTACTOR_MS },
  drawnW: 0,
  powerW: 0,
  readMs: 0,
  change: undefined,
  told: [],
  switchedS: [],
  chargedWh: 0,
});

/** Drives a plant with several piles second by second; the first is served first. Returns what was bought beyond the least currents, W. */
function drive(vehicles: readonly Vehicle[], { clearW, light, houseW }: Sky): { piles: Driven[]; beyondW: number[] } {
  const piles = vehicles.map(driven);
  const beyondW: number[] = [];
  let measured: { atS: number; gridW: number } | undefined;
  let arrived = measured;
  for (let second = 0; second < HOURS * 3_600; second += 1) {
    let leastW = 0;
    for (const pile of piles) {
      const offered = pile.told.findLast(({ atS }) => atS + FOLLOW_S <= second) ?? { currentA: 0, phases: 1 as const };
      const was = pile.drawnW;
      pile.drawnW = Math.min(pile.takesW, powerOf(offered.currentA, offered.phases));
      if (was > 0 !== pile.drawnW > 0) pile.switchedS.push(second);
      if (pile.drawnW > 0) leastW += leastPowerW(offered.phases);
      pile.chargedWh += pile.drawnW / 3_600;
    }
    const allW = piles.reduce((sum, { drawnW }) => sum + drawnW, 0);
    const gridW = houseW(second) + allW - clearW * light(second);
    beyondW.push(Math.max(0, Math.min(gridW, allW) - leastW));
    if (second % REPORT_S === 0) measured = { atS: second, gridW };
    if (second % REPORT_S === FOLLOW_S + 2)
      for (const pile of piles) Object.assign(pile, { powerW: pile.drawnW, readMs: second * 1_000 });
    const isNew = measured !== undefined && second === measured.atS + STORED_S;
    if (isNew) arrived = measured;
    if (isNew || (second * 1_000) % CONTROL_EVERY_MS === 0) decide(piles, arrived, second);
  }
  return { piles, beyondW };
}

function decide(piles: readonly Driven[], arrived: { atS: number; gridW: number } | undefined, second: number): void {
  const nowMs = second * 1_000;
  const powers = arrived && {
    siteId: '',
    gridW: arrived.gridW,
    batteryW: null,
    chargerW: null,
    ts: new Date(arrived.atS * 1_000),
  };
  for (const [place, pile] of piles.entries()) {
    const rivals = piles.flatMap((other, otherPlace) => {
      if (other === pile) return [];
      const { currentA, phases } = other.state;
      return {
        ...other,
        comesFirst: otherPlace < place,
        offeredW: powerOf(currentA, phases),
        leastW: leastPowerW(phases),
        mostW: mostBySunW(other.limits, { reactionMs, sharers: piles.length }),
      };
    });
    const surplus = surplusOf(powers, pile, rivals, nowMs);
    if (surplus === 'settling') continue;
    const { state } = controlled(pile.limits, pile.state, {
      nowMs,
      mode: 'solar',
      isPlugged: true,
      isStopped: false,
      isInTime: true,
      surplus,
      reactionMs,
      sharers: piles.length,
    });
    const { currentA, phases } = pile.state;
    pile.state = state;
    if (state.currentA === currentA && state.phases === phases) continue;
    pile.told.push({ atS: second, currentA: state.currentA, phases: state.phases });
    pile.change = { atMs: nowMs, fromW: powerOf(currentA, phases), toW: powerOf(state.currentA, state.phases) };
  }
}

const one: PileLimits = { phases: 'one', mostA: 16 };
const three: PileLimits = { phases: 'three', mostA: 16 };
const switching: PileLimits = { phases: 'switching', mostA: 16 };

test.each([
  ['of one phase', [one, one]],
  ['of one and of three phases', [one, three]],
  ['of three phases and one that switches', [three, switching]],
])(
  'two piles %s together buy no more than 100 W over five minutes beyond their least currents, whatever clouds pass',
  (_, limits) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        const { piles, beyondW } = drive(
          limits.map((each) => ({ limits: each })),
          skyOf(seed),
        );
        expect(worstMeanW(beyondW)).toBeLessThanOrEqual(100);
        for (const { switchedS } of piles)
          for (const [place, second] of switchedS.entries())
            if (place > 0) expect(second - (switchedS[place - 1] ?? 0)).toBeGreaterThanOrEqual(CONTACTOR_MS / 1_000);
      }),
      { numRuns: 25 },
    );
  },
);

test('under a clear sky both charge as fast as what may be bought for a cloud allows, and nothing is bought', () => {
  const { piles, beyondW } = drive([{ limits: one }, { limits: one }], { ...clearSky, clearW: 6_500 });
  for (const { drawnW } of piles) expect(drawnW).toBeGreaterThan(leastPowerW(1) + 600);
  expect(worstMeanW(beyondW)).toBe(0);
});

test('of what is not enough for both the first has all that it can take', () => {
  const { piles, beyondW } = drive([{ limits: one }, { limits: one }], { ...clearSky, clearW: 4_100 });
  const [first, second] = piles.map(({ drawnW }) => drawnW);
  expect(first).toBeGreaterThan(leastPowerW(1) + 600);
  expect(second).toBeLessThan(leastPowerW(1) + 300);
  expect(second).toBeGreaterThanOrEqual(leastPowerW(1));
  expect(worstMeanW(beyondW)).toBe(0);
});

test('what is enough for one goes to the first alone', () => {
  const { piles } = drive([{ limits: one }, { limits: one }], { ...clearSky, clearW: 2_600 });
  expect(piles.map(({ chargedWh }) => chargedWh > 0)).toEqual([true, false]);
});

test('what the vehicle at the first does not take is the second’s', () => {
  const { piles } = drive([{ limits: three, takesW: 2_760 }, { limits: one }], { ...clearSky, clearW: 5_000 });
  expect(piles[1]?.drawnW).toBeGreaterThanOrEqual(leastPowerW(1));
});
