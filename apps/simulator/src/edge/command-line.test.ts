import { resultOf, writeCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { encodePayload, type SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { afterEach, expect, test } from 'vitest';
import { FaultBoard } from '../faults.ts';
import { Plant } from '../plant/plant.ts';
import { FakeBroker, FakeSchedule, settled } from '../testing/fake-transport.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { EdgeNode } from './edge-node.ts';

const NOON = Date.UTC(2026, 5, 1, 10);
const EXPIRES = NOON + 600_000;
const DATALOGGER = '302311010000017';
const INVERTER = 'H8T2311A00117';
const running: EdgeNode[] = [];

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
    backoffMs: { low: 1000, high: 1000 },
    schedule,
    onNote: () => undefined,
  });
  running.push(edge);
  edge.start();
  await settled();
  const command = async (payload: SparkplugPayload) => {
    broker.deliver(sparkplugTopic('solar', 'DCMD', DATALOGGER, INVERTER), encodePayload(payload));
    await settled();
  };
  const report = async () => {
    await schedule.pass(10_000);
    plant.advanceTo(schedule.now());
    edge.report(schedule.now());
    await settled();
  };
  const answers = () => broker.of('DDATA', INVERTER).flatMap(({ payload }) => resultOf(payload.metrics) ?? []);
  return { plant, broker, schedule, command, report, answers };
}

const minSoc = (id: string, value: number) =>
  writeCommand(id, EXPIRES, [{ name: 'Setting/MinSoc', datatype: DataType.Int32, value }]);

test('a named setting is refused with the code that was asked for, others are not', async () => {
  const { plant, command, answers } = await started();
  plant.faults.inject(INVERTER, 'command-refused', NOON, undefined, 1, { setting: 'Setting/MinSoc', code: 4 });
  await command(minSoc('A', 30));
  await command(writeCommand('B', EXPIRES, [{ name: 'Setting/BackupSoc', datatype: DataType.Int32, value: 50 }]));
  expect(answers()).toEqual([
    { id: 'A', code: 4, message: 'Setting/MinSoc' },
    { id: 'B', code: 0, message: '' },
  ]);
});

test('a lost answer is stored and comes with the repetition; a doubled one comes twice, a slow one later', async () => {
  const { plant, schedule, command, answers } = await started();
  plant.faults.inject(INVERTER, 'command-lost', NOON);
  await command(minSoc('A', 30));
  expect(plant.settings.minSocPercent).toBe(30);
  expect(answers()).toEqual([]);
  plant.faults.clear(NOON, INVERTER, 'command-lost');
  plant.faults.inject(INVERTER, 'command-twice', NOON);
  await command(minSoc('A', 30));
  expect(answers().map(({ id }) => id)).toEqual(['A', 'A']);
  plant.faults.clear(NOON, INVERTER, 'command-twice');
  plant.faults.inject(INVERTER, 'command-slow', NOON);
  await command(minSoc('B', 40));
  expect(answers()).toHaveLength(2);
  await schedule.pass(20_000);
  await settled();
  expect(answers().map(({ id }) => id)).toEqual(['A', 'A', 'B']);
});

test('a device that restarts in the middle has done it, and says so when it is asked again', async () => {
  const { plant, broker, schedule, command, answers } = await started();
  plant.faults.inject(INVERTER, 'command-reboot', NOON);
  await command(minSoc('A', 30));
  expect(answers()).toEqual([]);
  expect(broker.of('DDEATH', INVERTER)).toHaveLength(1);
  await schedule.pass(4_000);
  await settled();
  expect(broker.of('DBIRTH', INVERTER)).toHaveLength(2);
  await command(minSoc('A', 30));
  expect(answers()).toEqual([{ id: 'A', code: 0, message: '' }]);
  expect(plant.settings.minSocPercent).toBe(30);
});

test('a setting that changes by itself is told with the next report, once', async () => {
  const { plant, broker, report } = await started();
  plant.faults.inject(INVERTER, 'setting-drift', NOON, undefined, 1, { setting: 'Setting/ActivePowerLimit' });
  await report();
  await report();
  const told = broker
    .of('DDATA', INVERTER)
    .flatMap(({ payload }) => payload.metrics.filter(({ name }) => name === 'Setting/ActivePowerLimit'));
  expect(told.map(({ value }) => value)).toEqual([50]);
});

test('a plain device tells no profile, knows no ids, and answers with what it has', async () => {
  const { plant, broker, command, report } = await started();
  plant.faults.inject(DATALOGGER, 'plain-sparkplug', NOON);
  await report();
  const [, again] = broker.of('NBIRTH');
  expect(again?.payload.metrics.some(({ name }) => name === 'Properties/Profile')).toBe(false);
  await command(minSoc('A', 30));
  const last = broker.of('DDATA', INVERTER).at(-1)?.payload.metrics ?? [];
  expect(last.map(({ name, value }) => [name, value])).toEqual([['Setting/MinSoc', 30]]);
});
