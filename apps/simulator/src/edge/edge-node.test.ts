import { ALARM_ACTIVE, alarmsFromDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import { AliasTable, bdSeqOf } from '@sonnenwarte/device-protocol/points/births';
import { pointByName } from '@sonnenwarte/device-protocol/points/points';
import {
  actionCommand,
  clockCommand,
  credentialCommand,
  historyCommand,
  readCommand,
  rebirthCommand,
  resultOf,
  writeCommand,
} from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  decodePayload,
  encodePayload,
  type SparkplugPayload,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { afterEach, describe, expect, test } from 'vitest';
import { FaultBoard } from '../faults.ts';
import { Plant } from '../plant/plant.ts';
import { FakeBroker, FakeSchedule, type SentMessage, settled } from '../testing/fake-transport.ts';
import { samplePlant } from '../testing/sample-plant.ts';
import { EdgeNode } from './edge-node.ts';
import { isDataSet } from './settings-bank.ts';

const NOON = Date.UTC(2026, 5, 1, 10);
const DATALOGGER = '302311010000017';
const INVERTER = 'H8T2311A00117';
const METER = 'M3T2311000117';
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
  const notes: string[] = [];
  const kept: string[] = [];
  const edge = new EdgeNode({
    plant,
    datalogger,
    group: 'solar',
    open: broker.open,
    intervalS: 10,
    backoffMs: { low: 1000, high: 1000 },
    schedule,
    onNote: (note) => notes.push(note),
    keepPassword: (sn, password) => kept.push(`${sn} ${password}`),
  });
  running.push(edge);
  edge.start();
  await settled();
  const report = async (passedMs = 10_000) => {
    await schedule.pass(passedMs);
    plant.advanceTo(schedule.now());
    edge.report(schedule.now());
    await settled();
  };
  const command = async (payload: SparkplugPayload, device?: string) => {
    const topic = sparkplugTopic('solar', device === undefined ? 'NCMD' : 'DCMD', DATALOGGER, device);
    broker.deliver(topic, encodePayload(payload));
    await settled();
  };
  return { plant, broker, schedule, edge, report, command, notes, kept };
}

/** Result of the last answer on a device's topic, with the values read back. */
function lastResult(messages: SentMessage[]) {
  const last = messages.at(-1)?.payload.metrics ?? [];
  return { ...resultOf(last), values: Object.fromEntries(last.map(({ name, value }) => [name, value])) };
}

function alarmsIn(message: SentMessage | undefined, births: SentMessage | undefined): number[] | undefined {
  const table = new AliasTable();
  table.register(births?.payload.metrics ?? []);
  for (const metric of message?.payload.metrics ?? []) {
    const resolved = table.resolve(metric);
    if (resolved?.name === ALARM_ACTIVE && resolved.value !== null && isDataSet(resolved.value)) {
      return alarmsFromDataSet(resolved.value).map(({ code }) => code);
    }
  }
  return undefined;
}

