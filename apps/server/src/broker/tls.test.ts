import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt, { type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';
import type { Stores } from '../stores/stores.ts';
import { until } from '../testing/edge.ts';
import {
  makeDatalogger,
  makePlant,
  startTestIngestion,
  startTestStores,
  TEST_PASSWORD,
  type TestIngestion,
} from '../testing/ingestion.ts';
import { connectBytes, publishBytes, RawMqtt, reading } from '../testing/raw-mqtt.ts';
import { selfSigned } from './self-signed.ts';
import { openCertificate } from './tls-certificate.ts';

type Options = NonNullable<Parameters<typeof startTestIngestion>[1]>;

let stores: Stores;
let ingestion: TestIngestion | undefined;
let folder: string;
const clients: MqttClient[] = [];

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sonnenwarte-tls-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await ingestion?.stop();
  ingestion = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  config: Options['config'] = {},
  brokerTiming: Options['brokerTiming'] = {},
): Promise<TestIngestion> {
  await ingestion?.stop();
  ingestion = undefined;
  ingestion = await startTestIngestion(stores, {
    config: { mqttTls: { port: 0, isAsked: true }, dataDir: folder, ...config },
    brokerTiming,
  });
  return ingestion;
}

const portOf = ({ tls }: TestIngestion): number => tls?.port ?? 0;
const ownCertificate = () => readFileSync(path.join(folder, 'tls/broker.crt'));

async function connect(url: string, sn: string, ca?: Buffer): Promise<MqttClient> {
  const client = await mqtt.connectAsync(
    url,
    { protocolVersion: 4, clientId: sn, username: sn, password: TEST_PASSWORD, reconnectPeriod: 0, ...(ca && { ca }) },
    false,
  );
  client.on('error', () => undefined);
  clients.push(client);
  return client;
}

async function handshake(port: number, ca: Buffer): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', ca });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

const counted = (reason: string) => ingestion?.counted('ingest_rejected_total', { reason });

describe('a certificate made at the first start', () => {
  test('is good for localhost and its addresses, and a logger that trusts it is acknowledged', async () => {
    const running = await start();
    const { sn } = await makePlant(stores.db);
    for (const host of ['localhost', '127.0.0.1']) {
      const client = await connect(`mqtts://${host}:${portOf(running)}`, sn, ownCertificate());
      await client.publishAsync(jsonTopic(sn, 'up'), reading(`T${sn}`), { qos: 1 });
    }
    await expect(connect(`mqtts://127.0.0.1:${portOf(running)}`, sn)).rejects.toThrow(/self-signed/);
  });

  test('is kept for the next starts, in files that nobody else may read', async () => {
    const first = (await start()).tls?.fingerprint;
    expect(first).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect((await start()).tls?.fingerprint).toBe(first);
    for (const name of ['broker.key', 'broker.crt']) {
      expect(statSync(path.join(folder, 'tls', name)).mode & 0o777).toBe(0o600);
    }
  });
});

test('a CONNECT and a publish larger than one read in one write are held apart behind TLS as well', async () => {
  const running = await start();
  const { sn } = await makePlant(stores.db);
  const wrong = new RawMqtt(await handshake(portOf(running), ownCertificate()));
  const message = publishBytes(jsonTopic(sn, 'up'), reading(`T${sn}`, 1, 100_000), 1);
  wrong.write(Buffer.concat([connectBytes(sn, { password: 'wrong' }), message]));
  await wrong.closed;
  expect(wrong.received).toMatchObject([{ cmd: 'connack', returnCode: 5 }]);
  const right = new RawMqtt(await handshake(portOf(running), ownCertificate()));
  right.write(Buffer.concat([connectBytes(sn), message]));
  await right.acknowledged(1);
  await right.end();
  await until(async () => (await running.counted('broker_connections')) === 0, 'the end of both connections');
});

test('half a handshake counts as not authenticated, is closed in time and counted; so are bytes that are no TLS', async () => {
  const running = await start({}, { handshakeMs: 300 });
  const silent = await RawMqtt.open(portOf(running));
  await until(async () => (await running.counted('broker_unknown_connections')) === 1, 'the silent one');
  await silent.closed;
  expect(await counted('tls-handshake')).toBe(1);
  const plain = await RawMqtt.open(portOf(running));
  plain.write(connectBytes(await makeDatalogger(stores.db, null)));
  await plain.closed;
  expect(await counted('tls-handshake')).toBe(2);
  await until(async () => (await running.counted('broker_connections')) === 0, 'the end of both connections');
});

