import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clearSky as clear, type Sky, skyOf, worstMeanW } from '../testing/sky.ts';
import {
  beginning,
  CONTACTOR_MS,
  CONTROL_EVERY_MS,
  type ControlState,
  controlled,
  leastPowerW,
  type PileLimits,
} from './charging-control.ts';

const VOLTAGE_V = 233;
/** A logger that reports every ten seconds, and what a charge point and a vehicle take to follow. */
const REPORT_S = 10;
const STORED_S = 2;
const FOLLOW_S = 4;
const reactionMs = (REPORT_S + STORED_S + FOLLOW_S) * 1_000;

interface Ride {
  /** W bought for it beyond the least current, second by second. */
  beyondW: number[];
  switchedS: number[];
  chargedWh: number;
}

/** Drives a plant second by second: what is measured arrives late, and the vehicle follows late. */
function drive(limits: PileLimits, { clearW, light, houseW }: Sky, seconds = 14_400): Ride {
  const ride: Ride = { beyondW: [], switchedS: [], chargedWh: 0 };
  let state: ControlState = { ...beginning(limits, 0), switchedMs: -CONTACTOR_MS };
  let drawnW = 0;
  const told: { atS: number; currentA: number; phases: 1 | 3 }[] = [];
  let measured: { atS: number; freeW: number; boughtW: number; drawnW: number } | undefined;
  let arrived = measured;
  for (let second = 0; second < seconds; second += 1) {
    const offered = told.findLast(({ atS }) => atS + FOLLOW_S <= second);
    const was = drawnW;
    drawnW = (offered?.currentA ?? 0) * VOLTAGE_V * (offered?.phases ?? 1);
    if (was > 0 !== drawnW > 0) ride.switchedS.push(second);
    const gridW = houseW(second) + drawnW - clearW * light(second);
    const least = drawnW === 0 ? 0 : 6 * VOLTAGE_V * (offered?.phases ?? 1);
    ride.beyondW.push(Math.max(0, Math.min(gridW, drawnW - least)));
    ride.chargedWh += drawnW / 3_600;
    if (second % REPORT_S === 0) measured = { atS: second, freeW: drawnW - gridW, boughtW: Math.max(0, gridW), drawnW };
    const isNew = measured !== undefined && second === measured.atS + STORED_S;
    if (isNew) arrived = measured;
    if (!isNew && (second * 1_000) % CONTROL_EVERY_MS !== 0) continue;
    const decision = controlled(limits, state, {
      nowMs: second * 1_000,
      mode: 'solar',
      isPlugged: true,
      isStopped: false,
      isInTime: true,
      surplus: arrived && { ...arrived, tsMs: arrived.atS * 1_000 },
      reactionMs,
      sharers: 1,
    });
    const { currentA, phases } = decision.state;
    if (currentA !== state.currentA || phases !== state.phases) told.push({ atS: second, currentA, phases });
    state = decision.state;
  }
  return ride;
}

const piles: readonly PileLimits[] = [
  { phases: 'one', mostA: 16 },
  { phases: 'three', mostA: 16 },
  { phases: 'switching', mostA: 16 },
  { phases: 'one', mostA: 32 },
];

describe.each(piles)('by sun only, on $phases phases up to $mostA A', (limits) => {
  test('whatever clouds pass, no more than 100 W are bought over five minutes beyond the least current', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        expect(worstMeanW(drive(limits, skyOf(seed)).beyondW)).toBeLessThanOrEqual(100);
      }),
      { numRuns: 60 },
    );
  });

  test('the contactor is never switched twice within five minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (seed) => {
        const { switchedS } = drive(limits, skyOf(seed));
        for (const [place, second] of switchedS.entries())
          if (place > 0) expect(second - (switchedS[place - 1] ?? 0)).toBeGreaterThanOrEqual(CONTACTOR_MS / 1_000);
      }),
      { numRuns: 60 },
    );
  });

  test('under a clear sky it charges without pause and buys nothing', () => {
    const ride = drive(limits, clear);
    expect(ride.beyondW.every((w) => w === 0)).toBe(true);
    const phases = limits.phases === 'one' ? 1 : 3;
    expect(ride.chargedWh).toBeGreaterThan((leastPowerW(phases) + 900) * 3.7);
  });
});

const limits: PileLimits = { phases: 'three', mostA: 16 };
const conditions = {
  nowMs: 3_600_000,
  mode: 'solar',
  isPlugged: true,
  isStopped: false,
  isInTime: true,
  surplus: undefined,
  reactionMs,
  sharers: 1,
} as const;
const on: ControlState = { ...beginning(limits, 0), currentA: 14 };

test('without values it goes down to the least current at once, and pauses after five minutes', () => {
  const first = controlled(limits, on, conditions);
  expect(first).toMatchObject({ why: 'unknownSurplus', state: { currentA: 6 } });
  const later = controlled(limits, first.state, { ...conditions, nowMs: conditions.nowMs + CONTACTOR_MS });
  expect(later).toMatchObject({ why: 'unknownSurplus', state: { currentA: 0 } });
});

test('without sun it never starts', () => {
  const ride = drive(limits, { ...clear, clearW: 3_000 });
  expect(ride.chargedWh).toBe(0);
});

test('without a vehicle nothing is offered by sun, and the contactor counts as not switched', () => {
  const { state, why } = controlled(limits, on, { ...conditions, isPlugged: false });
  expect({ why, currentA: state.currentA, switchedMs: state.switchedMs }).toEqual({
    why: 'noCar',
    currentA: 0,
    switchedMs: on.switchedMs,
  });
});

test('at its times it charges as fast as it may, and not beside them', () => {
  const scheduled = { ...conditions, mode: 'scheduled' } as const;
  expect(controlled(limits, beginning(limits, 0), scheduled)).toMatchObject({
    why: 'scheduled',
    state: { currentA: 16 },
  });
  const beside = controlled(limits, on, { ...scheduled, isInTime: false });
  expect(beside).toMatchObject({ why: 'outsideTimes', state: { currentA: 0 } });
});

test('a contactor that was just switched waits, and it says until when', () => {
  const decision = controlled(
    limits,
    { ...on, switchedMs: conditions.nowMs - 60_000 },
    {
      ...conditions,
      mode: 'scheduled',
      isInTime: false,
    },
  );
  expect(decision).toMatchObject({
    why: 'contactorPause',
    untilMs: conditions.nowMs - 60_000 + CONTACTOR_MS,
    state: { currentA: 6 },
  });
});

test('what somebody has stopped stays stopped in every mode', () => {
  for (const mode of ['fast', 'solar', 'scheduled'] as const)
    expect(controlled(limits, on, { ...conditions, mode, isStopped: true })).toMatchObject({
      why: 'stopped',
      state: { currentA: 0 },
    });
});
