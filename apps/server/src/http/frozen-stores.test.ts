import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ErrorNumber, errno } from '@sonnenwarte/contract/errors';
import { languages } from '@sonnenwarte/contract/languages';
import { memberEndpoints } from '@sonnenwarte/contract/members/members';
import { day, detail, list } from '@sonnenwarte/contract/sites/sites';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hashToken } from '../broker/credentials.ts';
import { errorText } from '../errors/error-texts.ts';
import { socketFolder } from '../stores/socket-folder.ts';
import { startTelemetryEngine, type TelemetryHandle } from '../stores/telemetry-engine.ts';
import { processesIn } from '../supervision/processes.ts';
import { TestEdge, until } from '../testing/edge.ts';
import { TEST_PASSWORD } from '../testing/ingestion.ts';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const patience = {
  read: { callMs: 1_000 },
  write: { statementMs: 1_000 },
  file: { statementMs: 1_000 },
  stream: { statementMs: 1_000 },
};
/** Far less than the 10 s for which a pool lets wait for a connection, and than the 25 s of a browser. */
const SOON_MS = 6_000;

/** What a dependency answers within the time, or the test fails. */
async function soon<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), SOON_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

interface Ready {
  status: string;
  dependencies: Record<string, { state: string; detail?: Record<string, unknown> }>;
}
const readyOf = async (portal: TestPortal): Promise<Ready> =>
  (await soon(fetch(`${portal.url}/readyz`))).json() as Promise<Ready>;

const allWell = (portal: TestPortal) =>
  until(async () => (await readyOf(portal)).status === 'ready', 'all being well again');

async function plantOf(portal: TestPortal): Promise<{ id: string; sn: string }> {
  const row = await portal.server.stores.db
    .selectFrom('loggers')
    .innerJoin('sites', 'sites.id', 'loggers.site_id')
    .select(['sites.id', 'loggers.sn'])
    .limit(1)
    .executeTakeFirstOrThrow();
  return row;
}

const dayOf = (portal: TestPortal, token: string, stationID: string, lang = 'en') =>
  soon(portal.call(day, { stationID, date: '2026-01-02' }, { token, lang }));

const expectAway = (answer: { status: number; errno: number; msg: string }, lang: 'en' = 'en') =>
  expect(answer).toMatchObject({
    status: 200,
    errno: errno.storeAway,
    msg: errorText(errno.storeAway as ErrorNumber, lang),
  });