describe('births', () => {
  test('a connection begins with an NBIRTH of number 0 that names the will, then a DBIRTH of each device', async () => {
    const { broker } = await started();
    expect(broker.sent.map(({ topic }) => topic.type)).toEqual(['NBIRTH', 'DBIRTH', 'DBIRTH', 'DBIRTH', 'DBIRTH']);
    expect(broker.sent.map(({ payload }) => payload.seq)).toEqual([0, 1, 2, 3, 4]);
    const will = broker.wills[0];
    expect(will?.topic).toBe(`spBv1.0/solar/NDEATH/${DATALOGGER}`);
    const [birth] = broker.sent;
    expect(birth && bdSeqOf(birth.payload)).toBe(bdSeqOf(decodePayload(will?.payload ?? new Uint8Array())));
  });

  test('a birth gives every metric of the catalogue name, alias, datatype, value and unit', async () => {
    const { broker } = await started();
    const inverter = broker.of('DBIRTH', INVERTER)[0]?.payload.metrics ?? [];
    const points = inverter.filter(({ name }) => name !== undefined && pointByName('inverter', name) !== undefined);
    expect(points.length).toBeGreaterThanOrEqual(55);
    for (const { name, alias, datatype, value, properties } of points) {
      const point = pointByName('inverter', name ?? '');
      expect(alias).toBeGreaterThan(0);
      expect(datatype).toBe(point?.datatype);
      expect(value).not.toBeNull();
      expect(properties?.engUnit?.value).toBe(point?.unit);
    }
    expect(inverter.find(({ name }) => name === 'Properties/Kind')?.value).toBe('inverter');
  });

  test('aliases are unique over the node and its devices', async () => {
    const { broker } = await started();
    const aliases = broker.sent.flatMap(({ payload }) => payload.metrics.flatMap(({ alias }) => alias ?? []));
    expect(new Set(aliases).size).toBe(aliases.length);
  });

  test('data hold aliases only and resolve to the values of the plant', async () => {
    const { broker, plant, report } = await started();
    await report();
    const [message] = broker.of('DDATA', INVERTER);
    const table = new AliasTable();
    table.register(broker.of('DBIRTH', INVERTER)[0]?.payload.metrics ?? []);
    expect(message?.payload.metrics.every(({ name }) => name === undefined)).toBe(true);
    const power = message?.payload.metrics.map((m) => table.resolve(m)).find((m) => m?.name === 'AC/ActivePower');
    expect(Number(power?.value)).toBeCloseTo(plant.inverters[0]?.acW ?? Number.NaN, 0);
  });

  test('a rebirth command repeats all births under new numbers', async () => {
    const { broker, command, report } = await started();
    await report();
    await command(rebirthCommand());
    expect(broker.of('NBIRTH').map(({ payload }) => payload.seq)).toEqual([0, 0]);
    expect(broker.of('DBIRTH')).toHaveLength(8);
  });

  test('a clean stop sends the death of the living birth', async () => {
    const { broker, edge } = await started();
    await edge.stop();
    const death = broker.of('NDEATH')[0];
    const birth = broker.of('NBIRTH')[0];
    expect(death && bdSeqOf(death.payload)).toBe(birth && bdSeqOf(birth.payload));
  });
});

