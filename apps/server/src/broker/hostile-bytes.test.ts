import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { jsonTopic, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import mqttPacket from 'mqtt-packet';
import { beforeEach, describe, expect, test } from 'vitest';
import { until } from '../testing/edge.ts';
import { mosquittoProgram } from '../testing/external-broker.ts';
import { makeDatalogger, makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { connectBytes, publishBytes, RawMqtt, reading } from '../testing/raw-mqtt.ts';

const own = ownIngestion();
let sn: string;
beforeEach(async () => {
  ({ sn } = await makePlant(own.stores.db));
});

const refusals = (reason: string) => own.ingestion.counted('ingest_rejected_total', { reason });
const messages = () => own.ingestion.counted('ingest_messages_total');
const heldBytes = () => own.ingestion.counted('broker_held_bytes');

/** Another logger signs in, publishes and is acknowledged: the broker lives and does its work. */
async function othersGoOn(): Promise<void> {
  const other = await makePlant(own.stores.db);
  const good = await RawMqtt.open(own.ingestion.port);
  good.write(Buffer.concat([connectBytes(other.sn), publishBytes(jsonTopic(other.sn, 'up'), reading('GOOD'), 1)]));
  await good.acknowledged(1);
  await good.end();
}

async function answersTo(bytes: Uint8Array): Promise<RawMqtt> {
  const client = await RawMqtt.open(own.ingestion.port);
  client.write(bytes);
  await client.closed;
  return client;
}

describe('before a client is authenticated', () => {
  test('a publish larger than one read in the same write as a CONNECT with a wrong password ends that connection alone', async () => {
    const client = await answersTo(
      Buffer.concat([
        connectBytes(sn, { password: 'wrong' }),
        publishBytes(jsonTopic(sn, 'up'), Buffer.alloc(100_000, 0x20), 1),
      ]),
    );
    expect(client.received).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);
    await othersGoOn();
  });

  test('nothing passes: publish, subscribe, unsubscribe and ping of one that is refused are neither taken nor answered', async () => {
    const before = await messages();
    const client = await answersTo(
      Buffer.concat([
        connectBytes(sn, { password: 'wrong' }),
        publishBytes(jsonTopic(sn, 'up'), reading('NEVER'), 1),
        publishBytes(jsonTopic(sn, 'up'), reading('NEVER'), 2, 2),
        publishBytes(jsonTopic(sn, 'up'), reading('NEVER')),
        mqttPacket.generate({
          cmd: 'subscribe',
          messageId: 3,
          subscriptions: [{ topic: jsonTopic(sn, 'cmd'), qos: 1 }],
        }),
        mqttPacket.generate({ cmd: 'unsubscribe', messageId: 4, unsubscriptions: [jsonTopic(sn, 'cmd')] }),
        mqttPacket.generate({ cmd: 'pingreq' }),
      ]),
    );
    expect(client.received).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);
    await own.ingestion.drain();
    expect(await messages()).toBe(before);
    expect(await own.stores.db.selectFrom('devices').select('sn').where('sn', '=', 'NEVER').execute()).toEqual([]);
  });

  test('a backlog right behind CONNECT waits, bounded, and is acknowledged in its order', async () => {
    // The password of a logger that nobody knows yet is looked up: a lock holds that back.
    const fresh = await makeDatalogger(own.stores.db, null);
    const ids = Array.from({ length: 400 }, (_, at) => at + 1);
    const backlog = ids.map((id) => publishBytes(jsonTopic(fresh, 'up'), reading(`B${fresh}`, id, 3_000), id));
    const client = await RawMqtt.open(own.ingestion.port);
    await own.stores.db.transaction().execute(async (tx) => {
      await sql`lock table loggers in access exclusive mode`.execute(tx);
      client.write(Buffer.concat([connectBytes(fresh), ...backlog]));
      await until(async () => (await heldBytes()) > 0, 'what is held back');
      expect(await heldBytes()).toBeLessThanOrEqual(256 * 1024);
      expect(client.received).toEqual([]);
    });
    await client.acknowledged(ids.length);
    const order = client.received.flatMap((packet) => (packet.cmd === 'puback' ? [packet.messageId] : []));
    expect(order).toEqual(ids);
    expect(await heldBytes()).toBe(0);
    await client.end();
  });

  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: portal\r\n\r\n'), 'no-connect'],
    ['bytes by chance', Buffer.from('9f2c01ffee0034aa', 'hex'), 'no-connect'],
    ['a CONNECT of 256 MB', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]), 'connect-too-long'],
    ['a CONNECT of 2 KiB', Buffer.from([0x10, 0x80, 0x10]), 'connect-too-long'],
    ['a CONNECT with a reserved flag', Buffer.from('100d00044d5154540403000000017800', 'hex'), 'protocol-error'],
  ])('%s is counted and ends the connection', async (_, bytes, reason) => {
    const before = await refusals(reason);
    await answersTo(bytes);
    expect(await refusals(reason)).toBe(before + 1);
    await othersGoOn();
  });

  test('MQTT 5 gets its own "unsupported protocol version", and is counted', async () => {
    const before = await refusals('protocol-version');
    const url = `mqtt://127.0.0.1:${own.ingestion.port}`;
    await expect(
      mqtt.connectAsync(url, { protocolVersion: 5, clientId: sn, username: sn, reconnectPeriod: 0 }, false),
    ).rejects.toMatchObject({ code: 132 });
    expect(await refusals('protocol-version')).toBe(before + 1);
  });

  const mosquittoPub = mosquittoProgram('mosquitto_pub');
  if (mosquittoPub !== undefined) {
    test('mosquitto_pub of MQTT 5 says what is wrong', async () => {
      const args = `-V 5 -h 127.0.0.1 -p ${own.ingestion.port} -i ${sn} -u ${sn} -t a -m b`.split(' ');
      const { stderr, stdout } = await promisify(execFile)(mosquittoPub, args).catch(
        (error: { stderr: string; stdout: string }) => error,
      );
      expect(stderr + stdout).toMatch(/unsupported protocol version/i);
    });
  }
});

