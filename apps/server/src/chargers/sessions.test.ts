import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCall16 } from './ocpp-16.ts';
import { readCall201 } from './ocpp-201.ts';
import type { TransactionPart } from './pile-events.ts';
import { meterValuesOf } from './sampled-values.ts';
import { closedByNext, energyOf, type SessionFacts, withPart } from './sessions.ts';

const NOW_MS = Date.UTC(2026, 5, 21, 12);

const after = (parts: readonly TransactionPart[]): SessionFacts | undefined =>
  parts.reduce<SessionFacts | undefined>((known, part) => withPart(known, 'T', part), undefined);

/** A session as its pile lived through it: a beginning, readings and an end. */
const lived = fc
  .record({
    fromWh: fc.integer({ min: 0, max: 1_000_000 }),
    steps: fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 20 }),
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
        expect(session && energyOf(session)).toBe(wh);
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
      readings: [{ tsMs: NOW_MS + 1, energyWh: 1_400 }],
    },
  ]) as SessionFacts;
  expect(energyOf(closedByNext(open, { tsMs: NOW_MS + 9_000, wh: 2_500 }))).toBe(1_500);
  expect(energyOf(closedByNext(open, { tsMs: NOW_MS + 9_000, wh: 0 }))).toBe(400);
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

test('a clock that cannot be right counts as now', () => {
  const began = (timestamp: string) => {
    const [event] = readCall16('StartTransaction', { connectorId: 1, meterStart: 5, timestamp }, NOW_MS)?.events ?? [];
    return event?.kind === 'begin' ? event.tsMs : undefined;
  };
  expect(began('1970-01-01T00:00:00Z')).toBe(NOW_MS);
  expect(began('2036-01-01T00:00:00Z')).toBe(NOW_MS);
  expect(began('2026-06-21T10:00:00Z')).toBe(NOW_MS - 7_200_000);
});
