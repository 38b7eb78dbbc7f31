import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt from 'mqtt';
import mqttPacket from 'mqtt-packet';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { mosquittoPath, startMosquitto } from '../testing/external-broker.ts';
import { makePlant, TEST_PASSWORD } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { connectBytes, publishBytes, RawMqtt, reading } from '../testing/raw-mqtt.ts';

const own = ownIngestion();
let sn: string;
beforeEach(async () => {
  ({ sn } = await makePlant(own.stores.db));
});

const isStored = async (device: string) =>
  (await own.stores.db.selectFrom('devices').select('sn').where('sn', '=', device).execute()).length === 1;

describe.each([3, 4] as const)('a broker that forwards, of protocol level %i', (version) => {
  async function bridge(): Promise<RawMqtt> {
    const client = await RawMqtt.open(own.ingestion.port);
    client.write(connectBytes(sn, { version, bridgeMode: true }));
    expect(await client.packet(({ cmd }) => cmd === 'connack')).toMatchObject({ returnCode: 0 });
    return client;
  }

  test('is taken as the datalogger that it signs in as', async () => {
    const client = await bridge();
    client.write(publishBytes(jsonTopic(sn, 'up'), reading(`B${sn}`), 1));
    await client.acknowledged(1);
    await until(() => isStored(`B${sn}`), 'the forwarded device');
    await client.end();
  });

  test('needs the password, and no more is allowed to it', async () => {
    const stranger = await RawMqtt.open(own.ingestion.port);
    stranger.write(connectBytes(sn, { version, bridgeMode: true, password: 'wrong' }));
    await stranger.closed;
    expect(stranger.received).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);

    const { sn: other } = await makePlant(own.stores.db);
    const client = await bridge();
    const topics = [jsonTopic(sn, 'cmd'), jsonTopic(other, 'cmd'), jsonTopic(other, 'up'), '#', `$share/g/${other}/#`];
    const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
    client.write(mqttPacket.generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
    expect(await client.packet(({ cmd }) => cmd === 'suback')).toMatchObject({ granted: [1, 128, 128, 128, 128] });
    client.write(publishBytes(jsonTopic(other, 'up'), reading(`B${other}`), 2));
    await client.closed;
    expect(client.received.map(({ cmd }) => cmd)).toEqual(['connack', 'suback']);
    await own.ingestion.drain();
    expect(await isStored(`B${other}`)).toBe(false);
  });
});

const mosquitto = mosquittoPath();
if (mosquitto !== undefined) {
  test('a Mosquitto of the house forwards what its datalogger says', async () => {
    const settings = `allow_anonymous true
connection portal
address 127.0.0.1:${own.ingestion.port}
remote_clientid ${sn}
remote_username ${sn}
remote_password ${TEST_PASSWORD}
notifications false
topic ${jsonTopic(sn, 'up')} out 1
topic ${jsonTopic(sn, 'cmd')} in 1`;
    const house = await startMosquitto(mosquitto, { settings });
    const datalogger = await mqtt.connectAsync(house.url, { protocolVersion: 4, reconnectPeriod: 0 });
    await datalogger.publishAsync(jsonTopic(sn, 'up'), reading(`M${sn}`), { qos: 1 });
    await until(() => isStored(`M${sn}`), 'the forwarded device');
    await datalogger.endAsync();
    await house.stop();
  });
}
