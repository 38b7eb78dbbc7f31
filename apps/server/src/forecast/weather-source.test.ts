import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { WeatherSource } from './weather-source.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 5, 15, 9, 10);
const munich = { latitude: 48.1372, longitude: 11.5755 };

type Answers = (response: ServerResponse) => void;
let server: Server;
let base: string;
let answers: Answers;
let asked: URL[] = [];

const right = {
  hourly: {
    time: [START_MS - 10 * MINUTE_MS, START_MS + 50 * MINUTE_MS].map((tsMs) => tsMs / 1_000),
    shortwave_radiation: [612.5, null],
    temperature_2m: [21.4, 22],
    wind_speed_10m: [2.8, 3],
  },
};
const json =
  (body: unknown): Answers =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', base));
    answers(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/forecast`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answers = json(right);
});

function sourceAt(url: string, isPrivate = true, waitMs?: number) {
  const clock = { nowMs: START_MS };
  const rules = { privateAddresses: isPrivate, plainLoopback: isPrivate, plainPrivate: isPrivate };
  const logger = pino({ level: 'silent' });
  const source = new WeatherSource({ url, rules, nowMs: () => clock.nowMs, logger, ...(waitMs && { waitMs }) });
  return { source, clock };
}

describe('a source of weather forecasts', () => {
  test('is asked as Open-Meteo is, for a place rounded to a tenth of a degree, and its hours are those before its times', async () => {
    const { source } = sourceAt(`${base}?apikey=own`);
    expect(await source.hoursAt(munich)).toEqual([
      { startMs: START_MS - 10 * MINUTE_MS - HOUR_MS, ghiWm2: 612.5, ambientC: 21.4, windMs: 2.8 },
    ]);
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
      apikey: 'own',
      latitude: '48.1',
      longitude: '11.6',
      hourly: 'shortwave_radiation,temperature_2m,wind_speed_10m',
      wind_speed_unit: 'ms',
      timeformat: 'unixtime',
      timezone: 'UTC',
      past_days: '1',
      forecast_days: '3',
    });
  });

  test('is asked once an hour for all plants of a place', async () => {
    const { source, clock } = sourceAt(base);
    await Promise.all([source.hoursAt(munich), source.hoursAt({ latitude: 48.14, longitude: 11.61 })]);
    await source.hoursAt(munich);
    expect(asked).toHaveLength(1);
    await source.hoursAt({ latitude: 48.3, longitude: 11.6 });
    expect(asked).toHaveLength(2);
    clock.nowMs += HOUR_MS;
    await source.hoursAt(munich);
    expect(asked).toHaveLength(3);
  });

  test.each<[string, Answers]>([
    ['fails', (response) => response.writeHead(500).end()],
    ['leads elsewhere', (response) => response.writeHead(302, { location: '/v1/other' }).end()],
    ['is no JSON', (response) => response.end('<html>')],
    ['has another shape', json({ hourly: { time: [1], shortwave_radiation: ['much'] } })],
    ['tells what cannot be', json({ hourly: { ...right.hourly, shortwave_radiation: [40_000, 1] } })],
    [
      'breaks off',
      (response) => response.writeHead(200, { 'content-length': '5000' }).write('{') && response.destroy(),
    ],
    [
      'is without end',
      (response) => {
        const more = () => {
          while (!response.destroyed && response.write('[0,'.repeat(20_000)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('whose answer %s is left alone for a pause that grows, and used again once it is right', async (_, wrong) => {
    const { source, clock } = sourceAt(base);
    answers = wrong;
    expect(await source.hoursAt(munich)).toBeNull();
    expect(await source.hoursAt(munich)).toBeNull();
    expect(asked).toHaveLength(1);
    clock.nowMs += MINUTE_MS;
    expect(await source.hoursAt(munich)).toBeNull();
    expect(asked).toHaveLength(2);
    answers = json(right);
    clock.nowMs += MINUTE_MS;
    expect(await source.hoursAt(munich)).toBeNull();
    expect(asked).toHaveLength(2);
    clock.nowMs += MINUTE_MS;
    expect(await source.hoursAt(munich)).toHaveLength(1);
  });

  test('that is slow keeps nobody waiting, however many ask, and what comes later is there for the next', async () => {
    const { source } = sourceAt(base, true, 20);
    const held: ServerResponse[] = [];
    answers = (response) => held.push(response);
    const places = Array.from({ length: 12 }, (_, at) => ({ latitude: 40 + at, longitude: 8 }));
    expect(await Promise.all(places.map((place) => source.hoursAt(place)))).toEqual(places.map(() => null));
    answers = json(right);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    for (const response of held) answers(response);
    await vi.waitFor(() => expect(asked).toHaveLength(places.length));
    for (const place of places) await vi.waitFor(async () => expect(await source.hoursAt(place)).toHaveLength(1));
    expect(asked).toHaveLength(places.length);
  });

  test('that does not answer is waited for no longer than two seconds', async () => {
    const { source } = sourceAt(base);
    answers = () => undefined;
    expect(await source.hoursAt(munich)).toBeNull();
    // Nobody has given up on it yet: it is still asked, and asked once.
    expect(asked).toHaveLength(1);
    expect(await source.hoursAt(munich)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test('has at most 32 places waiting, and takes more once those are there', async () => {
    const { source } = sourceAt(base, true, 20);
    const held: ServerResponse[] = [];
    answers = (response) => held.push(response);
    const places = Array.from({ length: 40 }, (_, at) => ({ latitude: at, longitude: 8 }));
    await Promise.all(places.map((place) => source.hoursAt(place)));
    await vi.waitFor(() => expect(held).toHaveLength(1));
    answers = json(right);
    for (const response of held) answers(response);
    await vi.waitFor(() => expect(asked).toHaveLength(32));
    await vi.waitFor(async () => expect(await source.hoursAt(munich)).toHaveLength(1));
    expect(asked).toHaveLength(33);
  });

  test('is never looked for on this machine or its networks unless that is allowed', async () => {
    for (const url of [
      base,
      base.replace('127.0.0.1', 'localhost').replace('http:', 'https:'),
      'https://10.1.2.3/',
      'https://169.254.169.254/',
    ]) {
      expect(await sourceAt(url, false).source.hoursAt(munich), url).toBeNull();
    }
    expect(asked).toEqual([]);
  });

  test('is asked at most six hundred times an hour', async () => {
    const { source } = sourceAt(base);
    for (let place = 0; place < 620; place += 1) await source.hoursAt({ latitude: place / 10 - 31, longitude: 8 });
    expect(asked).toHaveLength(600);
  });
});
