import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCall16 } from './ocpp-16.ts';
import { readCall201 } from './ocpp-201.ts';
import type { TransactionPart } from './pile-events.ts';
import { meterValuesOf } from './sampled-values.ts';
import { closedByNext, energyOf, type SessionFacts, withPart } from './sessions.ts';

const NOW_MS = Date.UTC(2026, 5, 21, 12);
const RATED_W = 11_000;

const after = (parts: readonly TransactionPart[]): SessionFacts | undefined =>
  parts.reduce<SessionFacts | undefined>((known, part) => withPart(known, 'T', part), undefined);

/** A session as its pile lived through it: a beginning, readings and an end. */
const lived = fc
  .record({
    fromWh: fc.integer({ min: 0, max: 1_000_000 }),
    steps: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 }),
  })
  .map(({ fromWh, steps }) => {
    let wh = fromWh;
    const parts: TransactionPart[] = [
      { transaction: 'T', connector: 1, began: { tsMs: NOW_MS, wh: fromWh }, readings: [] },
    ];
    for (const [place, step] of steps.entries()) {
      wh += step;
      parts.push({ transaction: 'T', connector: 1, readings: [{ tsMs: NOW_MS + (place + 1) * 10_000, energyWh: wh }] });
    }
    const tsMs = NOW_MS + (steps.length + 1) * 10_000;
    parts.push({ transaction: 'T', connector: 0, ended: { tsMs, wh, reason: 'Local' }, readings: [] });
    return { parts, wh: wh - fromWh };
  });

test('the same parts make the same session in any order and however often they come, without a kWh lost', () => {
  fc.assert(
    fc.property(
      lived.chain(({ parts, wh }) =>
        fc.record({
          parts: fc.constant(parts),
          wh: fc.constant(wh),
          told: fc.array(fc.nat(parts.length - 1), { maxLength: 10 }).chain((again) =>
            fc.shuffledSubarray([...parts, ...again.map((place) => parts[place] as TransactionPart)], {
              minLength: parts.length + again.length,
            }),
          ),
        }),
      ),
      ({ parts, wh, told }) => {
        const session = after(told);
        expect(session).toEqual(after(parts));
        expect(session && energyOf(session, RATED_W)).toBe(wh);
      },
    ),
  );
});

test('an interrupted session has what the meter counted until the next one began, unless the meter begins anew each time', () => {
  const open = after([
    {
      transaction: 'T',
      connector: 1,
      began: { tsMs: NOW_MS, wh: 1_000 },
      readings: [{ tsMs: NOW_MS + 180_000, energyWh: 1_400 }],
    },
  ]) as SessionFacts;
  const closed = (wh: number) => energyOf(closedByNext(open, { tsMs: NOW_MS + 900_000, wh }, RATED_W), RATED_W);
  expect(closed(2_500)).toBe(1_500);
  expect(closed(0)).toBe(400);
  // More than it can have given until then was not given.
  expect(closed(90_000)).toBe(400);
});

describe('a session’s energy follows its meter', () => {
  /** Readings of each five minutes, in any order. */
  const energyBy = (...registers: number[]): number | undefined => {
    const parts = registers.map(
      (energyWh, place): TransactionPart => ({
        transaction: 'T',
        connector: 1,
        readings: [{ tsMs: NOW_MS + place * 300_000, energyWh }],
      }),
    );
    const session = after(parts);
    expect(after([...parts].reverse())).toEqual(session);
    return session && energyOf(session, RATED_W);
  };

  test('a reading that its rating cannot have reached counts nothing', () => {
    expect(energyBy(100_000, 100_500, 4_294_967_295, 101_500, 102_000)).toBe(2_000);
    expect(energyBy(100_000, 100_500, 0, 101_500, 102_000)).toBe(2_000);
    expect(energyBy(100_000, 100_500, 4_294_967_295)).toBe(500);
    expect(energyBy(100_000, 4_294_967_295)).toBeUndefined();
  });

  test('a meter that begins anew goes on with what it counts', () => {
    expect(energyBy(103_100, 104_000, 104_100, 0, 600)).toBe(1_600);
  });

  test('of a session however long no more is kept than tells its energy', () => {
    const readings = Array.from({ length: 20_000 }, (_, place) => ({
      tsMs: NOW_MS + place * 10_000,
      energyWh: 1_000 + place,
    }));
    const halves = [readings.slice(10_000), readings.slice(0, 10_000)];
    const session = after(halves.map((some) => ({ transaction: 'T', connector: 1, readings: some }))) as SessionFacts;
    expect(session.course.length).toBeLessThanOrEqual(400);
    expect(energyOf(session, RATED_W)).toBe(19_999);
  });
});

