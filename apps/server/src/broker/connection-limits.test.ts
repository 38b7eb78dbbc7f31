import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Stores } from '../stores/stores.ts';
import { until } from '../testing/edge.ts';
import { makeDatalogger, startTestIngestion, startTestStores, type TestIngestion } from '../testing/ingestion.ts';
import { connectBytes, RawMqtt } from '../testing/raw-mqtt.ts';
import { LARGEST_CONNECT_BYTES } from './packet-framer.ts';

const HERE = '127.0.0.1';
const ELSEWHERE = '127.0.0.2';

let stores: Stores;
let ingestion: TestIngestion;
const clients: RawMqtt[] = [];

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await ingestion?.stop();
});

type Options = NonNullable<Parameters<typeof startTestIngestion>[1]>;

async function start(
  limits: Partial<NonNullable<Options['config']>['mqttLimits']>,
  timing: Options['brokerTiming'] = {},
) {
  const mqttLimits = { mostConnections: 10_000, mostPerNetwork: 10_000, mostUnknown: 10_000, ...limits };
  ingestion = await startTestIngestion(stores, { config: { mqttLimits }, brokerTiming: timing });
}

async function open(from = HERE): Promise<RawMqtt> {
  const client = await RawMqtt.open(ingestion.port, from);
  clients.push(client);
  return client;
}

async function signIn(from = HERE): Promise<RawMqtt> {
  const client = await open(from);
  client.write(connectBytes(await makeDatalogger(stores.db, null)));
  expect(await client.packet(({ cmd }) => cmd === 'connack')).toMatchObject({ returnCode: 0 });
  return client;
}

const refusals = (reason: string) => ingestion.counted('ingest_rejected_total', { reason });
const unknown = () => ingestion.counted('broker_unknown_connections');

test('one connection more than in all is closed and counted, and its place is free when another ends', async () => {
  await start({ mostConnections: 3 });
  const [first] = [await signIn(), await signIn(), await signIn(ELSEWHERE)];
  await (await open()).closed;
  expect(await refusals('connections-full')).toBe(1);
  await first.end();
  await until(async () => (await ingestion.counted('broker_connections')) === 2, 'the free place');
  await signIn();
});

test('one connection more than a network may have is closed and counted; another network is let in', async () => {
  await start({ mostPerNetwork: 2 });
  await signIn();
  await signIn();
  await (await open()).closed;
  expect(await refusals('network-full')).toBe(1);
  await signIn(ELSEWHERE);
});

test('a network that holds all its places without a word keeps no other network out', async () => {
  await start({ mostUnknown: 10 }, { connectMs: 60_000 });
  const silent = await Promise.all(Array.from({ length: 50 }, () => open(ELSEWHERE)));
  await until(async () => (await unknown()) === 5, 'half of the places');
  await signIn();
  expect(await unknown()).toBe(5);
  expect(silent.every(({ socket }) => !socket.destroyed)).toBe(true);
});

test('who waits has its turn when the silent ones before it are closed', async () => {
  await start({ mostUnknown: 2 }, { connectMs: 100 });
  const silent = await Promise.all(Array.from({ length: 5 }, () => open()));
  await signIn();
  await Promise.all(silent.map(({ closed }) => closed));
  expect(await refusals('connect-timeout')).toBe(5);
});

test('who waits for too long is closed and counted', async () => {
  await start({ mostUnknown: 2 }, { connectMs: 60_000, turnMs: 100 });
  await Promise.all([open(), open()]);
  await Promise.race(clients.map(({ closed }) => closed));
  expect(await refusals('turn-timeout')).toBe(1);
});

test('a client that is not answered in time is closed and counted', async () => {
  await start({}, { answerMs: 100 });
  const client = await open();
  const sn = await makeDatalogger(stores.db, null);
  await stores.db.transaction().execute(async (tx) => {
    await sql`lock table loggers in access exclusive mode`.execute(tx);
    client.write(connectBytes(sn));
    await client.closed;
  });
  expect(await refusals('answer-timeout')).toBe(1);
  await signIn();
});

test('a thousand half CONNECTs hold less than 1 KiB each, and a logger beside them signs in', async () => {
  await start({ mostUnknown: 4_000 }, { connectMs: 60_000 });
  const half = Buffer.concat([Buffer.from([0x10, 0xff, 0x07]), Buffer.alloc(500)]);
  for (let count = 0; count < 1_000; count += 1) (await open(ELSEWHERE)).write(half);
  await until(async () => (await unknown()) === 1_000, 'a thousand half CONNECTs');
  await until(async () => (await ingestion.counted('broker_held_bytes')) >= 1_000 * half.length, 'their bytes');
  expect(await ingestion.counted('broker_held_bytes')).toBeLessThanOrEqual(1_000 * LARGEST_CONNECT_BYTES);
  await signIn();
});

test('six senders of messages without an end hold no memory of theirs', async () => {
  await start({});
  const endless = Buffer.concat([Buffer.from([0x30, 0xff, 0xff, 0xff, 0x07, 0, 1, 0x61]), Buffer.alloc(2_000_000)]);
  const senders = await Promise.all(Array.from({ length: 6 }, () => signIn()));
  for (const { socket } of senders) socket.write(endless);
  await until(() => senders.every(({ socket }) => socket.writableLength === 0), 'their bytes to be read');
  expect(await ingestion.counted('broker_held_bytes')).toBeLessThanOrEqual(6 * 128 * 1024);
  await signIn();
});
