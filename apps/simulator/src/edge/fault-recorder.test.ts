import { decodeFaultRecord } from '@sonnenwarte/device-protocol/fault-records/fault-record';
import {
  assembled,
  type RecordFrame,
  RecordName,
  readRecordFrame,
} from '@sonnenwarte/device-protocol/fault-records/record-parts';
import { actionCommand, resultOf } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { encodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { afterEach, describe, expect, test } from 'vitest';
import { FaultBoard, type FaultName } from '../faults.ts';
import { Plant } from '../plant/plant.ts';
import { FakeBroker, FakeSchedule, settled } from '../testing/fake-transport.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { EdgeNode } from './edge-node.ts';

const NOON = Date.UTC(2026, 5, 1, 10);
const DATALOGGER = '302311010000017';
const INVERTER = 'H8T2311A00117';
const running: EdgeNode[] = [];
let ordered = 0;

afterEach(async () => {
  await Promise.all(running.splice(0).map((edge) => edge.stop()));
});

async function started() {
  const plant = new Plant(samplePlant('lindenblick'), NOON - 3_600_000, new FaultBoard());
  plant.advanceTo(NOON);
  const broker = new FakeBroker();
  const schedule = new FakeSchedule(NOON);
  const [datalogger] = plant.plant.loggers;
  if (datalogger === undefined) throw new Error('no logger');
  const edge = new EdgeNode({
    plant,
    datalogger,
    group: 'solar',
    open: broker.open,
    intervalS: 10,
    backoffMs: { low: 1_000, high: 1_000 },
    schedule,
    onNote: () => undefined,
  });
  running.push(edge);
  edge.start();
  await settled();
  const report = async () => {
    await schedule.pass(10_000);
    plant.advanceTo(schedule.now());
    edge.report(schedule.now());
    await settled();
  };
  const frames = (): RecordFrame[] =>
    broker.of('DDATA', INVERTER).flatMap(({ payload: { metrics } }) => {
      const frame = readRecordFrame(metrics.map(({ name = '', value }) => ({ name, value })));
      return frame === undefined ? [] : [frame];
    });
  const order = async (action: 'FaultRecordList' | 'FaultRecordRead', index?: number, parts?: string) => {
    ordered += 1;
    const extra = [
      ...(index === undefined ? [] : [{ name: RecordName.requestIndex, datatype: DataType.Int32, value: index }]),
      ...(parts === undefined ? [] : [{ name: RecordName.requestParts, datatype: DataType.String, value: parts }]),
    ];
    const id = `${'0'.repeat(20)}${String(ordered).padStart(6, '0')}`;
    const before = frames().length;
    const payload = actionCommand(id, schedule.now() + 600_000, action, extra);
    broker.deliver(sparkplugTopic('solar', 'DCMD', DATALOGGER, INVERTER), encodePayload(payload));
    for (let pace = 0; pace < 20; pace += 1) await schedule.pass(200);
    await settled();
    const code = broker
      .of('DDATA', INVERTER)
      .flatMap(({ payload: { metrics } }) => resultOf(metrics) ?? [])
      .find((result) => result.id === id)?.code;
    return { code, told: frames().slice(before) };
  };
  const begins = async (fault: FaultName) => {
    await report();
    plant.faults.inject(INVERTER, fault, schedule.now());
    await report();
    const newest = frames().at(-1)?.newest ?? 0;
    return newest;
  };
  const read = async (index: number, parts?: string) => {
    const { code, told } = await order('FaultRecordRead', index, parts);
    return { code, parts: told.flatMap(({ part }) => part ?? []) };
  };
  return { plant, schedule, report, order, begins, read };
}

describe('an inverter', () => {
  test('records a fault when it begins, says so, lists it and reads it in parts that are the record', async () => {
    const { begins, order, read } = await started();
    const newest = await begins('grid-over-voltage');
    expect(newest).toBeGreaterThan(0);
    const { code, told } = await order('FaultRecordList');
    expect(code).toBe(0);
    expect(told[0]?.list).toMatchObject([{ index: newest, code: 1001 }]);
    const { parts } = await read(newest);
    const [first] = parts;
    expect(parts.length).toBeGreaterThan(2);
    const bytes = assembled(
      parts.map(({ data }) => data),
      first?.size ?? 0,
      first?.sha256 ?? '',
    );
    const record = decodeFaultRecord(bytes ?? new Uint8Array());
    expect(record.trigger).toMatchObject({ name: 'AC/L1/Voltage', limit: 253 });
    expect(record.trigger?.value).toBeGreaterThan(253);
    expect(record.registers.find(({ name }) => name === 'AC/ActivePower')?.value).toBeGreaterThan(0);
    expect((await read(newest, '1')).parts.map(({ number }) => number)).toEqual([1]);
  });

  test.each([
    ['grid-lost', 1005, 'AC/L1/Voltage', (before: number, after: number) => after < 0.05 * before],
    ['grid-over-voltage', 1001, 'AC/L1/Voltage', (before: number, after: number) => after > 1.08 * before],
    ['grid-under-voltage', 1002, 'AC/L1/Voltage', (before: number, after: number) => after < 0.85 * before],
    ['insulation-low', 2001, 'AC/L1/Current', (before: number, after: number) => after < 0.05 * before],
  ] as const)('has waveforms that show %s', async (fault, code, channel, isShown) => {
    const { begins, read } = await started();
    const { parts } = await read(await begins(fault));
    const bytes = assembled(
      parts.map(({ data }) => data),
      parts[0]?.size ?? 0,
      parts[0]?.sha256 ?? '',
    );
    const record = decodeFaultRecord(bytes ?? new Uint8Array());
    expect(record.code).toBe(code);
    const samples = record.channels.find(({ name }) => name === channel)?.samples ?? new Int16Array();
    const amplitude = (from: number, to: number) => Math.max(...samples.slice(from, to).map(Math.abs));
    expect(isShown(amplitude(0, 256), amplitude(704, 960))).toBe(true);
  });

  test('loses a part, reads with a wrong bit, or no longer keeps a record, as it is told to', async () => {
    const { plant, schedule, begins, read } = await started();
    const newest = await begins('grid-lost');
    const whole = (await read(newest)).parts;
    plant.faults.inject(INVERTER, 'record-part-lost', schedule.now());
    expect((await read(newest)).parts.length).toBe(whole.length - 1);
    plant.faults.clear(schedule.now(), INVERTER, 'record-part-lost');
    plant.faults.inject(INVERTER, 'record-damaged', schedule.now());
    const damaged = (await read(newest)).parts;
    expect(damaged[0]?.sha256).toBe(whole[0]?.sha256);
    expect(
      assembled(
        damaged.map(({ data }) => data),
        damaged[0]?.size ?? 0,
        damaged[0]?.sha256 ?? '',
      ),
    ).toBeUndefined();
    expect(await read(newest + 500)).toEqual({ code: 2, parts: [] });
  });
});
