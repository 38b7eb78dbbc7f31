import { alarmsToDataSet } from '@sonnenwarte/device-protocol/points/alarms';
import { parseCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { compressPayload, encodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt from 'mqtt';
import { describe, expect, test } from 'vitest';
import { hashToken } from '../../broker/credentials.ts';
import { toldOf } from '../../stores/telemetry-tables.ts';
import { TestEdge, until } from '../../testing/edge.ts';
import { freshSn, makeDatalogger, makeOrganisation, makePlant, TEST_PASSWORD } from '../../testing/ingestion.ts';
import { ownIngestion } from '../../testing/own-ingestion.ts';

const own = ownIngestion({
  timing: { reorderMs: 50, clearAlarmMs: 100 },
  failuresPerMinute: 1_000,
});

const deviceRow = (sn: string) =>
  own.stores.db.selectFrom('devices').selectAll().where('sn', '=', sn).executeTakeFirst();
const dataloggerRow = (sn: string) =>
  own.stores.db.selectFrom('loggers').selectAll().where('sn', '=', sn).executeTakeFirstOrThrow();
const siteState = async (id: string) =>
  (await own.stores.db.selectFrom('site_latest').select('state').where('site_id', '=', id).executeTakeFirst())?.state;

async function latestOf(sn: string) {
  return own.stores.db
    .selectFrom('device_latest')
    .innerJoin('devices', 'devices.id', 'device_latest.device_id')
    .select(['device_latest.ts', 'device_latest.values', 'power_w'])
    .where('devices.sn', '=', sn)
    .executeTakeFirst();
}

const acPower = toldOf('inverter', { name: 'AC/ActivePower' });

async function rawOf(sn: string, columns = `toUnixTimestamp64Milli(ts) AS ms, ${acPower} AS w, flags, other`) {
  const device = await deviceRow(sn);
  const query = `SELECT ${columns} FROM raw_${device?.kind} FINAL WHERE device = ${device?.key} ORDER BY ts`;
  const answer = await own.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
  return answer.json<{ ms: string; w: number | null; flags: number; other: Record<string, string> }>();
}

async function born(): Promise<{ edge: TestEdge; device: string; siteId: string }> {
  const plant = await makePlant(own.stores.db);
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  const device = `D${plant.sn}`;
  await edge.birth();
  await edge.deviceBirth(device, 'inverter', [{ name: 'Rating/ActivePower', datatype: DataType.Float, value: 8_000 }]);
  return { edge, device, siteId: plant.siteId };
}

describe('births and deaths', () => {
  test('births bring logger, device and site online, with what they tell of themselves', async () => {
    const plant = await makePlant(own.stores.db);
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth([
      { name: 'Properties/Model', datatype: DataType.String, value: 'Stick 4' },
      { name: 'Net/Rssi', datatype: DataType.Int32, value: -61 },
      { name: 'Report/Interval', datatype: DataType.Int32, value: 30 },
    ]);
    await edge.deviceBirth('BATTERY-1', 'battery', [{ name: 'Bat/Capacity', datatype: DataType.Double, value: 10.24 }]);
    await own.ingestion.drain();
    expect(await dataloggerRow(plant.sn)).toMatchObject({
      online: true,
      model: 'Stick 4',
      rssi_dbm: -61,
      report_interval_s: 30,
    });
    expect(await deviceRow('BATTERY-1')).toMatchObject({
      kind: 'battery',
      online: true,
      state: 'normal',
      capacity_wh: 10_240,
      site_id: plant.siteId,
    });
    expect(await siteState(plant.siteId)).toBe('normal');
    await edge.end();
  });

  test('a connection that breaks takes logger, devices and site offline', async () => {
    const { edge, device, siteId } = await born();
    await edge.breakOff();
    await until(async () => (await deviceRow(device))?.state === 'offline');
    expect(await dataloggerRow(edge.sn)).toMatchObject({ online: false });
    expect(await siteState(siteId)).toBe('offline');
  });

  test('a client id that is taken over does not put the logger offline by its old will', async () => {
    const { edge, device } = await born();
    const second = await TestEdge.connect(own.ingestion.port, edge.sn);
    await second.birth();
    await second.deviceBirth(device, 'inverter');
    await own.ingestion.drain();
    expect(await dataloggerRow(edge.sn)).toMatchObject({ online: true });
    expect(await deviceRow(device)).toMatchObject({ online: true, state: 'normal' });
    await second.end();
  });

  test('a death with another bdSeq than the birth is not believed', async () => {
    const { edge, device } = await born();
    await edge.send('NDEATH', undefined, [{ name: 'bdSeq', datatype: DataType.Int64, value: 7 }]);
    await own.ingestion.drain();
    expect(await deviceRow(device)).toMatchObject({ online: true });
    await edge.end();
  });

  test('the death of a device leaves its logger online', async () => {
    const { edge, device } = await born();
    await edge.send('DDEATH', device, []);
    await own.ingestion.drain();
    expect(await deviceRow(device)).toMatchObject({ online: false, state: 'offline' });
    expect(await dataloggerRow(edge.sn)).toMatchObject({ online: true });
    await edge.end();
  });

  test('a device that belongs to a logger of another site is not taken over', async () => {
    const { edge, device, siteId } = await born();
    await own.ingestion.drain();
    const stranger = await born();
    await stranger.edge.deviceBirth(device, 'inverter');
    await own.ingestion.drain();
    expect(await deviceRow(device)).toMatchObject({ site_id: siteId });
    expect(await own.ingestion.counted('ingest_claims_total')).toBe(1);
    await edge.end();
    await stranger.edge.end();
  });
});

describe('what a host asks for', () => {
  test('a hole in the sequence is answered by one rebirth request and a request for the lost samples', async () => {
    const { edge, device } = await born();
    await edge.data(device, { 'AC/ActivePower': 1 }, { seq: 40 });
    await edge.data(device, { 'AC/ActivePower': 2 });
    await until(() => edge.commands.length >= 2);
    const commands = edge.commands.map(parseCommand);
    expect(commands.filter((command) => command.rebirth)).toHaveLength(1);
    expect(commands.filter((command) => command.history !== undefined)).toHaveLength(1);
    await edge.end();
  });

  test('messages that only overtook each other ask for nothing', async () => {
    const { edge, device } = await born();
    const atMs = Date.now();
    const before = await own.ingestion.counted('ingest_rejected_total', { reason: 'sequence-gap' });
    await Promise.all([
      edge.data(device, { 'AC/ActivePower': 1 }, { seq: 3, timestampMs: atMs - 2_000 }),
      edge.data(device, { 'AC/ActivePower': 2 }, { seq: 2, timestampMs: atMs - 3_000 }),
    ]);
    await edge.data(device, { 'AC/ActivePower': 3 }, { seq: 4, timestampMs: atMs - 1_000 });
    await own.ingestion.drain();
    expect(await own.ingestion.counted('ingest_rejected_total', { reason: 'sequence-gap' })).toBe(before);
    await edge.end();
  });

  test('an alias that no birth declared is answered by a rebirth request', async () => {
    const { edge, device } = await born();
    const asked = edge.nextCommand();
    await edge.send('DDATA', device, [{ alias: 999, value: 5 }]);
    expect(parseCommand(await asked).rebirth).toBe(true);
    await edge.end();
  });

  test('a clock that is wrong is set', async () => {
    const plant = await makePlant(own.stores.db);
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    const asked = edge.nextCommand();
    await edge.birth([], Date.now() - 120_000);
    expect(Math.abs((parseCommand(await asked).clockUtcMs ?? 0) - Date.now())).toBeLessThan(20_000);
    await edge.end();
  });

  test('since when a clock is more than five minutes wrong is kept until it is right, and a message that was long under way says nothing of it', async () => {
    const plant = await makePlant(own.stores.db);
    const wrongSince = async () => {
      await own.ingestion.drain();
      const rows = own.stores.db.selectFrom('loggers').select('clock_wrong_since').where('sn', '=', plant.sn);
      return (await rows.executeTakeFirstOrThrow()).clock_wrong_since;
    };
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth([], Date.now() - 4 * 60_000);
    expect(await wrongSince()).toBeNull();
    await edge.send('NDATA', undefined, [], { timestampMs: Date.now() - 3_600_000 });
    expect(await wrongSince()).toBeNull();
    await edge.send('NDATA', undefined, [], { timestampMs: Date.now() + 3_600_000 });
    const since = await wrongSince();
    expect(since).toBeInstanceOf(Date);
    await edge.birth([], Date.now() - 3_600_000);
    expect(await wrongSince()).toEqual(since);
    await edge.send('NDATA', undefined, [], { timestampMs: Date.now() - 3_600_000 });
    expect(await wrongSince()).toEqual(since);
    await edge.send('NDATA', undefined, []);
    expect(await wrongSince()).toBeNull();
    await edge.end();
  });
});

describe('samples', () => {
  test('the same sample twice is stored once and counted as a duplicate', async () => {
    const { edge, device } = await born();
    const timestampMs = Date.now() - 5_000;
    await edge.data(device, { 'AC/ActivePower': 11 }, { timestampMs });
    const before = await own.ingestion.counted('ingest_duplicates_total');
    await edge.data(device, { 'AC/ActivePower': 11 }, { timestampMs });
    expect((await rawOf(device)).filter((row) => row.w === 11)).toHaveLength(1);
    expect(await own.ingestion.counted('ingest_duplicates_total')).toBe(before + 1);
    await edge.end();
  });

  test('values of the same time that come in two messages are one row', async () => {
    const { edge, device } = await born();
    const timestampMs = Date.now() - 5_000;
    await edge.data(device, { 'AC/ActivePower': 21 }, { timestampMs });
    await edge.data(device, { 'DC/Power': 22 }, { timestampMs });
    await own.ingestion.drain();
    const rows = await rawOf(
      device,
      `${acPower} AS ac, ${toldOf('inverter', { name: 'DC/Power' })} AS dc, toUnixTimestamp64Milli(ts) AS ms`,
    );
    expect(rows.filter((row) => Number(row.ms) === timestampMs)).toMatchObject([{ ac: 21, dc: 22 }]);
    await edge.end();
  });

  test('historical samples and older ones change the history only', async () => {
    const { edge, device } = await born();
    const nowMs = Date.now();
    await edge.data(device, { 'AC/ActivePower': 100 }, { timestampMs: nowMs });
    await edge.data(device, { 'AC/ActivePower': 777 }, { timestampMs: nowMs - 3_600_000, historical: true });
    await edge.data(device, { 'AC/ActivePower': 888 }, { timestampMs: nowMs - 60_000 });
    await edge.data(device, { 'AC/ActivePower': 999 }, { timestampMs: nowMs + 30_000, historical: true });
    await own.ingestion.drain();
    expect((await rawOf(device)).filter((row) => (row.w ?? 0) >= 700)).toHaveLength(3);
    expect((await latestOf(device))?.power_w).toBe(100);
    await edge.end();
  });

  test('a sample of a time that cannot be is stored under its receipt and flagged', async () => {
    const { edge, device } = await born();
    await edge.data(device, { 'AC/ActivePower': 31 }, { timestampMs: Date.now() + 3_600_000 });
    await edge.data(device, { 'AC/ActivePower': 32 }, { timestampMs: Date.UTC(2019, 0, 1) });
    const rows = (await rawOf(device)).filter((row) => row.w === 31 || row.w === 32);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.flags & 1).toBe(1);
      expect(Math.abs(Number(row.ms) - Date.now())).toBeLessThan(20_000);
    }
    await edge.end();
  });

  test('metrics that the catalogue does not know are kept as other, mapped ones under our names', async () => {
    const { edge, device } = await born();
    await edge.send('DDATA', device, [
      { name: 'W', datatype: DataType.Float, value: 41 },
      { name: 'Vendor/Mood', datatype: DataType.String, value: 'sunny' },
    ]);
    const row = (await rawOf(device)).find((entry) => entry.w === 41);
    expect(row?.other).toEqual({ 'Vendor/Mood': 'sunny' });
    await edge.end();
  });

  test('alarms are set at once, heal by the full list and end after their time', async () => {
    const { edge, device, siteId } = await born();
    const sinceMs = Date.now() - 10_000;
    const alarm = (list: Parameters<typeof alarmsToDataSet>[0]) =>
      edge.send('DDATA', device, [{ name: 'Alarm/Active', datatype: DataType.DataSet, value: alarmsToDataSet(list) }]);
    await alarm([{ code: 1001, level: 3, sinceMs, extra: '' }]);
    await until(async () => (await deviceRow(device))?.state === 'fault');
    await until(async () => (await siteState(siteId)) === 'fault');
    await alarm([]);
    await until(async () => (await deviceRow(device))?.state === 'normal');
    const rows = await own.stores.db.selectFrom('alarms').selectAll().where('site_id', '=', siteId).execute();
    expect(rows).toMatchObject([{ code: 1001, level: 3 }]);
    expect(rows[0]?.since.getTime()).toBe(sinceMs);
    await until(async () => {
      const row = await own.stores.db
        .selectFrom('alarms')
        .select('until')
        .where('site_id', '=', siteId)
        .executeTakeFirst();
      return row?.until !== null;
    });
    await edge.end();
  });
});

