import { type BurnInLimits, burnInLimits } from '@sonnenwarte/contract/burn-in/plan';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UnitProgress } from '../stores/schema-burn-in.ts';
import { advance, type Frame, failureAtEnd, type Minute, silentSince, stepClosed } from './judge.ts';

const START_MS = Date.UTC(2026, 4, 1, 6);
const MINUTE_MS = 60_000;
const RATED_W = 10_000;

const frameOf = (limits: Partial<BurnInLimits>, minutes = 120): Frame => ({
  startMs: START_MS,
  endMs: START_MS + minutes * MINUTE_MS,
  steps: [
    { minutes: 20, percent: 50 },
    { minutes: 20, percent: 100 },
  ],
  limits: { ...burnInLimits.parse({}), ...limits },
  ratedW: RATED_W,
  nowMs: START_MS + 10 * 24 * 60 * MINUTE_MS,
});

const askedAt = (minute: number): number => (minute % 40 < 20 ? 0.5 : 1) * RATED_W;

const minuteOf = (minute: number, told: Partial<Minute> = {}): Minute => ({
  atMs: START_MS + minute * MINUTE_MS,
  firstMs: START_MS + minute * MINUTE_MS + 1_000,
  lastMs: START_MS + minute * MINUTE_MS + 51_000,
  acW: askedAt(minute),
  dcW: askedAt(minute) / 0.97,
  temperatureC: 40,
  lowVoltageV: 230,
  highVoltageV: 231,
  lowFrequencyHz: 49.98,
  highFrequencyHz: 50.02,
  insulationKOhm: 900,
  ...told,
});

const wholeRun = (minutes: number, told: (minute: number) => Partial<Minute> = () => ({})): Minute[] =>
  Array.from({ length: minutes }, (_, minute) => minuteOf(minute, told(minute)));

const limits = {
  minOutputPercent: 97,
  minEfficiencyPercent: 95,
  maxTemperatureC: 80,
  maxRiseK: 45,
  minVoltageV: 207,
  maxVoltageV: 253,
  minFrequencyHz: 47.5,
  maxFrequencyHz: 51.5,
  minInsulationKOhm: 500,
  maxSilenceMinutes: 5,
};

describe('a unit', () => {
  test('that gives what it is asked passes, and its worst values are known', () => {
    const frame = frameOf(limits);
    const { progress, failure } = advance({}, wholeRun(120), frame);
    expect(failure).toBeUndefined();
    expect(failureAtEnd(progress, frame)).toBeUndefined();
    expect(stepClosed(progress, frame).worst).toMatchObject({
      minOutputPercent: [100, expect.any(Number)],
      minEfficiencyPercent: [97, expect.any(Number)],
      maxTemperatureC: [40, START_MS],
    });
  });

  test.each([
    ['maxTemperatureC', { temperatureC: 81 }, 81],
    ['maxRiseK', { temperatureC: 86 }, 46],
    ['minVoltageV', { lowVoltageV: 200 }, 200],
    ['maxVoltageV', { highVoltageV: 260 }, 260],
    ['minFrequencyHz', { lowFrequencyHz: 47 }, 47],
    ['maxFrequencyHz', { highFrequencyHz: 52 }, 52],
    ['minInsulationKOhm', { insulationKOhm: 100 }, 100],
  ] as const)('that breaks %s fails at once, with the value and the minute', (reason, told, value) => {
    const frame = frameOf({ [reason]: limits[reason] });
    const minutes = wholeRun(120, (minute) => (minute === 30 ? told : {}));
    const { failure } = advance({}, minutes, frame);
    expect(failure).toEqual({ reason, value, atMs: START_MS + 30 * MINUTE_MS });
  });

  test('that gives too little in one step fails for it at the end, not before', () => {
    const frame = frameOf(limits);
    const minutes = wholeRun(120, (minute) => (minute >= 60 && minute < 80 ? { acW: 9_000, dcW: 9_300 } : {}));
    const { progress, failure } = advance({}, minutes, frame);
    expect(failure).toBeUndefined();
    expect(failureAtEnd(progress, frame)).toEqual({
      reason: 'minOutputPercent',
      value: 90,
      atMs: START_MS + 60 * MINUTE_MS,
    });
  });

  test('whose power follows a new step within its first minutes loses nothing by it', () => {
    const frame = frameOf(limits);
    const minutes = wholeRun(120, (minute) => (minute % 20 < 3 ? { acW: 1_000, dcW: 1_200 } : {}));
    const { progress } = advance({}, minutes, frame);
    expect(failureAtEnd(progress, frame)).toBeUndefined();
  });

  test('of which a limit was never measured does not pass; one of which nothing came has no data', () => {
    const frame = frameOf(limits);
    const { progress } = advance(
      {},
      wholeRun(120, () => ({ insulationKOhm: null })),
      frame,
    );
    expect(failureAtEnd(progress, frame)?.reason).toBe('notMeasured');
    expect(failureAtEnd({}, frame)?.reason).toBe('noData');
  });

  test('fails for a break in its data, once what was kept meanwhile has had time to come', () => {
    const frame = frameOf({ maxSilenceMinutes: 5 });
    const minutes = wholeRun(60).filter(
      ({ atMs }) => atMs < START_MS + 20 * MINUTE_MS || atMs >= START_MS + 40 * MINUTE_MS,
    );
    const early = advance({}, minutes, { ...frame, nowMs: START_MS + 42 * MINUTE_MS });
    expect(early).toMatchObject({ isPatient: true });
    expect(early.progress.readMs).toBe(START_MS + 20 * MINUTE_MS);
    expect(advance(early.progress, wholeRun(60), frame).failure).toBeUndefined();
    expect(advance(early.progress, minutes, frame).failure).toMatchObject({
      reason: 'maxSilenceMinutes',
      value: 20.167,
    });
  });

  test('is not blamed for the silence while the portal itself did not listen', () => {
    const frame = frameOf({ maxSilenceMinutes: 5 });
    const { progress } = advance({}, wholeRun(20), frame);
    const atMs = START_MS + 40 * MINUTE_MS;
    expect(silentSince(progress, atMs, START_MS, frame)).toMatchObject({ reason: 'maxSilenceMinutes' });
    expect(silentSince(progress, atMs, atMs - 2 * MINUTE_MS, frame)).toBeUndefined();
  });

  test('comes to the same however its minutes are parted into readings, read twice, or read anew from the last that is kept', () => {
    const told = fc.record({
      share: fc.double({ min: 0.5, max: 1.1, noNaN: true }),
      temperatureC: fc.integer({ min: 30, max: 82 }),
      isThere: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 40, maxLength: 80 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 10 }),
        (minutes, parts) => {
          const frame = frameOf({ ...limits, maxSilenceMinutes: 3 }, 80);
          const all = minutes.flatMap(({ share, temperatureC, isThere }, minute) =>
            isThere ? [minuteOf(minute, { acW: askedAt(minute) * share, temperatureC })] : [],
          );
          const once = advance({}, all, frame);
          let progress: UnitProgress = {};
          let failure: ReturnType<typeof advance>['failure'];
          for (let at = 0, part = 0; at < all.length && failure === undefined; part += 1) {
            const size = parts[part % parts.length] ?? 1;
            // A reading begins before where the last one ended.
            ({ progress, failure } = advance(progress, all.slice(Math.max(0, at - 3), at + size), frame));
            progress = JSON.parse(JSON.stringify(progress)) as UnitProgress;
            at += size;
          }
          expect({ progress, failure }).toEqual({ progress: once.progress, failure: once.failure });
        },
      ),
    );
  });
});
