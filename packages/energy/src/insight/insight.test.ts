import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import { type DayInsight, dayInsight } from './day-insight.ts';
import { clearnessOf, expectedDay, type PlantModel, powerAtClearness, skyDay } from './expected-power.ts';
import { peerReference } from './peers.ts';
import type { PlantDay } from './plant-day.ts';
import { type PlantProfile, updatedProfile } from './profile.ts';
import { weekLoss } from './week-loss.ts';

const COUNT = 288;
const START = Date.UTC(2026, 5, 10);
const place = { latitude: 48.4, longitude: 11.7, altitudeM: 450 };

function model(scale = 1): PlantModel {
  return {
    place,
    arrays: [{ ratedW: 10_000 * scale, tiltDeg: 30, azimuthDeg: 180 }],
    ratedAcW: 9_000 * scale,
    commissionedMs: null,
  };
}

const sky = skyDay(place, START, COUNT);
const series = (value: number | ((at: number) => number)) =>
  Float64Array.from({ length: COUNT }, (_, at) => (typeof value === 'number' ? value : value(at)));

/** A day with this light over plant and neighbours, of which the plant gives a share per bucket. */
function day(share: (at: number) => number, change: Partial<PlantDay> = {}, scale = 1, light = 0.8): PlantDay {
  const expected = expectedDay(model(scale), sky) ?? expect.fail('no arrays');
  const clearness = series(light);
  const { expectedW } = powerAtClearness(expected, clearness);
  const pvW = expectedW.map((powerW, at) => powerW * share(at));
  const curves = Array.from({ length: 6 }, () => clearnessOf(expected, expectedW));
  return {
    startMs: START,
    kwp: expected.kwp,
    expected,
    pvW,
    gridW: pvW.map((powerW) => 500 * scale - powerW),
    loadW: series(500 * scale),
    batteryW: series(0),
    battery: null,
    inverters: [
      {
        key: 'A',
        ratedAcW: 9_000 * scale,
        kwp: 10 * scale,
        heard: new Uint8Array(COUNT).fill(1),
        acW: pvW,
        dcW: pvW,
        strings: [],
      },
    ],
    alarms: [],
    exportLimitW: null,
    sensor: null,
    ambientC: null,
    neighbours: peerReference(curves),
    profile: null,
    ...change,
  };
}

const half = (series: Float64Array): Float64Array => series.map((value) => value / 2);

/** Every number anywhere in a result. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(numbersIn);
}

const reasonsWh = ({ reasons }: DayInsight) => reasons.reduce((sum, { lossWh }) => sum + (lossWh ?? 0), 0);

/** Series as odd as telemetry can be: holes, noise, nothing, too much. */
const oddSeries = fc
  .record({
    seed: fc.integer(),
    scale: fc.double({ min: 0, max: 12_000, noNaN: true }),
    holes: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ seed, scale, holes }) => {
    const random = new Random(seed);
    return series(() => (random.chance(holes) ? Number.NaN : random.between(-0.2, 1) * scale));
  });

const oddDay = fc
  .record({
    pvW: oddSeries,
    gridW: oddSeries,
    batteryW: oddSeries,
    dcW: oddSeries,
    socPercent: oddSeries,
    stringW: oddSeries,
    otherStringW: oddSeries,
    limitW: fc.option(fc.double({ min: 0, max: 9_000, noNaN: true })),
    hasNeighbours: fc.boolean(),
    alarm: fc.option(
      fc.record({
        code: fc.constantFrom(1001, 1003, 2001, 2006, 3003, 4001, 5001, 5002, 5003),
        from: fc.nat(287),
        length: fc.nat(400),
      }),
    ),
    ambientC: fc.option(oddSeries),
  })
  .map(
    ({
      pvW,
      gridW,
      batteryW,
      dcW,
      socPercent,
      stringW,
      otherStringW,
      limitW,
      hasNeighbours,
      alarm,
      ambientC,
    }): PlantDay => {
      const made = day(() => 1);
      const strings = [stringW, otherStringW].map((powerW, at) => ({ key: `S${at}`, kwp: 5, array: 0, powerW }));
      return {
        ...made,
        pvW,
        gridW,
        batteryW,
        ambientC,
        battery: { capacityWh: 8_000, socPercent },
        exportLimitW: limitW,
        neighbours: hasNeighbours ? made.neighbours : null,
        inverters: [
          { key: 'A', ratedAcW: 9_000, kwp: 10, heard: new Uint8Array(COUNT).fill(1), acW: pvW, dcW, strings },
        ],
        alarms:
          alarm === null
            ? []
            : [
                {
                  device: 'A',
                  code: alarm.code,
                  level: 3,
                  fromMs: START + alarm.from * 300_000,
                  untilMs: START + (alarm.from + alarm.length + 1) * 300_000,
                },
              ],
      };
    },
  );