describe('who may do what', () => {
  test('a wrong password, an unknown serial number and a foreign client id are refused with code 5', async () => {
    const sn = await makeDatalogger(own.stores.db, null);
    const attempt = (clientId: string, username: string, password: string) =>
      TestEdge.connect(own.ingestion.port, clientId, { username, password });
    await expect(attempt(sn, sn, 'wrong')).rejects.toMatchObject({ code: 5 });
    await expect(attempt(freshSn(), sn, TEST_PASSWORD)).rejects.toMatchObject({ code: 5 });
    const unknown = freshSn();
    await expect(attempt(unknown, unknown, TEST_PASSWORD)).rejects.toMatchObject({ code: 5 });
  });

  test('an unknown serial number with a provisioning key is let in and quarantined', async () => {
    const organisation = await makeOrganisation(own.stores.db);
    await own.stores.db
      .insertInto('provisioning_keys')
      .values({ key_hash: hashToken('site-key'), organisation_id: organisation })
      .execute();
    const sn = freshSn();
    await until(async () => {
      try {
        const edge = await TestEdge.connect(own.ingestion.port, sn, { password: 'site-key' });
        await edge.birth();
        await edge.end();
        return true;
      } catch {
        return false;
      }
    });
    expect(await dataloggerRow(sn)).toMatchObject({ quarantined: true, organisation_id: organisation, site_id: null });
  });

  test('a revoked logger is disconnected within seconds and not let in again', async () => {
    const { edge } = await born();
    const closed = new Promise<void>((resolve) => edge.client.once('close', () => resolve()));
    await own.stores.db.updateTable('loggers').set({ revoked_at: new Date() }).where('sn', '=', edge.sn).execute();
    await closed;
    await expect(TestEdge.connect(own.ingestion.port, edge.sn)).rejects.toMatchObject({ code: 5 });
  });

  test('a logger can neither publish for another nor read its commands', async () => {
    const { edge } = await born();
    const other = await born();
    const closed = new Promise<void>((resolve) => edge.client.once('close', () => resolve()));
    const granted = await edge.client.subscribeAsync(sparkplugTopic('solar', 'NCMD', other.edge.sn)).catch(() => []);
    expect(granted.every((grant) => grant.qos === 128)).toBe(true);
    edge.client.publish(sparkplugTopic('solar', 'NDEATH', other.edge.sn), '', { qos: 0 });
    await closed;
    await own.ingestion.drain();
    expect(await dataloggerRow(other.edge.sn)).toMatchObject({ online: true });
    await other.edge.end();
  });
});