describe('split at every place, and joined in one write', () => {
  const script = (): Buffer =>
    Buffer.concat([
      connectBytes(sn),
      mqttPacket.generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: jsonTopic(sn, 'cmd'), qos: 1 }] }),
      publishBytes(jsonTopic(sn, 'up'), '{}', 2),
      publishBytes(jsonTopic(sn, 'up'), '{}', 3, 2),
      mqttPacket.generate({ cmd: 'pubrel', messageId: 3 }),
      publishBytes(sparkplugTopic('solar', 'NDATA', sn), Buffer.from([1, 2, 3])),
      mqttPacket.generate({ cmd: 'unsubscribe', messageId: 4, unsubscriptions: [jsonTopic(sn, 'cmd')] }),
      mqttPacket.generate({ cmd: 'pingreq' }),
    ]);
  const answers = ['connack', 'suback', 'puback', 'pubrec', 'pubcomp', 'unsuback', 'pingresp'] as const;

  test('every answer comes, wherever the bytes of a connection are split', async () => {
    const bytes = script();
    for (let from = 0; from < bytes.length; from += 1) {
      const client = await RawMqtt.open(own.ingestion.port);
      if (from > 0) client.write(bytes.subarray(0, from));
      await new Promise((resolve) => setImmediate(resolve));
      client.write(bytes.subarray(from));
      for (const cmd of answers) await client.packet((packet) => packet.cmd === cmd);
      await client.end();
    }
  });

  test('every answer comes to bytes that come singly', async () => {
    const client = await RawMqtt.open(own.ingestion.port);
    for (const byte of script()) {
      client.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const cmd of answers) await client.packet((packet) => packet.cmd === cmd);
    await client.end();
  });
});

