import { type BurnInLimits, burnInLimits } from '@sonnenwarte/contract/burn-in/plan';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UnitProgress } from '../stores/schema-burn-in.ts';
import type { Frame, Minute } from './frame.ts';
import type { Failure, Known } from './judge.ts';
import type { Step } from './round.store.ts';
import { coverageOf, judgeUnit } from './verdict.ts';

const START_MS = Date.UTC(2026, 4, 1, 6);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SAMPLE_MS = 10_000;
const SETTLE_MS = 30_000;
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
  intervalMs: MINUTE_MS,
});

const askedAt = (minute: number): number => (minute % 40 < 20 ? 0.5 : 1) * RATED_W;
const at = (minute: number): number => START_MS + minute * MINUTE_MS;

type Told = Partial<Omit<Minute, 'atMs' | 'firstMs' | 'lastMs' | 'receivedMs'>>;

interface Sample extends Told {
  readonly tsMs: number;
  readonly receivedMs: number;
}

/** Each ten seconds, as they were told. */
const samplesOf = (minutes: number, told: (minute: number) => Told | undefined = () => ({})): Sample[] =>
  Array.from({ length: minutes * 6 }, (_, slot) => {
    const minute = Math.floor(slot / 6);
    const values = told(minute);
    const tsMs = START_MS + slot * SAMPLE_MS + 1_000;
    return values === undefined
      ? []
      : [{ acW: askedAt(minute), dcW: askedAt(minute) / 0.97, tsMs, receivedMs: tsMs, ...values }];
  }).flat();

/** What the store has by a moment, minute by minute. */
function minutesAt(samples: readonly Sample[], nowMs: number): Minute[] {
  const minutes = new Map<number, Sample[]>();
  for (const sample of samples) {
    if (sample.receivedMs > nowMs || sample.tsMs > nowMs) continue;
    const atMs = START_MS + Math.floor((sample.tsMs - START_MS) / MINUTE_MS) * MINUTE_MS;
    minutes.set(atMs, [...(minutes.get(atMs) ?? []), sample]);
  }
  return [...minutes]
    .sort(([a], [b]) => a - b)
    .map(([atMs, list]) => {
      const mean = (of: (sample: Sample) => number | null | undefined): number | null => {
        const values = list.map(of).filter((value) => value !== null && value !== undefined);
        return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
      };
      const [first] = list;
      return {
        temperatureC: Math.max(...list.map(({ temperatureC }) => temperatureC ?? 40)),
        lowVoltageV: first?.lowVoltageV ?? 230,
        highVoltageV: first?.highVoltageV ?? 231,
        lowFrequencyHz: first?.lowFrequencyHz ?? 49.98,
        highFrequencyHz: first?.highFrequencyHz ?? 50.02,
        insulationKOhm: first?.insulationKOhm === undefined ? 900 : first.insulationKOhm,
        acW: mean(({ acW }) => acW),
        dcW: mean(({ dcW }) => dcW),
        atMs,
        firstMs: Math.min(...list.map(({ tsMs }) => tsMs)),
        lastMs: Math.max(...list.map(({ tsMs }) => tsMs)),
        receivedMs: Math.max(...list.map(({ receivedMs }) => receivedMs)),
      };
    });
}

interface Rounds {
  readonly samples: readonly Sample[];
  readonly alarm?: Failure;
  /** How the datalogger and the portal are at a moment. */
  readonly known?: (nowMs: number) => Partial<Known>;
}

/** A unit that is judged at these moments, as it is kept between them. */
function judged(frame: Frame, { samples, alarm, known }: Rounds, rounds: readonly number[]) {
  let unit: Pick<Step, 'position' | 'progress'> & { state: 'waiting' | 'running' } = {
    position: 1,
    progress: {},
    state: 'waiting',
  };
  for (const nowMs of rounds) {
    const settledMs = START_MS + Math.floor((nowMs - SETTLE_MS - START_MS) / MINUTE_MS) * MINUTE_MS;
    const readableMs = nowMs - SETTLE_MS >= frame.endMs ? frame.endMs : settledMs;
    const list = minutesAt(samples, nowMs).filter(({ atMs }) => atMs >= (unit.progress.readMs ?? 0));
    for (;;) {
      const step = judgeUnit(
        unit,
        { minutes: list, alarm: alarm !== undefined && alarm.atMs <= nowMs ? alarm : undefined },
        frame,
        {
          nowMs,
          readableMs,
          listeningSinceMs: START_MS - HOUR_MS,
          loggerSinceMs: START_MS - HOUR_MS,
          ...known?.(nowMs),
        },
      );
      if (step === undefined) break;
      const progress = JSON.parse(JSON.stringify(step.progress)) as UnitProgress;
      if (step.endedMs !== null) return { state: step.event, failure: step.failure, step: { ...step, progress } };
      unit = { position: 1, progress, state: step.event === 'begin' ? 'running' : unit.state };
      if (step.event === null) break;
    }
  }
  return { state: unit.state, failure: null, step: unit };
}