describe('hostile payloads', () => {
  test('each is counted and the logger goes on', async () => {
    const { edge, device } = await born();
    const topic = sparkplugTopic('solar', 'DDATA', edge.sn, device);
    const rejected = () => own.ingestion.counted('ingest_rejected_total');
    const before = await rejected();
    const bombs = [
      Buffer.from([0xff, 0xff, 0xff, 0xff]),
      Buffer.alloc(100_000, 0x12),
      Buffer.from('{"not":"protobuf"}'),
      Buffer.from(
        compressPayload({ metrics: [{ name: 'x', datatype: DataType.String, value: 'y'.repeat(8_000_000) }] }, 'GZIP'),
      ),
    ];
    for (const bomb of bombs) await edge.client.publishAsync(topic, bomb, { qos: 1 });
    await edge.client.publishAsync(jsonTopic(edge.sn, 'up'), '[{"dev":"../../etc"}]', { qos: 1 });
    expect(await rejected()).toBeGreaterThanOrEqual(before + bombs.length);
    const wrong = encodePayload({
      timestampMs: Date.now() - 1_500,
      metrics: [
        { name: 'AC/ActivePower', datatype: DataType.String, value: 'DROP TABLE raw_inverter' },
        { name: 'DC/Power', datatype: DataType.Double, value: Number.POSITIVE_INFINITY },
        { name: '__proto__', datatype: DataType.String, value: 'x\u0000y' },
      ],
    });
    await edge.client.publishAsync(topic, Buffer.from(wrong), { qos: 1 });
    await edge.data(device, { 'AC/ActivePower': 51 });
    await own.ingestion.drain();
    expect((await latestOf(device))?.power_w).toBe(51);
    await edge.end();
  });

  test('a payload above the cap is acknowledged, counted and kept nowhere, and its logger goes on', async () => {
    const { edge, device } = await born();
    const before = await own.ingestion.counted('ingest_rejected_total', { reason: 'payload-too-large' });
    for (const qos of [0, 1, 2] as const) {
      await edge.client.publishAsync(jsonTopic(edge.sn, 'up'), Buffer.alloc(300 * 1024, 0x20), { qos });
    }
    await edge.data(device, { 'AC/ActivePower': 61 });
    await own.ingestion.drain();
    expect((await latestOf(device))?.power_w).toBe(61);
    expect(await own.ingestion.counted('ingest_rejected_total', { reason: 'payload-too-large' })).toBe(before + 3);
    await edge.end();
  });
});

