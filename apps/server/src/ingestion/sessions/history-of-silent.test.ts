import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { describe, expect, test } from 'vitest';
import { dataloggerIsOnlineAt, deviceStateAt } from '../../current-state/current-state.ts';
import { TestEdge, until } from '../../testing/edge.ts';
import { makePlant } from '../../testing/ingestion.ts';
import { JsonDatalogger } from '../../testing/json-datalogger.ts';
import { ownIngestion } from '../../testing/own-ingestion.ts';

const DAY_MS = 86_400_000;

const own = ownIngestion();

/** What is said of a device and of its datalogger, as every list judges it. */
async function toldOf(device: string) {
  await own.ingestion.drain();
  const nowMs = Date.now();
  return own.stores.db
    .selectFrom('devices')
    .innerJoin('loggers', 'loggers.id', 'devices.logger_id')
    .select([
      'devices.last_seen_at',
      deviceStateAt(nowMs).as('state'),
      dataloggerIsOnlineAt(nowMs).as('isLoggerOnline'),
    ])
    .where('devices.sn', '=', device)
    .executeTakeFirstOrThrow();
}

const power = (value: number, timestampMs?: number) => ({
  name: 'AC/ActivePower',
  datatype: DataType.Float,
  value,
  ...(timestampMs !== undefined && { timestampMs }),
});

describe('a device of which no more than history comes', () => {
  test('is offline behind a connected datalogger, and normal with its first value of now', async () => {
    const { sn } = await makePlant(own.stores.db);
    const device = `D${sn}`;
    const edge = await TestEdge.connect(own.ingestion.port, sn);
    await edge.birth();
    const thenMs = Date.now() - 3 * DAY_MS;
    await edge.deviceBirth(device, 'inverter', [power(1_200, thenMs)]);
    expect(await toldOf(device)).toMatchObject({ state: 'offline', isLoggerOnline: true });
    for (const hours of [1, 2]) {
      const timestampMs = thenMs - hours * 3_600_000;
      await edge.data(device, { 'AC/ActivePower': 900 }, { timestampMs, historical: true });
    }
    expect(await toldOf(device)).toMatchObject({ state: 'offline', isLoggerOnline: true });
    await edge.data(device, { 'AC/ActivePower': 1_000 });
    expect(await toldOf(device)).toMatchObject({ state: 'normal', isLoggerOnline: true });
    await edge.end();
  });

  test('stays normal while history comes beside what it tells of now, also where it is born again with older values', async () => {
    const { sn } = await makePlant(own.stores.db);
    const device = `D${sn}`;
    const edge = await TestEdge.connect(own.ingestion.port, sn);
    await edge.birth();
    await edge.deviceBirth(device, 'inverter', [power(1_200)]);
    await edge.data(device, { 'AC/ActivePower': 900 }, { timestampMs: Date.now() - DAY_MS, historical: true });
    expect((await toldOf(device)).state).toBe('normal');
    await edge.deviceBirth(device, 'inverter', [power(1_200, Date.now() - DAY_MS)]);
    expect((await toldOf(device)).state).toBe('normal');
    await edge.end();
  });

  test('is born without values of its own and counts as heard', async () => {
    const { sn } = await makePlant(own.stores.db);
    const edge = await TestEdge.connect(own.ingestion.port, sn);
    await edge.birth();
    await edge.deviceBirth(`D${sn}`, 'inverter');
    expect((await toldOf(`D${sn}`)).state).toBe('normal');
    await edge.end();
  });

  test('was never heard where a datalogger tells in JSON what has been only', async () => {
    const { sn } = await makePlant(own.stores.db);
    const dev = `J${sn}`;
    const past = { ts: Date.now() - DAY_MS, dev, kind: 'inverter', hist: true, v: { 'AC/ActivePower': 5 } };
    const datalogger = await JsonDatalogger.connect(own.ingestion.port, sn);
    await datalogger.tell(past);
    expect(await toldOf(dev)).toMatchObject({ state: 'offline', isLoggerOnline: true, last_seen_at: null });
    await datalogger.tell({ ...past, ts: Date.now(), hist: false });
    const { state, last_seen_at: heardAt } = await toldOf(dev);
    expect(state).toBe('normal');
    await datalogger.tell({ ...past, ts: past.ts + 1_000 });
    await datalogger.end();
    await until(async () => (await toldOf(dev)).state === 'offline');
    expect((await toldOf(dev)).last_seen_at).toEqual(heardAt);
  });
});
