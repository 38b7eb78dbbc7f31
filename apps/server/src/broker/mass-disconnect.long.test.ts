import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deathPayload } from '@sonnenwarte/device-protocol/points/births';
import { encodePayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { sql } from 'kysely';
import mqttPacket from 'mqtt-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { TestEdge, until } from '../testing/edge.ts';
import {
  makePlant,
  startTestIngestion,
  startTestStores,
  TEST_PASSWORD,
  type TestIngestion,
} from '../testing/ingestion.ts';
import { hashToken } from './credentials.ts';

const CLIENTS = 5_000;
const AT_ONCE = 250;
const FIRST_SN = 200_000_000_000_000;

let stores: Stores;
let ingestion: TestIngestion;

beforeAll(async () => {
  stores = await startTestStores();
  await sql`
    insert into loggers (sn, token_hash)
    select (${FIRST_SN}::bigint + n)::text, ${hashToken(TEST_PASSWORD)}::bytea from generate_series(1, ${CLIENTS}::int) as n`.execute(
    stores.db,
  );
  ingestion = await startTestIngestion(stores);
});

afterAll(async () => {
  await ingestion?.stop();
  await stores?.stop();
});

function publish(topic: string, payload: Uint8Array): Buffer {
  return mqttPacket.generate({
    cmd: 'publish',
    topic,
    payload: Buffer.from(payload),
    qos: 0,
    retain: false,
    dup: false,
  });
}

async function connectDatalogger(sn: string): Promise<Socket> {
  const socket = connect(ingestion.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    mqttPacket.generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: sn,
      username: sn,
      password: Buffer.from(TEST_PASSWORD),
      keepalive: 0,
      will: {
        topic: sparkplugTopic('solar', 'NDEATH', sn),
        payload: Buffer.from(encodePayload(deathPayload(0))),
        qos: 1,
        retain: false,
      },
    }),
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString('hex')).toBe('20020000');
  socket.write(
    publish(sparkplugTopic('solar', 'NBIRTH', sn), encodePayload({ timestampMs: Date.now(), seq: 0, metrics: [] })),
  );
  return socket;
}

const onlineCount = async () =>
  Number(
    (
      await stores.db
        .selectFrom('loggers')
        .select((row) => row.fn.countAll().as('n'))
        .where('online', '=', true)
        .executeTakeFirstOrThrow()
    ).n,
  );

test('5,000 loggers of one network that drop together are offline, and all get in when they come back together', async () => {
  const plant = await makePlant(stores.db);
  const witness = await TestEdge.connect(ingestion.port, plant.sn);
  await witness.birth();
  await witness.deviceBirth('WITNESS', 'inverter');
  const sockets: Socket[] = [];
  for (let at = 1; at <= CLIENTS; at += AT_ONCE) {
    const sns = Array.from({ length: AT_ONCE }, (_, step) => String(FIRST_SN + at + step));
    sockets.push(...(await Promise.all(sns.map(connectDatalogger))));
  }
  await until(async () => (await onlineCount()) === CLIENTS + 1, '5,001 loggers online');
  for (const socket of sockets) socket.destroy();
  await until(() => ingestion.state().connectedDataloggers === 1, 'the end of 5,000 connections');
  await until(async () => (await onlineCount()) === 1, '5,000 loggers offline');
  const all = Array.from({ length: CLIENTS }, (_, step) => String(FIRST_SN + 1 + step));
  const again = await Promise.all(all.map(connectDatalogger));
  await until(() => ingestion.state().connectedDataloggers === CLIENTS + 1, '5,001 loggers');
  for (const socket of again) socket.destroy();
  await until(() => ingestion.state().connectedDataloggers === 1, 'the end of 5,000 connections');
  await until(async () => (await onlineCount()) === 1, '5,000 loggers offline');
  await witness.data('WITNESS', { 'AC/ActivePower': 42 });
  expect(await onlineCount()).toBe(1);
  expect(ingestion.state().broker).toBe('up');
  await witness.end();
});
