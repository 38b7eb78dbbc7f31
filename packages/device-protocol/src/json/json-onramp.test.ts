import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCommand, JsonMessageError, parseAck, parseUp } from './json-onramp.ts';

const receivedMs = 1_760_000_000_000;
const up = (message: unknown) => parseUp(Buffer.from(JSON.stringify(message)), receivedMs);
const refusedOf = (message: string) => parseUp(Buffer.from(message), receivedMs).refused;
const good = { ts: 1_759_999_999_000, dev: 'INV-1', kind: 'inverter', v: { 'AC/ActivePower': 1234.5 } };

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonMessageError) return error.reason;
    throw error;
  }
  return 'accepted';
}

describe('readings', () => {
  test('one object is one sample', () => {
    expect(up(good)).toEqual({
      samples: [
        {
          tsMs: 1_759_999_999_000,
          deviceSn: 'INV-1',
          kind: 'inverter',
          historical: false,
          values: [['AC/ActivePower', 1234.5]],
        },
      ],
      refused: [],
    });
  });

  test('an array is history in its order, and a missing time is that of receipt', () => {
    const { ts: _, ...now } = good;
    const { samples } = up([{ ...good, hist: true }, now]);
    expect(samples.map(({ tsMs, historical }) => [tsMs, historical])).toEqual([
      [1_759_999_999_000, true],
      [receivedMs, false],
    ]);
  });

  test('booleans and texts are readings, null is none and told', () => {
    const v = { 'State/GridRelay': true, 'Bat/BmsFirmware': '1.2', 'AC/Frequency': null };
    const { samples, refused } = up({ ...good, v });
    expect(samples[0]?.values).toEqual([
      ['State/GridRelay', true],
      ['Bat/BmsFirmware', '1.2'],
    ]);
    expect(refused).toEqual([{ reason: 'null-value', name: 'AC/Frequency' }]);
  });

  test('alarms take level and time from catalogue and sample where they are missing', () => {
    expect(
      up({ ...good, alarms: [{ code: 1001 }, { code: 7, level: 1, since: 5, extra: 'x' }] }).samples[0]?.alarms,
    ).toEqual([
      { code: 1001, level: 3, sinceMs: good.ts, extra: '' },
      { code: 7, level: 1, sinceMs: 5, extra: 'x' },
    ]);
    expect(up(good).samples[0]).not.toHaveProperty('alarms');
  });

  test.each([
    ['not-json', 'x{'],
    ['not-json', ''],
    ['bad-shape', '[]'],
    ['too-large', JSON.stringify(Array.from({ length: 1_001 }, () => good))],
    ['too-large', ' '.repeat(256 * 1024 + 1)],
  ])('a message is refused whole, %s: %#', (reason, message) => {
    expect(reasonOf(() => parseUp(Buffer.from(message), receivedMs))).toBe(reason);
  });

  test.each([
    ['bad-shape', '5'],
    ['bad-shape', 'null'],
    ['bad-shape', '[[{}]]'],
    ['bad-shape', JSON.stringify({ ...good, v: [1] })],
    ['bad-shape', JSON.stringify({ ...good, hist: 1 })],
    ['bad-time', JSON.stringify({ ...good, ts: '1' })],
    ['bad-time', JSON.stringify({ ...good, ts: 1.5 })],
    ['bad-time', JSON.stringify({ ...good, ts: -1 })],
    ['bad-device', JSON.stringify({ ...good, dev: 'a/b' })],
    ['bad-kind', JSON.stringify({ ...good, kind: 'toaster' })],
    ['bad-kind', JSON.stringify({ ...good, kind: 'constructor' })],
    [
      'too-large',
      JSON.stringify({ ...good, v: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`p${i}`, i])) }),
    ],
  ])('an entry is refused and told, the others of its message are taken, %s: %#', (reason, entry) => {
    expect(refusedOf(entry)).toMatchObject([{ reason }]);
    const { samples, refused } = up([good, JSON.parse(entry), good]);
    expect(refused).toMatchObject([{ reason }]);
    expect(samples).toHaveLength(2);
  });

  test.each([
    ['bad-value', 'x', '{"x":1e999}'],
    ['bad-value', 'x', '{"x":{}}'],
    ['bad-value', 'x', '{"x":[1]}'],
    ['null-value', 'x', '{"x":null}'],
    ['bad-name', '', '{"":1}'],
    ['bad-name', 'n'.repeat(129), JSON.stringify({ ['n'.repeat(129)]: 1 })],
  ])('a reading is refused by its name, the others of its sample are taken: %s %s', (reason, name, readings) => {
    const { samples, refused } = up({ ...good, v: { ...JSON.parse(readings), y: 2 } });
    // Infinity does not survive JSON.stringify: such a reading is told as it came.
    const told = refusedOf(`{"dev":"a","kind":"meter","v":${readings}}`);
    expect(told).toEqual([{ reason, name }]);
    expect(refused.map((refusal) => refusal.name)).toEqual([name]);
    expect(samples[0]?.values).toEqual([['y', 2]]);
  });

  test.each([
    { code: 'x' },
    { code: 1, level: 5 },
    { code: 1.5 },
    { code: -1 },
    { code: 2 ** 31 },
    { code: 1, since: 'x' },
    { code: 1, extra: 5 },
    5,
    null,
  ])('an alarm that is none is refused, the others are taken: %j', (alarm) => {
    const { samples, refused } = up({ ...good, alarms: [{ code: 1001 }, alarm] });
    expect(refused).toMatchObject([{ reason: 'bad-alarm' }]);
    expect(samples[0]?.alarms).toMatchObject([{ code: 1001 }]);
  });

  test('a reading named __proto__ stays a reading', () => {
    const message = '{"dev":"a","kind":"meter","v":{"__proto__":1},"__proto__":{"hist":true}}';
    const [sample] = parseUp(Buffer.from(message), receivedMs).samples;
    expect(sample).toEqual({
      tsMs: receivedMs,
      deviceSn: 'a',
      kind: 'meter',
      historical: false,
      values: [['__proto__', 1]],
    });
    expect(({} as { hist?: unknown }).hist).toBeUndefined();
  });

  test('any bytes are read or refused with an error of this file', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => new Uint8Array(Buffer.from(text))),
    );
    fc.assert(
      fc.property(bytes, (message) => {
        expect(reasonOf(() => parseUp(message, receivedMs))).toMatch(/^(accepted|not-json|bad-\w+|too-large)$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('commands and answers', () => {
  test('a command is written with id, operation and arguments', () => {
    const command = { id: 'A1', op: 'set', args: { 'Setting/MinSoc': 20 } } as const;
    expect(JSON.parse(Buffer.from(buildCommand(command)).toString())).toEqual(command);
  });

  test('an answer is read with or without message and values', () => {
    const ack = (message: unknown) => parseAck(Buffer.from(JSON.stringify(message)));
    expect(ack({ id: 'A1', code: 0 })).toEqual({ id: 'A1', code: 0, message: '', values: [] });
    expect(ack({ id: 'A1', code: 2, msg: 'no', v: { a: 1 } })).toEqual({
      id: 'A1',
      code: 2,
      message: 'no',
      values: [['a', 1]],
    });
    expect(reasonOf(() => ack({ id: '', code: 0 }))).toBe('bad-shape');
    expect(reasonOf(() => ack({ id: 'A1', code: 0.5 }))).toBe('bad-shape');
    expect(reasonOf(() => ack([]))).toBe('bad-shape');
  });
});
