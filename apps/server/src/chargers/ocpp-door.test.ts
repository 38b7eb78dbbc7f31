import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect as connectSocket, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RawChargePoint } from '../testing/charge-point.ts';
import { type AddedPile, PileBench } from '../testing/pile-bench.ts';
import type { ChargePoint } from './charge-points.store.ts';
import { OcppDoor } from './ocpp-door.ts';

let bench: PileBench;

beforeAll(async () => {
  bench = await PileBench.start({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => bench?.stop());
beforeEach(() => bench.clear());

/** A pile that shakes hands and then neither reads nor answers anything; answers the first line of what it is told. */
async function rudePile(pile: AddedPile): Promise<{ socket: Socket; answer: string }> {
  const { hostname, port, pathname } = new URL(pile.address);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => undefined);
  const authorization = Buffer.from(`${pile.user}:${pile.password}`).toString('base64');
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${Buffer.alloc(16, 7).toString('base64')}\r\nSec-WebSocket-Protocol: ocpp1.6\r\nAuthorization: Basic ${authorization}\r\n\r\n`,
  );
  const [data] = (await once(socket, 'data')) as [Buffer];
  return { socket, answer: data.toString('latin1') };
}

const connections = async (): Promise<number> => {
  const text = await (await fetch(`${bench.portal.url}/metrics`)).text();
  return Number(/^sonnenwarte_ocpp_connections (\d+)$/m.exec(text)?.[1]);
};

test('one pile that connects again and again holds one place, and is refused for a while; all others are served', async () => {
  const pile = await bench.newPile();
  const other = await bench.newPile();
  const sockets: Socket[] = [];
  const answers: string[] = [];
  for (let tries = 0; tries < 30; tries += 1) {
    const { socket, answer } = await rudePile(pile);
    sockets.push(socket);
    answers.push(answer);
  }
  expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 101'))).toHaveLength(20);
  expect(answers.at(-1)).toMatch(/^HTTP\/1\.1 429 [\s\S]*Retry-After: \d+\r\n/);
  expect(await bench.refusals('often')).toBe(10);
  expect(await connections()).toBe(1);
  const point = await bench.connect(other);
  await expect(point.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
  expect(await connections()).toBe(2);
  point.cut();
  for (const socket of sockets) socket.destroy();
});

test('behind a proxy, who guesses a password from one place keeps nobody out elsewhere', async () => {
  const pile = await bench.newPile();
  const from = (address: string, password = pile.password) =>
    bench.connect({ ...pile, password }, undefined, { 'x-forwarded-for': address });
  for (let tries = 0; tries < 10; tries += 1)
    await expect(from('203.0.113.66', `wrong ${tries}`)).rejects.toThrow('answered 401');
  await expect(from('203.0.113.66')).rejects.toThrow('answered 429');
  const point = await from('198.51.100.7');
  await expect(point.call('Heartbeat', {})).resolves.toHaveProperty('currentTime');
  point.cut();
});

test('the portal stops in time though nothing that piles tell can be stored', async () => {
  const own = await PileBench.start();
  const point = await own.connect(await own.newPile());
  await point.call('Heartbeat', {});
  vi.spyOn(own.portal.server.ingestion, 'take').mockReturnValue(new Promise(() => undefined));
  await expect(own.stop()).resolves.toBeUndefined();
  await point.closed();
});

test('names that every object has are no states', async () => {
  const pile = await bench.newPile();
  const point = await bench.connect(pile);
  for (const status of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    await expect(point.call('FirmwareStatusNotification', { status })).resolves.toEqual({});
    await expect(point.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError' })).resolves.toEqual(
      {},
    );
  }
  expect(await bench.shown(pile.deviceID)).toMatchObject({ isPlugged: false, firmwareState: null });
  point.cut();
});

test('what goes wrong within is written down here, and not told to a pile', async () => {
  const server = createServer();
  const warned: unknown[] = [];
  const door = new OcppDoor({
    metrics: new Registry(),
    logger: { warn: (told: { err: Error }) => warned.push(told.err.message) } as unknown as Logger,
    nowMs: Date.now,
    addressOf: () => '',
    admitted: async () => ({ deviceId: 'device' }) as ChargePoint,
    arrived: () => ({
      handle: () => Promise.reject(new Error('connect ECONNREFUSED /var/run/.s.PGSQL.5432')),
      closed: () => undefined,
    }),
  });
  door.attach(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const point = await RawChargePoint.connect(`ws://127.0.0.1:${port}/ocpp/CP-1`, { user: 'CP-1', password: 'x' });
  expect(await point.refusal('Heartbeat', {})).toEqual(['InternalError', expect.not.stringContaining('PGSQL'), {}]);
  expect(warned).toEqual(['connect ECONNREFUSED /var/run/.s.PGSQL.5432']);
  point.cut();
  await door.close();
  await new Promise((closed) => server.close(closed));
});