const LATE = [START_MS + 10 * 24 * HOUR_MS];
const reasonOf = (frame: Frame, samples: readonly Sample[], rounds = LATE) => {
  const { state, failure } = judged(frame, { samples }, rounds);
  return failure?.reason ?? state;
};

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
    const { state, step } = judged(frameOf(limits), { samples: samplesOf(120) }, LATE);
    expect(state).toBe('pass');
    expect(step.progress.worst).toMatchObject({
      minOutputPercent: [100, expect.any(Number)],
      minEfficiencyPercent: [97, expect.any(Number)],
      maxTemperatureC: [40, START_MS],
    });
    expect(coverageOf(step.progress, START_MS, at(120))).toBe(100);
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
    const samples = samplesOf(120, (minute) => (minute === 30 ? told : {}));
    const { failure, step } = judged(frameOf({ [reason]: limits[reason] }), { samples }, [at(31) + SETTLE_MS]);
    expect(failure).toEqual({ reason, value, atMs: at(30) });
    expect(step).toMatchObject({ endedMs: at(30) });
  });

  test('that gives too little in one step fails for it at the end of the run, not before', () => {
    const samples = samplesOf(120, (minute) => (minute >= 60 && minute < 80 ? { acW: 9_000, dcW: 9_300 } : {}));
    expect(reasonOf(frameOf(limits), samples, [at(90)])).toBe('running');
    const { failure, step } = judged(frameOf(limits), { samples }, LATE);
    expect(failure).toEqual({ reason: 'minOutputPercent', value: 90, atMs: at(60) });
    expect(step).toMatchObject({ endedMs: at(120) });
  });

  test('whose power follows a new step within its first minutes loses nothing by it', () => {
    const samples = samplesOf(120, (minute) => (minute % 20 < 3 ? { acW: 1_000, dcW: 1_200 } : {}));
    expect(reasonOf(frameOf(limits), samples)).toBe('pass');
  });

  test('does not pass where a limit was never measured, a step lacks its power, too little was recorded, or nothing', () => {
    const frame = frameOf(limits);
    expect(
      reasonOf(
        frame,
        samplesOf(120, () => ({ insulationKOhm: null })),
      ),
    ).toBe('notMeasured');
    const blind = samplesOf(120, (minute) => (minute >= 60 && minute < 80 ? { acW: null } : {}));
    expect(reasonOf(frame, blind)).toBe('notMeasured');
    const patient = frameOf({ minOutputPercent: 97, maxTemperatureC: 80, maxSilenceMinutes: 30 });
    const silentStep = samplesOf(120, (minute) => (minute >= 62 && minute < 80 ? undefined : {}));
    expect(reasonOf(patient, silentStep)).toBe('notMeasured');
    const rare = frameOf({ maxTemperatureC: 80 });
    expect(reasonOf(rare, samplesOf(120).slice(0, 1))).toBe('notMeasured');
    const { failure, step } = judged(rare, { samples: samplesOf(95) }, LATE);
    expect(failure).toMatchObject({ reason: 'notMeasured', value: 79.042 });
    expect(step).toMatchObject({ endedMs: at(120), measured: { maxSilenceMinutes: [25.15, expect.any(Number)] } });
    expect(reasonOf(frameOf({}), [])).toBe('noData');
  });

  test('that is silent up to the end within what is allowed has that on its record', () => {
    const frame = frameOf({ maxTemperatureC: 80, maxSilenceMinutes: 30 });
    const { state, step } = judged(frame, { samples: samplesOf(110) }, LATE);
    expect(state).toBe('pass');
    expect(step).toMatchObject({ measured: { maxSilenceMinutes: [10.15, at(110) - 9_000] } });
    expect(coverageOf(step.progress, START_MS, at(120))).toBeCloseTo(91.5, 1);
  });

  test('fails for silence when it has become too long, once nothing that was kept can come any more', () => {
    const frame = frameOf({ maxSilenceMinutes: 5 });
    const samples = samplesOf(20);
    const lastMs = at(20) - 9_000;
    const at30 = (known: Partial<Known>) => judged(frame, { samples, known: () => known }, [at(31)]);
    expect(at30({}).failure).toEqual({ reason: 'maxSilenceMinutes', value: 11.15, atMs: lastMs + 5 * MINUTE_MS });
    expect(at30({ listeningSinceMs: at(25) }).failure).toBeNull();
    expect(at30({ loggerSinceMs: at(25) }).failure).toBeNull();
    expect(at30({ loggerSinceMs: null }).failure).toBeNull();
    const away = judged(frame, { samples, known: () => ({ loggerSinceMs: null }) }, [at(86)]);
    expect(away.failure).toMatchObject({ reason: 'maxSilenceMinutes' });
  });

  test('that was heard of last too hot fails for that, not for its silence', () => {
    const samples = samplesOf(30, (minute) => (minute === 29 ? { temperatureC: 90 } : {})).slice(0, -3);
    expect(reasonOf(frameOf(limits), samples, [at(31)])).toBe('maxTemperatureC');
  });
});

