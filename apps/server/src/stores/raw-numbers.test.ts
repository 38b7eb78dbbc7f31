import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceKinds } from '@sonnenwarte/device-protocol/points/points';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceEntry } from '../ingestion/registry/plant-model.ts';
import { RowEncoder } from '../ingestion/samples/row-encoder.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { newSample } from '../ingestion/samples/sample.ts';
import { layout } from '../ingestion/sessions/kinds.ts';
import { stepsOf } from './raw-numbers.ts';
import { startTelemetryEngine, type TelemetryHandle } from './telemetry-engine.ts';
import { ensureRawTables } from './telemetry-tables.ts';

let folder = '';
let telemetry: TelemetryHandle;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-numbers-'));
  telemetry = await startTelemetryEngine({ dataDir: folder, logger: pino({ level: 'silent' }) });
  await ensureRawTables(telemetry.client);
});
afterAll(async () => {
  await telemetry.stop();
  rmSync(folder, { recursive: true, force: true });
});

const extremes = [
  ...[0, -0, 0.1, -0.1, 1e-7, 231.5, 2_147_483_644, 2_147_483_645, 2_147_483_647, 2_147_483_648, -2_147_483_648],
  ...[214_748_364.4, 214_748_364.8, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 9_007_199_254_740.99, 1e15, -1e15, 5e-324],
  ...[16_777_217, 1 / 3, Number.NaN],
];
const counted = fc.tuple(fc.integer({ min: -2_000_000, max: 2_000_000_000 }), fc.constantFrom(1, 10, 100, 1_000));
const reading = fc.oneof(
  { weight: 4, arbitrary: counted.map(([whole, steps]) => whole / steps) },
  { weight: 2, arbitrary: counted.map(([whole, steps]) => Math.fround(whole / steps)) },
  { weight: 2, arbitrary: fc.constant(Number.NaN) },
  { weight: 1, arbitrary: fc.constantFrom(...extremes) },
  { weight: 1, arbitrary: fc.double({ noDefaultInfinity: true, min: -1e15, max: 1e15 }) },
);

let key = 0;

test.each(deviceKinds)('a number of raw_%s is read as the one that was written, bit by bit', async (kind) => {
  const layoutOfKind = layout(kind);
  const { names, isDouble, table, columns, numbersSql } = layoutOfKind;
  const rows = fc.array(fc.array(reading, { minLength: names.length, maxLength: names.length }), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (written) => {
      key += 1;
      const device = { key, layout: layoutOfKind } as unknown as DeviceEntry;
      const encoder = new RowEncoder(layoutOfKind);
      written.forEach((values, at) => {
        const sample = newSample(device, Date.UTC(2026, 5, 1) + at, 1, false);
        sample.values = values;
        if (at % 3 === 0) sample.other = ['Own/Name', 'text'];
        encoder.add(sample);
      });
      await telemetry.insertRowBinary(table, columns, encoder.body());
      const found = await readRows(
        telemetry.client,
        `SELECT ${numbersSql.map((told) => `toFloat64(${told})`).join(', ')} FROM ${table} FINAL WHERE device = ${key} ORDER BY ts`,
      );
      const read = written.map((values) => values.map(() => found.float64()));
      expect(found.hasMore).toBe(false);
      expect(read).toEqual(
        written.map((values) => values.map((value, index) => (isDouble[index] === true ? value : Math.fround(value)))),
      );
    }),
    { numRuns: 8 },
  );
});

test('a number that is no multiple of its step, or too large for its integer, is never counted in steps', () => {
  fc.assert(
    fc.property(reading, fc.constantFrom(1, 10, 100, 1_000), fc.boolean(), (value, steps, isDouble) => {
      const whole = stepsOf(value, steps, isDouble);
      if (whole === undefined) return;
      const stored = isDouble ? BigInt(whole) : Int32Array.of(whole)[0];
      const again = Number(stored) / steps;
      expect(isDouble ? again : Math.fround(again)).toBe(isDouble ? value : Math.fround(value));
    }),
  );
});

test('what devices tell in whole steps is stored in steps', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -(2 ** 31) + 5, max: 2 ** 31 - 5 }),
      fc.constantFrom(1, 10, 100, 1_000),
      (whole, steps) => {
        expect(stepsOf(whole / steps, steps, true)).toBe(whole);
        // A Float of the protocol has seven digits.
        const few = Math.trunc(whole / 256) + 0;
        expect(stepsOf(Math.fround(few / steps), steps, false)).toBe(few);
      },
    ),
  );
});