describe('the JSON on-ramp', () => {
  test('a plain MQTT client makes a plant live, and its will takes it offline', async () => {
    const plant = await makePlant(own.stores.db);
    const device = `J${plant.sn}`;
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${own.ingestion.port}`, {
      protocolVersion: 4,
      clientId: plant.sn,
      username: plant.sn,
      password: TEST_PASSWORD,
      reconnectPeriod: 0,
      will: { topic: jsonTopic(plant.sn, 'status'), payload: Buffer.from('offline'), qos: 1, retain: true },
    });
    await client.publishAsync(jsonTopic(plant.sn, 'status'), 'online', { qos: 1, retain: true });
    const reading = { ts: Date.now(), dev: device, kind: 'inverter', v: { 'AC/ActivePower': 1234.5 } };
    await client.publishAsync(jsonTopic(plant.sn, 'up'), JSON.stringify(reading), { qos: 1 });
    const past = [{ ...reading, ts: Date.now() - 86_400_000, hist: true, v: { 'AC/ActivePower': 5 } }];
    await client.publishAsync(jsonTopic(plant.sn, 'up'), JSON.stringify(past), { qos: 1 });
    await own.ingestion.drain();
    expect((await latestOf(device))?.power_w).toBe(1234.5);
    expect(await rawOf(device)).toHaveLength(2);
    expect(await siteState(plant.siteId)).toBe('normal');
    client.stream.destroy();
    await until(async () => (await siteState(plant.siteId)) === 'offline');
    await client.endAsync(true);
  });
});
