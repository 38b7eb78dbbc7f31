import { describe, expect, test } from 'vitest';
import {
  actionCommand,
  clockCommand,
  historyCommand,
  parseCommand,
  ResultCode,
  readCommand,
  rebirthCommand,
  resultMetrics,
  resultOf,
  writeCommand,
} from './commands.ts';
import { DataType } from './datatypes.ts';
import { decodePayload, encodePayload, type SparkplugPayload } from './sparkplug-payload.ts';

const id = '01K8ZD3M7Q6R5S4T3V2W1X0Y9Z';
const expiresMs = 1_760_000_600_000;
const overTheWire = (payload: SparkplugPayload) => parseCommand(decodePayload(encodePayload(payload)));
const nothing = { rebirth: false, reads: [], actions: [], settings: [] };

describe('commands', () => {
  test('a write arrives with id, expiry and every setting', () => {
    const settings = [
      { name: 'Setting/MinSoc', datatype: DataType.Int32, value: 20 },
      { name: 'Setting/GridCharge', datatype: DataType.Boolean, value: false },
    ];
    expect(overTheWire(writeCommand(id, expiresMs, settings))).toEqual({ ...nothing, id, expiresMs, settings });
  });

  test('a read arrives with its names and prefixes', () => {
    expect(overTheWire(readCommand(id, expiresMs, ['Setting/*', 'Clock/TimeZone']))).toEqual({
      ...nothing,
      id,
      expiresMs,
      reads: ['Setting/*', 'Clock/TimeZone'],
    });
  });

  test('an action arrives with its parameters', () => {
    const points = { name: 'IV/Request/Points', datatype: DataType.Int32, value: 128 };
    expect(overTheWire(actionCommand(id, expiresMs, 'IvScan', [points]))).toEqual({
      ...nothing,
      id,
      expiresMs,
      actions: [{ action: 'IvScan', value: true }],
      settings: [points],
    });
  });

  test('rebirth, clock and history requests of the node are understood', () => {
    expect(overTheWire(rebirthCommand())).toEqual({ ...nothing, rebirth: true });
    expect(overTheWire(clockCommand(expiresMs))).toEqual({ ...nothing, clockUtcMs: expiresMs });
    expect(overTheWire(historyCommand(1_000, 2_000))).toEqual({ ...nothing, history: { fromMs: 1_000, toMs: 2_000 } });
  });

  test('a rebirth with the value false asks for nothing', () => {
    expect(parseCommand({ metrics: [{ name: 'Node Control/Rebirth', value: false }] })).toEqual(nothing);
  });

  test('metrics without a value are no commands, and an unknown control is a setting that the device will refuse', () => {
    const metrics = [
      { name: 'Setting/MinSoc', value: null },
      { name: 'Device Control/Explode', value: true },
    ];
    expect(parseCommand({ metrics })).toEqual({
      ...nothing,
      settings: [{ name: 'Device Control/Explode', value: true }],
    });
  });
});

describe('results', () => {
  test('come back with id, code and message beside the values read back', () => {
    const readBack = [{ name: 'Setting/MinSoc', datatype: DataType.Int32, value: 20 }];
    const metrics = decodePayload(
      encodePayload({ metrics: resultMetrics(id, ResultCode.outOfRange, 'too high', readBack) }),
    ).metrics;
    expect(resultOf(metrics)).toEqual({ id, code: 2, message: 'too high' });
    expect(metrics.at(-1)).toMatchObject({ name: 'Setting/MinSoc', value: 20 });
  });

  test('a message without id or code is no result', () => {
    expect(resultOf([{ name: 'AC/ActivePower', value: 1 }])).toBeUndefined();
    expect(resultOf([{ name: 'Cmd/Result/Id', value: id }])).toBeUndefined();
  });
});
