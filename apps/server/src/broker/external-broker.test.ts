import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCommand } from '@sonnenwarte/device-protocol/sparkplug/commands';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { jsonTopic, stateTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { toldOf } from '../stores/telemetry-tables.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { type ExternalBroker, mosquittoPath, startAedesBroker, startMosquitto } from '../testing/external-broker.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';
import { selfSigned } from './self-signed.ts';

const mosquitto = mosquittoPath();
const brokers: [name: string, start: () => Promise<ExternalBroker>][] = [
  ['a broker in another process', startAedesBroker],
];
if (mosquitto !== undefined) brokers.push(['Mosquitto', () => startMosquitto(mosquitto)]);

let stores: Stores;
beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());

describe.each(brokers)('MQTT_URL of %s', (_, start) => {
  let broker: ExternalBroker;
  let ingestion: TestIngestion;

  beforeAll(async () => {
    broker = await start();
    ingestion = await startTestIngestion(stores, { mqttUrl: broker.url, timing: { reorderMs: 50 } });
  });
  afterAll(async () => {
    await ingestion?.stop();
    await broker?.stop();
  });

  const online = async (sn: string) =>
    (await stores.db.selectFrom('loggers').select('online').where('sn', '=', sn).executeTakeFirst())?.online;
  const powerOf = async (sn: string) =>
    (
      await stores.db
        .selectFrom('device_latest')
        .innerJoin('devices', 'devices.id', 'device_latest.device_id')
        .select('power_w')
        .where('devices.sn', '=', sn)
        .executeTakeFirst()
    )?.power_w;

  async function powersOf(sn: string): Promise<number[]> {
    const row = await stores.db.selectFrom('devices').select('key').where('sn', '=', sn).executeTakeFirst();
    const query = `SELECT ${toldOf('inverter', { name: 'AC/ActivePower' })} AS w FROM raw_inverter FINAL WHERE device = ${row?.key ?? 0} ORDER BY ts`;
    const answer = await stores.telemetry.client.query({ query, format: 'JSONEachRow' });
    return (await answer.json<{ w: number }>()).map(({ w }) => w);
  }

  async function born(bdSeq: number) {
    const plant = await makePlant(stores.db);
    const edge = await TestEdge.connect(broker.port, plant.sn, { bdSeq });
    await edge.birth([], Date.now(), bdSeq);
    await edge.deviceBirth(`E${plant.sn}`, 'inverter');
    await until(() => online(plant.sn), 'the birth');
    return { edge, sn: plant.sn, device: `E${plant.sn}` };
  }

  test('births, data and the will with the same bdSeq arrive', async () => {
    const { edge, sn, device } = await born(7);
    await edge.data(device, { 'AC/ActivePower': 77 });
    await until(async () => (await powerOf(device)) === 77, 'the sample');
    await edge.breakOff();
    await until(async () => (await online(sn)) === false, 'the death');
  });

  test('the will of an earlier connection, with another bdSeq, is not believed', async () => {
    const { edge, sn, device } = await born(3);
    await edge.send('NDEATH', undefined, [{ name: 'bdSeq', datatype: DataType.Int64, value: 2 }]);
    await edge.data(device, { 'AC/ActivePower': 78 });
    await until(async () => (await powerOf(device)) === 78, 'the sample');
    expect(await online(sn)).toBe(true);
    await edge.end();
  });

  test('a rebirth request reaches the edge through the broker', async () => {
    const { edge, device } = await born(0);
    const asked = edge.nextCommand();
    await edge.send('DDATA', device, [{ alias: 4_711, value: 1 }]);
    expect(parseCommand(await asked).rebirth).toBe(true);
    await edge.end();
  });

  test('what the broker acknowledges to loggers while the portal is away arrives when it is back', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'sonnenwarte-session-'));
    const { sn } = await makePlant(stores.db);
    const datalogger = await mqtt.connectAsync(broker.url, { protocolVersion: 4, clientId: sn, reconnectPeriod: 0 });
    const beganMs = Date.now();
    const tell = (powerW: number) => {
      const sample = { ts: beganMs + powerW, dev: `E${sn}`, kind: 'inverter', v: { 'AC/ActivePower': powerW } };
      return datalogger.publishAsync(jsonTopic(sn, 'up'), JSON.stringify(sample), { qos: 1 });
    };
    await ingestion.stop();
    ingestion = await startTestIngestion(stores, { mqttUrl: broker.url, config: { dataDir } });
    await tell(1);
    await until(async () => (await powersOf(`E${sn}`)).length === 1, 'the first sample');
    await ingestion.stop();
    for (const powerW of [2, 3, 4]) await tell(powerW);
    ingestion = await startTestIngestion(stores, { mqttUrl: broker.url, config: { dataDir } });
    // What was not acknowledged to the broker in time comes once more, and is stored once.
    await until(async () => (await powersOf(`E${sn}`)).length === 4, 'all four samples');
    expect(await powersOf(`E${sn}`)).toEqual([1, 2, 3, 4]);
    await until(async () => (await powerOf(`E${sn}`)) === 4, 'the newest of them');
    await datalogger.endAsync();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the host says that it is online, for clients that wait for it', async () => {
    const client = await mqtt.connectAsync(broker.url, { protocolVersion: 4, reconnectPeriod: 0 });
    const told = new Promise<string>((resolve) =>
      client.once('message', (_topic, payload) => resolve(String(payload))),
    );
    await client.subscribeAsync(stateTopic('sonnenwarte'), { qos: 1 });
    expect(JSON.parse(await told)).toMatchObject({ online: true });
    await client.endAsync();
  });
});

describe('a broker that cannot be used is named with the true cause', () => {
  const attempt = (mqttUrl: string) => startTestIngestion(stores, { mqttUrl });

  test('nobody listens', async () => {
    await expect(attempt('mqtt://user:secret@127.0.0.1:1')).rejects.toThrow(
      'MQTT_URL is "mqtt://user:***@127.0.0.1:1": nobody listens there (ECONNREFUSED).',
    );
  });

  if (mosquitto !== undefined) {
    test('a wrong password', async () => {
      const closed = await startMosquitto(mosquitto, {
        settings: 'allow_anonymous false\npassword_file $FOLDER/passwords',
        files: { passwords: '' },
      });
      await expect(attempt(closed.url.replace('//', '//user:wrong@'))).rejects.toThrow(
        /^MQTT_URL is "mqtt:\/\/user:\*\*\*@.*": the broker refuses the user name or the password/,
      );
      await closed.stop();
    });

    test('a certificate that nobody vouches for', async () => {
      const { key, cert } = selfSigned(['127.0.0.1'], Date.now(), 1);
      const secure = await startMosquitto(mosquitto, {
        settings: 'allow_anonymous true\ncertfile $FOLDER/cert\nkeyfile $FOLDER/key',
        files: { key, cert },
      });
      await expect(attempt(secure.url.replace('mqtt:', 'mqtts:'))).rejects.toThrow(/not trusted .*NODE_EXTRA_CA_CERTS/);
      await secure.stop();
    });
  }
});
