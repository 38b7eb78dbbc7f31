import { parseCommand } from '@sonnenwarte/device-protocol/commands';
import { DataType } from '@sonnenwarte/device-protocol/datatypes';
import { stateTopic } from '@sonnenwarte/device-protocol/topics';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { type ExternalBroker, mosquittoPath, startAedesBroker, startMosquitto } from '../testing/external-broker.ts';
import { makePlant, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';

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