describe('whenever it is judged', () => {
  const alarmAt = (minute: number): Failure => ({ reason: 'failLevel', value: 3001, atMs: at(minute) + 30_000 });
  const comesTo = ({ state, failure, step }: ReturnType<typeof judged>) => ({
    state,
    reason: failure?.reason,
    atMs: failure?.atMs,
    worst: failure?.reason === 'maxSilenceMinutes' ? null : step.progress.worst,
  });

  test('the cause that came first counts, a value or an alarm', () => {
    const frame = frameOf({ ...limits, failLevel: 3 });
    const samples = samplesOf(120, (minute) => (minute >= 20 ? { temperatureC: 81 } : {}));
    for (const rounds of [LATE, [at(20.9), at(21.6)], [at(10), at(20.6), at(31), at(60)]]) {
      expect(judged(frame, { samples, alarm: alarmAt(30) }, rounds).failure).toMatchObject({
        reason: 'maxTemperatureC',
      });
      expect(judged(frame, { samples, alarm: alarmAt(19) }, rounds).failure).toMatchObject({ reason: 'failLevel' });
    }
  });

  test('any rounds come to the same, whatever a datalogger that was cut off, or the portal that was away, had missed and got within the time that is waited', () => {
    const told = fc.record({
      share: fc.double({ min: 0.9, max: 1.05, noNaN: true }),
      temperatureC: fc.integer({ min: 30, max: 81 }),
    });
    const cut = fc.record({
      from: fc.integer({ min: 0, max: 79 }),
      minutes: fc.double({ min: 2, max: 25, noNaN: true }),
      lateS: fc.integer({ min: 0, max: 540 }),
      isBackwards: fc.boolean(),
      isLost: fc.boolean(),
      isPortal: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(told, { minLength: 80, maxLength: 80 }),
        cut,
        fc.option(fc.integer({ min: 0, max: 79 }), { nil: undefined }),
        fc.array(fc.integer({ min: 10, max: 1_200 }), { minLength: 1, maxLength: 12 }),
        fc.constantFrom(null, 3, 15, 30),
        (minutes, { from, minutes: length, lateS, isBackwards, isLost, isPortal }, alarm, pausesS, silence) => {
          const frame = frameOf({ ...limits, failLevel: 3, maxSilenceMinutes: silence }, 80);
          const [cutMs, backMs] = [at(from) + 20_000, at(from + length) + 20_000];
          const samples = samplesOf(80, (minute) => ({
            acW: askedAt(minute) * (minutes[minute]?.share ?? 1),
            temperatureC: minutes[minute]?.temperatureC ?? 40,
          })).flatMap((sample) => {
            if (sample.tsMs < cutMs || sample.tsMs >= backMs) return [sample];
            const share = (sample.tsMs - cutMs) / (backMs - cutMs);
            const receivedMs = backMs + lateS * 500 * (1 + (isBackwards ? 1 - share : share));
            return isLost ? [] : [{ ...sample, receivedMs }];
          });
          const known = (nowMs: number): Partial<Known> => {
            const isAway = nowMs >= cutMs && nowMs < backMs;
            const sinceMs = nowMs >= backMs ? backMs : START_MS - HOUR_MS;
            return isPortal
              ? { listeningSinceMs: sinceMs, loggerSinceMs: sinceMs }
              : { loggerSinceMs: isAway ? null : sinceMs };
          };
          const rounds: number[] = [];
          for (let nowMs = START_MS, place = 0; nowMs < at(80) + 3 * HOUR_MS; place += 1) {
            nowMs += (pausesS[place % pausesS.length] ?? 10) * 1_000;
            // A portal that is away judges nothing.
            if (!isPortal || nowMs < cutMs || nowMs >= backMs) rounds.push(nowMs);
          }
          const given = { samples, known, ...(alarm !== undefined && { alarm: alarmAt(alarm) }) };
          expect(comesTo(judged(frame, given, rounds))).toEqual(comesTo(judged(frame, given, LATE)));
        },
      ),
      { numRuns: 300 },
    );
  });
});