describe('whatever a day brings', () => {
  test('no loss is below nought, no figure is no number, and reasons never cost more than was lost', () => {
    fc.assert(
      fc.property(fc.array(oddDay, { minLength: 1, maxLength: 3 }), (days) => {
        let profile: PlantProfile | null = null;
        const insights = days.map((each, at) => {
          const insight = dayInsight({ ...each, startMs: START + at * 86_400_000, profile });
          profile = updatedProfile(profile, insight.observation);
          return insight;
        });
        for (const insight of insights) {
          expect(numbersIn(insight).filter((value) => !Number.isFinite(value))).toEqual([]);
          expect(insight.reasons.every(({ lossWh }) => lossWh === null || lossWh >= 0)).toBe(true);
          if (insight.lossWh !== null) expect(insight.lossWh).toBeGreaterThanOrEqual(reasonsWh(insight) - 1e-6);
        }
        expect(numbersIn(profile).filter((value) => !Number.isFinite(value))).toEqual([]);
        expect(numbersIn(weekLoss(insights)).filter((value) => !Number.isFinite(value))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('a plant ten times as large loses ten times as much for the same reasons', () => {
    const stops = (at: number) => (at > 120 && at < 160 ? 0 : 1);
    const small = dayInsight(day(stops));
    const large = dayInsight(day(stops, {}, 10));
    expect(large.reasons.map(({ kind }) => kind)).toEqual(small.reasons.map(({ kind }) => kind));
    expect(small.reasons[0]?.kind).toBe('standstill');
    expect((large.lossWh ?? 0) / (small.lossWh ?? 1)).toBeCloseTo(10, 6);
    expect(large.performanceRatio).toBeCloseTo(small.performanceRatio ?? 0, 9);
  });
});

describe('what is not told is not known', () => {
  test('without neighbours and sensor no loss against the weather, and the missing reference is named', () => {
    const insight = dayInsight(day(() => 0.5, { neighbours: null }));
    expect(insight).toMatchObject({
      source: null,
      expectedWh: null,
      lossWh: null,
      performanceRatio: null,
      availability: null,
    });
    expect(insight.missing).toContain('reference');
    expect(insight.actualWh).toBeGreaterThan(0);
  });

  test('without a place nothing is expected, and alarms are told all the same', () => {
    const alarm = { device: 'A', code: 2001, level: 4 as const, fromMs: START, untilMs: null };
    const insight = dayInsight(day(() => 1, { expected: null, alarms: [alarm] }));
    expect(insight).toMatchObject({ expectedWh: null, clearSkyWh: null, lossWh: null, missing: ['place'] });
    expect(insight.reasons).toMatchObject([{ kind: 'alarm', lossWh: null, evidence: { code: 2001 } }]);
  });

  test('of a plant that was not heard nobody knows what it lost', () => {
    const nothing = series(Number.NaN);
    const silent = {
      key: 'A',
      ratedAcW: 9_000,
      kwp: 10,
      heard: new Uint8Array(COUNT),
      acW: nothing,
      dcW: nothing,
      strings: [],
    };
    const insight = dayInsight(day(() => 1, { pvW: nothing, gridW: nothing, inverters: [silent] }));
    expect(insight).toMatchObject({ actualWh: null, lossWh: null, completeness: 0, specificYield: null });
    expect(insight.reasons).toMatchObject([{ kind: 'offline', lossWh: null }]);
    expect((insight.unknownWh ?? 0) / (insight.expectedWh ?? 1)).toBeCloseTo(1, 2);
  });
});

describe('reasons', () => {
  test('a plant that gives what it should has none, and says what was ruled out', () => {
    const insight = dayInsight(day(() => 1));
    expect(insight.reasons).toEqual([]);
    expect(insight.lossWh).toBe(0);
    expect(insight.availability).toBe(1);
    expect(insight.ruledOut.map(({ kind }) => kind)).toContain('standstill');
  });

  test('what is missing without a reason is called unexplained, beyond the tolerance only', () => {
    expect(dayInsight(day(() => 0.95)).lossWh).toBe(0);
    const insight = dayInsight(day(() => 0.7));
    expect(insight.reasons).toEqual([]);
    expect((insight.unexplainedWh ?? 0) / (insight.expectedWh ?? 1)).toBeCloseTo(0.3, 2);
  });

  test('an alarm that stops the inverter costs what it would have given, and availability with it', () => {
    const alarm = {
      device: 'A',
      code: 1001,
      level: 3 as const,
      fromMs: START + 100 * 300_000,
      untilMs: START + 140 * 300_000,
    };
    const insight = dayInsight(day((at) => (at >= 100 && at < 140 ? 0 : 1), { alarms: [alarm] }));
    const wanted = dayInsight(day(() => 1));
    expect(insight.reasons).toMatchObject([{ kind: 'alarm', evidence: { code: 1001 } }]);
    expect(insight.lossWh).toBeCloseTo((wanted.actualWh ?? 0) - (insight.actualWh ?? 0), 3);
    expect(insight.availability).toBeCloseTo(1 - (insight.lossWh ?? 0) / (insight.expectedWh ?? 1), 6);
  });

  test('a grid that is lost costs what all inverters would have given, whichever of them tells it', () => {
    const made = day((at) => (at >= 100 && at < 140 ? 0 : 1));
    const inverters = ['A', 'B'].map((key) => ({
      ...(made.inverters[0] ?? expect.fail('no inverter')),
      key,
      dcW: half(made.pvW),
    }));
    const alarm = {
      device: 'A',
      code: 1005,
      level: 3 as const,
      fromMs: START + 100 * 300_000,
      untilMs: START + 140 * 300_000,
    };
    const insight = dayInsight({ ...made, inverters, alarms: [alarm] });
    const lostWh = (insight.expectedWh ?? 0) - (insight.actualWh ?? 0);
    expect((insight.lossWh ?? 0) / lostWh).toBeCloseTo(1, 2);
    expect(insight.reasons).toMatchObject([{ kind: 'alarm', evidence: { code: 1005 } }]);
  });

  test('heat costs what it takes at the cap, as little as that may be', () => {
    const alarm = { device: 'A', code: 3003, level: 1 as const, fromMs: START, untilMs: null };
    const capped = day(() => 1, { alarms: [alarm] });
    const capW = 0.95 * Math.max(...capped.pvW);
    const insight = dayInsight({ ...capped, pvW: capped.pvW.map((powerW) => Math.min(powerW, capW)) });
    const lostWh = capped.pvW.reduce((sum, powerW) => sum + Math.max(0, powerW - capW), 0) / 12;
    expect(insight.reasons).toMatchObject([{ kind: 'alarm', evidence: { code: 3003 } }]);
    expect((insight.lossWh ?? 0) / lostWh).toBeCloseTo(1, 3);
  });

  describe('heat under which the power scatters', () => {
    /** Told loss, true loss and energy of an uncapped day, Wh, of an inverter that heat holds at a share of its highest power. */
    function capped(capShare: number) {
      const alarm = { device: 'A', code: 3003, level: 1 as const, fromMs: START, untilMs: null };
      const random = new Random(7);
      const open = day(() => 1, { alarms: [alarm] });
      const capW = capShare * Math.max(...open.pvW);
      const coolW = open.pvW.map((powerW) => powerW * random.between(0.95, 1.05));
      const [reason] = dayInsight({ ...open, pvW: coolW.map((powerW) => Math.min(powerW, capW)) }).reasons;
      return {
        toldWh: reason?.lossWh ?? expect.fail('no reason'),
        trueWh: coolW.reduce((sum, powerW) => sum + Math.max(0, powerW - capW), 0) / 12,
        coolWh: coolW.reduce((sum, powerW) => sum + powerW, 0) / 12,
      };
    }

    test('costs nothing where it holds nothing back', () => {
      const { toldWh, coolWh } = capped(1.1);
      expect(toldWh / coolWh).toBeLessThan(0.004);
    });

    test('costs what it holds back', () => {
      const { toldWh, trueWh } = capped(0.8);
      expect(Math.abs(toldWh / trueWh - 1)).toBeLessThan(0.1);
    });
  });

  test('a limit is told without neighbours too', () => {
    const limitW = 5_000;
    const open = day(() => 1, { neighbours: null, exportLimitW: limitW });
    const pvW = open.pvW.map((powerW) => Math.min(powerW, limitW + 500));
    const insight = dayInsight({ ...open, pvW, gridW: pvW.map((powerW) => 500 - powerW), inverters: [] });
    const heldBackWh = open.pvW.reduce((sum, powerW, at) => sum + powerW - (pvW[at] as number), 0) / 12;
    expect(insight.reasons).toMatchObject([{ kind: 'export-limit', evidence: { limitW } }]);
    expect((insight.reasons[0]?.lossWh ?? 0) / heldBackWh).toBeGreaterThan(0.9);
    expect((insight.reasons[0]?.lossWh ?? 0) / heldBackWh).toBeLessThan(1.1);
  });

  test('export by night without a battery means a meter with the wrong sign', () => {
    const insight = dayInsight(day(() => 1, { gridW: series(-400) }));
    expect(insight.reasons).toMatchObject([{ kind: 'meter-wrong', lossWh: 0 }]);
    expect(insight.lossReplacingImportWh).toBeNull();
  });

  test('a loss replaces bought energy only as far as some was bought in the same five minutes', () => {
    const stopped = (at: number) => (at > 120 && at < 160 ? 0 : 1);
    const insight = dayInsight(day(stopped));
    expect(insight.lossReplacingImportWh).toBeCloseTo((39 * 500) / 12, 3);
  });
});

describe('a week', () => {
  test('names the costliest reason, since when, and sums only what is known', () => {
    const days = Array.from({ length: 7 }, (_, at) => ({
      ...dayInsight(day((bucket) => (at >= 4 && bucket > 120 && bucket < 150 ? 0 : 1))),
      dayMs: START + at * 86_400_000,
    }));
    const week = weekLoss(days);
    expect(week.reason).toMatchObject({ days: 3, isStanding: true, latest: { kind: 'standstill' } });
    expect(week.lossWh).toBeCloseTo(
      days.reduce((sum, { lossWh }) => sum + (lossWh ?? 0), 0),
      6,
    );
    expect(week.knownDays).toBe(7);
    expect(weekLoss([])).toMatchObject({ lossWh: null, reason: null });
  });
});