describe('commands', () => {
  const expires = NOON + 600_000;

  test('a write is applied, confirmed by read-back, and changes the plant', async () => {
    const { broker, command, plant } = await started();
    await command(
      writeCommand('01A', expires, [{ name: 'Setting/MinSoc', datatype: DataType.Int32, value: 35 }]),
      INVERTER,
    );
    expect(lastResult(broker.of('DDATA', INVERTER))).toMatchObject({
      id: '01A',
      code: 0,
      values: { 'Setting/MinSoc': 35 },
    });
    expect(plant.settings.minSocPercent).toBe(35);
  });

  test('of several settings none is applied when one is out of range', async () => {
    const { broker, command, plant } = await started();
    const settings = [
      { name: 'Setting/MinSoc', datatype: DataType.Int32, value: 40 },
      { name: 'Setting/ActivePowerLimit', datatype: DataType.Int32, value: 140 },
    ];
    await command(writeCommand('01B', expires, settings), INVERTER);
    expect(lastResult(broker.of('DDATA', INVERTER))).toMatchObject({ code: 2, values: { 'Setting/MinSoc': 10 } });
    expect(plant.settings.minSocPercent).toBe(10);
  });

  test('unknown, measured and expired are told apart', async () => {
    const { broker, command } = await started();
    const write = (id: string, name: string, until = expires) =>
      command(writeCommand(id, until, [{ name, datatype: DataType.Int32, value: 20 }]), INVERTER);
    await write('1', 'Setting/Nothing');
    await write('2', 'AC/ActivePower');
    await write('3', 'Setting/MinSoc', NOON - 1);
    expect(broker.of('DDATA', INVERTER).map(({ payload }) => resultOf(payload.metrics)?.code)).toEqual([1, 3, 8]);
  });

  test('the same id is answered again with the stored result and does nothing twice', async () => {
    const { broker, command, plant } = await started();
    const payload = writeCommand('02', expires, [{ name: 'Setting/MinSoc', datatype: DataType.Int32, value: 30 }]);
    await command(payload, INVERTER);
    plant.settings.minSocPercent = 12;
    await command(payload, INVERTER);
    expect(plant.settings.minSocPercent).toBe(12);
    expect(broker.of('DDATA', INVERTER).map(({ payload: sent }) => resultOf(sent.metrics))).toEqual([
      { id: '02', code: 0, message: '' },
      { id: '02', code: 0, message: '' },
    ]);
  });

  test('a read by prefix gives all settings; a name that is not there makes it partial', async () => {
    const { broker, command } = await started();
    await command(readCommand('03', expires, ['Setting/*', 'Setting/Nothing']), INVERTER);
    const result = lastResult(broker.of('DDATA', INVERTER));
    expect(result).toMatchObject({ code: 10, message: 'Setting/Nothing' });
    expect(Object.keys(result.values)).toEqual(expect.arrayContaining(['Setting/WorkMode', 'Setting/Schedule']));
  });

  test('a restart shows as death and birth of the device', async () => {
    const { broker, command, schedule } = await started();
    await command(actionCommand('04', expires, 'Reboot'), METER);
    expect(broker.of('DDEATH', METER)).toHaveLength(1);
    await schedule.pass(5_000);
    expect(broker.of('DBIRTH', METER)).toHaveLength(2);
  });

  test('a datalogger answers, then restarts: it is born again on another connection', async () => {
    const { broker, command, schedule } = await started();
    await command(actionCommand('06', expires, 'Reboot'));
    expect(lastResult(broker.of('NDATA'))).toMatchObject({ id: '06', code: 0 });
    expect(broker.of('NBIRTH')).toHaveLength(1);
    await schedule.pass(3_000);
    await settled();
    expect(broker.wills).toHaveLength(2);
    expect(broker.of('NBIRTH')).toHaveLength(2);
  });

  test('a datalogger that is given a new password says so, and connects with it from then on', async () => {
    const { broker, command, schedule, kept } = await started();
    await command(credentialCommand('07', expires, 'abcdefghijklmnopqrstuvwxyz'));
    expect(lastResult(broker.of('NDATA'))).toMatchObject({ id: '07', code: 0 });
    expect(kept).toEqual([`${DATALOGGER} abcdefghijklmnopqrstuvwxyz`]);
    await schedule.pass(3_000);
    await settled();
    expect(broker.wills).toHaveLength(2);
    await command(credentialCommand('07', expires, 'abcdefghijklmnopqrstuvwxyz'));
    expect(kept).toHaveLength(1);
  });

  test.each([
    ['credential-refused', 6, 0, 1],
    ['credential-forgotten', 0, 0, 2],
    ['credential-unanswered', undefined, 1, 2],
  ] as const)('a new password under %s', async (fault, code, passwords, connections) => {
    const { broker, command, plant, schedule, kept } = await started();
    plant.faults.inject(DATALOGGER, fault, NOON);
    await command(credentialCommand('08', expires, 'abcdefghijklmnopqrstuvwxyz'));
    expect(lastResult(broker.of('NDATA')).code).toBe(code);
    expect(kept).toHaveLength(passwords);
    await schedule.pass(3_000);
    await settled();
    expect(broker.wills).toHaveLength(connections);
  });

  test('the report interval of the logger can be written', async () => {
    const { broker, command, edge } = await started();
    await command(writeCommand('05', expires, [{ name: 'Report/Interval', datatype: DataType.Int32, value: 30 }]));
    expect(lastResult(broker.of('NDATA'))).toMatchObject({ code: 0, values: { 'Report/Interval': 30 } });
    expect(edge.intervalS).toBe(30);
  });

  test('a host sets a skewed clock right', async () => {
    const { broker, command, plant, report, schedule } = await started();
    plant.faults.inject(DATALOGGER, 'clock-skew', NOON);
    await report();
    expect(broker.of('NDATA').at(-1)?.payload.timestampMs).toBe(schedule.now() + 110_000);
    await command(clockCommand(schedule.now()));
    await report();
    expect(broker.of('NDATA').at(-1)?.payload.timestampMs).toBe(schedule.now());
  });
});