describe('a certificate of the operator', () => {
  const files = () => ({ tlsCert: path.join(folder, 'own.crt'), tlsKey: path.join(folder, 'own.key') });
  function write({ cert, key } = selfSigned(['localhost', '127.0.0.1'], Date.now(), 30)) {
    writeFileSync(files().tlsCert, cert);
    writeFileSync(files().tlsKey, key);
    return Buffer.from(cert);
  }

  test('is shown, and a new one in the same files is used for new connections while old ones go on', async () => {
    const first = write();
    const running = await start(files(), { certificateMs: 20 });
    const { sn } = await makePlant(stores.db);
    const old = await connect(`mqtts://127.0.0.1:${portOf(running)}`, sn, first);
    const second = write();
    await until(
      () =>
        handshake(portOf(running), second).then(
          (socket) => socket.destroy(),
          () => false,
        ),
      'the new certificate',
    );
    await old.publishAsync(jsonTopic(sn, 'up'), reading(`T${sn}`), { qos: 1 });
  });

  test('that cannot be used when it changes leaves the one before, and is told to the log', async () => {
    const first = write();
    const settings = { ...readConfig({ DATA_DIR: folder }), ...files() };
    const logger = pino({ level: 'silent' });
    const told = new Promise<void>((done) => {
      logger.error = () => done();
    });
    const certificate = openCertificate(settings, logger, 5);
    writeFileSync(files().tlsCert, 'half of');
    await told;
    expect(certificate.current().cert.equals(first)).toBe(true);
    certificate.stop();
  });

  test.each([
    ['missing', () => rmSync(files().tlsCert), /^TLS_CERT is ".*own\.crt": there is no such file\.$/],
    ['without its key', () => rmSync(files().tlsKey), /^TLS_KEY is ".*own\.key": there is no such file\.$/],
    [
      'not readable',
      () => {
        rmSync(files().tlsKey);
        mkdirSync(files().tlsKey);
      },
      /^TLS_KEY is ".*own\.key": it cannot be read \(EISDIR\)\.$/,
    ],
    ['not a certificate', () => writeFileSync(files().tlsCert, 'hello'), /^TLS_CERT is .*a certificate in PEM form/],
    ['not a key', () => writeFileSync(files().tlsKey, 'hello'), /^TLS_KEY is .*a private key in PEM form/],
    [
      'of another key',
      () => writeFileSync(files().tlsKey, selfSigned(['localhost'], Date.now(), 30).key),
      /^TLS_KEY is .*not the key of the certificate/,
    ],
    [
      'over',
      () => write(selfSigned(['localhost'], Date.now() - 60 * 86_400_000, 30)),
      /^TLS_CERT is .*has been valid until/,
    ],
  ])('that is %s is named with its variable', async (_, spoil, text) => {
    write();
    spoil();
    const attempt = start(files());
    await expect(attempt).rejects.toThrow(ConfigError);
    await expect(attempt).rejects.toThrow(text);
  });
});

describe('the plain port', () => {
  const opens = (port: number, host: string) =>
    mqtt.connectAsync(`mqtt://${host}:${port}`, { protocolVersion: 4, reconnectPeriod: 0 }, false).then(
      () => 'open',
      (error: Error & { code?: unknown }) => (error.code === 'ECONNREFUSED' ? 'closed' : 'open'),
    );

  test('outside this machine is closed, and TLS is open there', async () => {
    const running = await start({ host: '0.0.0.0' });
    expect(await opens(running.port, '127.0.0.1')).toBe('open');
    expect(await opens(running.port, '127.0.0.2')).toBe('closed');
    expect(await opens(portOf(running), '127.0.0.2')).toBe('open');
  });

  test('outside this machine is open where that is asked for', async () => {
    const running = await start({ host: '0.0.0.0', mqttPlain: true });
    expect(await opens(running.port, '127.0.0.1')).toBe('open');
    expect(await opens(running.port, '127.0.0.2')).toBe('open');
  });
});

describe('a port that another program has', () => {
  test('ends the start where it was asked for, and where there is nothing else for loggers outside', async () => {
    const other = createServer().listen(0, '0.0.0.0');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    for (const config of [
      { mqttTls: { port, isAsked: true } },
      { mqttTls: { port, isAsked: false }, host: '0.0.0.0' },
    ]) {
      await expect(start(config)).rejects.toThrow(`MQTT TLS port ${port}`);
    }
    expect((await start({ mqttTls: { port, isAsked: false } })).tls).toBeUndefined();
    other.close();
  });
});