describe('of an authenticated client', () => {
  async function signedIn(): Promise<RawMqtt> {
    const client = await RawMqtt.open(own.ingestion.port);
    client.write(connectBytes(sn));
    await client.packet(({ cmd }) => cmd === 'connack');
    return client;
  }

  test('too large a message is acknowledged in QoS 1, its memory never taken, and the next one is stored', async () => {
    const client = await signedIn();
    const before = await refusals('payload-too-large');
    const large = publishBytes(jsonTopic(sn, 'up'), Buffer.alloc(3_000_000, 0x20), 7);
    const half = large.subarray(0, 2_000_000);
    client.write(half);
    await until(() => client.socket.writableLength === 0, 'the first half to be read');
    expect(await heldBytes()).toBeLessThanOrEqual(256 * 1024);
    client.write(large.subarray(half.length));
    client.write(publishBytes(jsonTopic(sn, 'up'), reading(`L${sn}`), 8));
    await client.acknowledged(7);
    await client.acknowledged(8);
    expect(await refusals('payload-too-large')).toBe(before + 1);
    await client.end();
  });

  test('too large a message goes the whole way of QoS 2', async () => {
    const client = await signedIn();
    client.write(publishBytes(jsonTopic(sn, 'up'), Buffer.alloc(300_000), 9, 2));
    await client.packet((packet) => packet.cmd === 'pubrec' && packet.messageId === 9);
    client.write(mqttPacket.generate({ cmd: 'pubrel', messageId: 9 }));
    await client.packet((packet) => packet.cmd === 'pubcomp' && packet.messageId === 9);
    await client.end();
  });

  test.each([
    ['a second CONNECT', () => connectBytes(sn), 'protocol-error'],
    ['a reserved type', () => Buffer.from([0xf0, 0]), 'protocol-error'],
    ['a topic with a wildcard', () => Buffer.from([0x30, 3, 0, 1, 0x23]), 'protocol-error'],
    ['a topic with U+0000', () => Buffer.from([0x30, 4, 0, 2, 0x61, 0]), 'protocol-error'],
    [
      'a filter with a wildcard in a word',
      () => Buffer.from([0x82, 8, 0, 1, 0, 3, 0x61, 0x2f, 0x23, 3]),
      'protocol-error',
    ],
    ['a topic of a hundred levels', () => publishBytes('/'.repeat(110), ''), 'protocol-error'],
    ['a message of 256 MB', () => Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f]), 'packet-too-long'],
    [
      'a publish for another logger',
      () => publishBytes(jsonTopic('999999999999999', 'up'), '{}', 1),
      'topic-forbidden',
    ],
  ])('%s ends that connection, and is counted once', async (_, bytes, reason) => {
    const client = await signedIn();
    const before = await own.ingestion.counted('ingest_rejected_total');
    const beforeReason = await refusals(reason);
    client.write(bytes());
    await client.closed;
    expect(await refusals(reason)).toBe(beforeReason + 1);
    expect(await own.ingestion.counted('ingest_rejected_total')).toBe(before + 1);
    await othersGoOn();
  });
});

describe('a wrong neighbour locks out nobody', () => {
  const signIn = async (name: string, from = '127.0.0.1'): Promise<number | undefined> => {
    const client = await RawMqtt.open(own.ingestion.port, from);
    client.write(connectBytes(name));
    const answer = await client.packet(({ cmd }) => cmd === 'connack');
    await client.end();
    return answer.cmd === 'connack' ? answer.returnCode : undefined;
  };

  test('after any number of wrong passwords the right one signs in, from the same network too, and so does every other logger', async () => {
    const other = await makeDatalogger(own.stores.db, null);
    for (const name of [sn, other]) expect(await signIn(name, '127.0.0.2')).toBe(0);
    for (let count = 0; count < 150; count += 1) {
      const { received } = await answersTo(connectBytes(sn, { password: `wrong ${count}` }));
      expect(received).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);
    }
    expect(await signIn(sn)).toBe(0);
    expect(await signIn(other)).toBe(0);
    expect(await signIn(await makeDatalogger(own.stores.db, null), '127.0.0.2')).toBe(0);
  });
});