describe('loss of the connection', () => {
  test('samples are kept and sent afterwards as historical, oldest first, after the births', async () => {
    const { broker, report, schedule, edge } = await started();
    await report(300_000);
    broker.isReachable = false;
    broker.cut();
    await settled();
    for (let slot = 0; slot < 4; slot += 1) await report(300_000);
    expect(edge.pending).toBe(16);
    broker.isReachable = true;
    await schedule.pass(5_000);
    expect(broker.of('NBIRTH').map(({ payload }) => bdSeqOf(payload))).toEqual([0, 1]);
    const kept = broker.of('DDATA', INVERTER).filter(({ payload }) => payload.metrics[0]?.isHistorical === true);
    const times = [...new Set(kept.flatMap(({ payload }) => payload.metrics.map((metric) => metric.timestampMs ?? 0)))];
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.length).toBeGreaterThanOrEqual(4);
    expect(times[0]).toBeLessThanOrEqual(NOON + 600_000);
    expect(edge.pending).toBe(0);
  });

  test('a loss while kept samples go out delays them, and nothing is lost', async () => {
    const { broker, report, schedule, edge } = await started();
    broker.isReachable = false;
    broker.cut();
    await settled();
    for (let slot = 0; slot < 6; slot += 1) await report(300_000);
    broker.isReachable = true;
    broker.holdsAcks = true;
    await schedule.pass(1_100);
    expect(broker.unacknowledged).toBeGreaterThan(0);
    broker.cut();
    broker.holdsAcks = false;
    await schedule.pass(10_000);
    expect(edge.isConnected).toBe(true);
    expect(edge.pending).toBe(0);
    for (const device of [INVERTER, METER]) {
      const messages = broker.of('DDATA', device).filter(({ payload }) => payload.metrics[0]?.isHistorical === true);
      const times = new Set(messages.flatMap(({ payload }) => payload.metrics.map(({ timestampMs }) => timestampMs)));
      for (let slot = 1; slot <= 6; slot += 1) expect(times).toContain(NOON + slot * 300_000);
    }
  });

  test('a host may ask for a span again', async () => {
    const { broker, report, command, schedule } = await started();
    await report(300_000);
    await report(300_000);
    const before = broker.of('DDATA', METER).length;
    await command(historyCommand(NOON, NOON + 400_000));
    await schedule.pass(3_000);
    const again = broker.of('DDATA', METER).slice(before);
    expect(again).toHaveLength(1);
    expect(again[0]?.payload.metrics.every(({ isHistorical }) => isHistorical === true)).toBe(true);
    expect(new Set(again[0]?.payload.metrics.map(({ timestampMs }) => timestampMs))).toEqual(new Set([NOON + 300_000]));
  });
});

describe('faults on the line', () => {
  test('an alarm comes with the next report, once, and goes when the fault ends', async () => {
    const { broker, plant, report, schedule } = await started();
    const birth = broker.of('DBIRTH', INVERTER)[0];
    plant.faults.inject(INVERTER, 'grid-over-voltage', schedule.now(), 15_000);
    await report();
    await report();
    await report();
    expect(broker.of('DDATA', INVERTER).map((message) => alarmsIn(message, birth))).toEqual([[1001], [], undefined]);
  });

  test('a meter that does not answer dies, its alarm is told by the inverter, and it is born again', async () => {
    const { broker, plant, report, schedule } = await started();
    plant.faults.inject(METER, 'meter-lost', schedule.now(), 100_000);
    await report();
    expect(broker.of('DDEATH', METER)).toHaveLength(1);
    await report(60_000);
    expect(alarmsIn(broker.of('DDATA', INVERTER).at(-1), broker.of('DBIRTH', INVERTER)[0])).toEqual([5001]);
    await report(60_000);
    expect(broker.of('DBIRTH', METER)).toHaveLength(2);
  });

  test('a replaced device appears under another serial number with counters from 0', async () => {
    const { broker, plant, report, schedule } = await started();
    plant.faults.inject(INVERTER, 'device-replaced', schedule.now() + 1);
    await report();
    expect(broker.of('DDEATH', INVERTER)).toHaveLength(1);
    const total = broker.of('DBIRTH', `${INVERTER}R`)[0]?.payload.metrics.find(({ name }) => name === 'Energy/PvTotal');
    expect(Number(total?.value)).toBeLessThan(1);
  });

  test('duplicates, disorder, garbage and silence are what they say', async () => {
    const { broker, plant, report, schedule } = await started();
    const seqs = () => broker.sent.slice(5).map(({ payload }) => payload.seq);
    plant.faults.inject(DATALOGGER, 'duplicates', schedule.now());
    await report();
    expect(seqs()).toEqual([5, 5, 6, 6, 7, 7, 8, 8, 9, 9]);
    plant.faults.clear(schedule.now());
    plant.faults.inject(DATALOGGER, 'reorder', schedule.now());
    await report();
    expect(seqs().slice(10)).toEqual([11, 10, 13, 12]);
    plant.faults.clear(schedule.now());
    plant.faults.inject(DATALOGGER, 'silent-logger', schedule.now());
    const before = broker.sent.length;
    await report();
    expect(broker.sent).toHaveLength(before);
  });
});