test('values of makers that tell phases, kilowatts, texts or no power are read as one', () => {
  const sampled = (...values: object[]) =>
    meterValuesOf([{ timestamp: '2026-06-21T11:59:00Z', sampledValue: values }], NOW_MS)[0];
  expect(sampled({ value: '12.5', unit: 'kWh' })).toMatchObject({ energyWh: 12_500 });
  expect(
    sampled(
      { value: '10', measurand: 'Current.Import', phase: 'L1' },
      { value: '9', measurand: 'Current.Import', phase: 'L2' },
      { value: '230', measurand: 'Voltage', phase: 'L1-N' },
    ),
  ).toMatchObject({ currentA: 10, voltageV: 230, powerW: 19 * 230 });
  expect(
    sampled({ value: 1.2, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W', multiplier: 3 } }),
  ).toMatchObject({ powerW: 1_200 });
  expect(sampled({ value: 'x' }, { value: '5', measurand: 'Temperature' })).not.toHaveProperty('energyWh');
  expect(sampled({ value: 'junk' })).toBeUndefined();
});

test('whatever a charge point sends, reading it never fails', () => {
  const methods = [
    'BootNotification',
    'StatusNotification',
    'StartTransaction',
    'MeterValues',
    'StopTransaction',
    'TransactionEvent',
    'X',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.jsonValue(), (method, value) => {
      const told = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { meterValue: value };
      for (const read of [readCall16, readCall201]) {
        const call = read(method, told, NOW_MS);
        expect(() => call?.answer(new Date(NOW_MS), '7')).not.toThrow();
      }
    }),
  );
});

test('a reading that no register holds is none', () => {
  const wh = (meterStart: unknown) => {
    const [event] = readCall16('StartTransaction', { connectorId: 1, meterStart }, NOW_MS)?.events ?? [];
    return event?.kind === 'begin' ? event.wh : 'no beginning';
  };
  expect([-1, -1e308, 1e308, '1e13', Number.NaN].map(wh)).toEqual(Array(5).fill(undefined));
  expect(wh(4_294_967_295)).toBe(4_294_967_295);
  const huge = meterValuesOf(
    [
      {
        sampledValue: [
          { value: '1e11', unit: 'kWh' },
          { value: '7', measurand: 'SoC' },
        ],
      },
    ],
    NOW_MS,
  );
  expect(huge).toEqual([{ tsMs: NOW_MS, socPercent: 7 }]);
});

test('of a message only the month up to its newest reading is taken', () => {
  const days = (count: number) => new Date(NOW_MS - count * 86_400_000).toISOString();
  const told = [0, 1, 30, 32, 400, 3_000].map((count) => ({
    timestamp: days(count),
    sampledValue: [{ value: 5_000 - count }],
  }));
  expect(meterValuesOf(told, NOW_MS).map(({ energyWh }) => energyWh)).toEqual([4_970, 4_999, 5_000]);
});

test('a clock that cannot be right counts as now', () => {
  const began = (timestamp: string) => {
    const [event] = readCall16('StartTransaction', { connectorId: 1, meterStart: 5, timestamp }, NOW_MS)?.events ?? [];
    return event?.kind === 'begin' ? event.tsMs : undefined;
  };
  expect(began('1970-01-01T00:00:00Z')).toBe(NOW_MS);
  expect(began('2036-01-01T00:00:00Z')).toBe(NOW_MS);
  expect(began('2026-06-21T10:00:00Z')).toBe(NOW_MS - 7_200_000);
});