describe('embedded stores that are frozen', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sonnenwarte-frozen-'));
  let portal: TestPortal;
  let token = '';
  let plant: { id: string; sn: string };
  let frozen: number[] = [];
  const freeze = (pids: number[]) => {
    frozen = pids;
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
  };
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };

  beforeAll(async () => {
    portal = await startTestPortal({ DATA_DIR: dataDir }, pino({ level: 'silent' }), { patience, ownStores: true });
    token = await portal.sessionOf('admin');
    plant = await plantOf(portal);
    await portal.server.stores.db
      .updateTable('loggers')
      .set({ token_hash: hashToken(TEST_PASSWORD) })
      .where('sn', '=', plant.sn)
      .execute();
  });
  afterEach(thaw);
  afterAll(async () => {
    thaw();
    await portal?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the engine: reads are answered "try later", /readyz tells it, what is sent is held, and all heals with nothing lost', async () => {
    const pid = portal.server.stores.telemetry.pid ?? 0;
    expect((await dayOf(portal, token, plant.id)).errno).toBe(0);
    const edge = await TestEdge.connect(portal.server.mqttPort ?? 0, plant.sn);
    await edge.birth();
    await edge.deviceBirth('FROZEN-1', 'inverter');
    await portal.server.ingestion.drain();
    freeze([pid]);
    expectAway(await dayOf(portal, token, plant.id));
    expect((await readyOf(portal)).dependencies).toMatchObject({
      database: { state: 'up' },
      telemetry: { state: 'down' },
    });
    expect((await soon(portal.call(list, { pageSize: 10 }, { token }))).errno).toBe(0);
    let isAcknowledged = false;
    const timestampMs = Date.now() - 1_000;
    const sending = edge.data('FROZEN-1', { 'AC/ActivePower': 5 }, { timestampMs }).then(() => {
      isAcknowledged = true;
    });
    await until(async () => Number((await readyOf(portal)).dependencies.ingestion?.detail?.lagMs) > 500, 'the lag');
    expect(isAcknowledged).toBe(false);
    thaw();
    await sending;
    await allWell(portal);
    expect(portal.server.stores.telemetry.pid).toBe(pid);
    expect((await dayOf(portal, token, plant.id)).errno).toBe(0);
    const query = `SELECT count() AS n FROM raw_inverter FINAL WHERE toUnixTimestamp64Milli(ts) = ${timestampMs}`;
    const answer = await portal.server.stores.telemetry.client.query({ query, format: 'JSONEachRow' });
    expect(await answer.json()).toEqual([{ n: 1 }]);
    await edge.end();
  });

  test('PostgreSQL: every call is answered "try later", more of them than there are connections, and all heals', async () => {
    const pid = portal.server.stores.pids().database;
    freeze(processesIn(join(dataDir, 'postgres')));
    const calls = Array.from({ length: 30 }, () => soon(portal.call(detail, { stationID: plant.id }, { token })));
    for (const answer of await Promise.all(calls)) expectAway(answer);
    expectAway(await soon(portal.call(memberEndpoints.add, { account: 'x' } as never, { token })));
    expect((await readyOf(portal)).dependencies).toMatchObject({ database: { state: 'down' } });
    expect((await soon(fetch(`${portal.url}/healthz`))).status).toBe(200);
    thaw();
    await allWell(portal);
    expect(portal.server.stores.pids().database).toBe(pid);
    expect((await portal.call(detail, { stationID: plant.id }, { token })).errno).toBe(0);
  });

  test('it is said in every language', () => {
    const texts = languages.map((language) => errorText(errno.storeAway, language));
    expect(new Set(texts).size).toBe(languages.length);
  });
});

describe('an external ClickHouse that is frozen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonnenwarte-frozen-'));
  let engine: TelemetryHandle;
  let proxy: TcpServer;
  let portal: TestPortal;
  const sockets = new Set<Socket>();
  let isFrozen = false;

  beforeAll(async () => {
    engine = await startTelemetryEngine({ dataDir: folder, logger: pino({ level: 'silent' }) });
    const socketPath = join(socketFolder(folder), 'telemetry.sock');
    proxy = createServer((near) => {
      const far = createConnection(socketPath);
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => sockets.delete(socket));
      }
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      near.on('data', (part) => far.write(part));
      far.on('data', (part) => near.write(part));
      if (isFrozen) for (const socket of [near, far]) socket.pause();
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as { port: number };
    portal = await startTestPortal({ CLICKHOUSE_URL: `http://127.0.0.1:${port}` }, pino({ level: 'silent' }), {
      patience,
    });
  });
  afterAll(async () => {
    await portal?.stop();
    for (const socket of sockets) socket.destroy();
    proxy?.close();
    await engine?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('is told by /readyz, reads are answered "try later", and all heals', async () => {
    const token = await portal.sessionOf('admin');
    const plant = await plantOf(portal);
    expect((await dayOf(portal, token, plant.id)).errno).toBe(0);
    isFrozen = true;
    for (const socket of sockets) socket.pause();
    expectAway(await dayOf(portal, token, plant.id));
    expect((await readyOf(portal)).dependencies).toMatchObject({ telemetry: { state: 'down' } });
    isFrozen = false;
    for (const socket of sockets) socket.resume();
    await allWell(portal);
    expect((await dayOf(portal, token, plant.id)).errno).toBe(0);
  });
});
