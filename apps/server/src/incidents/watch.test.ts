import { incidentEndpoints } from '@sonnenwarte/contract/incidents/incidents';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMemories } from '../ingestion/registry/fleet-rows.store.ts';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { foldTold } from './fold-told.ts';
import type { Looked } from './watch.store.ts';
import { judge, watchFleet } from './watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Noon and midnight at Munich in June. */
const NOON_MS = Date.UTC(2026, 5, 16, 10, 0);
const MIDNIGHT_MS = Date.UTC(2026, 5, 16, 22, 0);
const munich = { latitude: 48.1, longitude: 11.6, time_zone: 'Europe/Berlin' };
let plants: PlantsFixture;

beforeAll(async () => {
  plants = await PlantsFixture.start((nowMs) => ({ nowMs, after: () => () => undefined }));
});

afterAll(() => plants.stop());

async function plantWith(kinds: readonly ('inverter' | 'battery' | 'meter')[], nowMs: number, site = munich) {
  plants.time.nowMs = nowMs;
  const organisation = await plants.addOrganisation('installer');
  const token = plants.signInOf(await plants.addAccount(organisation.id, 2), organisation.path);
  const { id: siteId } = await plants.addSite(organisation.id, site);
  const logger = await plants.addDatalogger(siteId);
  const devices = [];
  for (const kind of kinds) devices.push(await plants.addDevice(siteId, logger.id, { kind }));
  const heard = async (atMs: number, what: 'all' | 'logger' = 'all') => {
    const at = new Date(atMs);
    await plants.db.updateTable('loggers').set({ last_seen_at: at }).where('id', '=', logger.id).execute();
    if (what === 'all') {
      await plants.db.updateTable('devices').set({ last_seen_at: at }).where('logger_id', '=', logger.id).execute();
    }
  };
  const look = async (atMs: number, listensSinceMs = 0) => {
    plants.time.nowMs = atMs;
    // It is time to look at all, as it is once each has waited for long enough.
    await plants.db
      .updateTable('silence_of_loggers')
      .set({ judge_at: new Date(0) })
      .execute();
    await plants.db
      .updateTable('silence_of_devices')
      .set({ judge_at: new Date(0) })
      .execute();
    await watchFleet(plants.db, atMs, listensSinceMs);
    await foldTold(plants.db, atMs);
    const { incidents } = await plants.read(incidentEndpoints.list, { condition: { view: 'open' } }, token);
    return incidents.map(({ code, children, sinceMs }) => ({ code, children, sinceMs }));
  };
  return { token, logger, devices, heard, look };
}

test('a datalogger that is silent for longer than it may is told once, explains its devices, and is over when it is heard', async () => {
  const { heard, look } = await plantWith(['inverter', 'meter'], NOON_MS);
  await heard(NOON_MS - 14 * MINUTE_MS);
  expect(await look(NOON_MS)).toEqual([]);
  await heard(NOON_MS - 16 * MINUTE_MS);
  const silent = [{ code: 5003, children: 2, sinceMs: NOON_MS - 16 * MINUTE_MS }];
  expect(await look(NOON_MS)).toEqual(silent);
  expect(await look(NOON_MS + MINUTE_MS)).toEqual(silent);
  await heard(NOON_MS + 2 * MINUTE_MS);
  expect(await look(NOON_MS + 2 * MINUTE_MS)).toEqual([]);
});

test('night is no alarm: what sleeps is not told until the sun has been high for an hour and it is still silent', async () => {
  const { heard, look } = await plantWith(['inverter'], MIDNIGHT_MS);
  await heard(MIDNIGHT_MS - 2 * HOUR_MS);
  expect(await look(MIDNIGHT_MS)).toEqual([]);
  expect(await look(MIDNIGHT_MS + 7 * HOUR_MS)).toEqual([]);
  expect((await look(NOON_MS + 24 * HOUR_MS)).map(({ code }) => code)).toEqual([5003]);
});

test('what is fed at night is told at night', async () => {
  const { heard, look } = await plantWith(['inverter', 'battery'], MIDNIGHT_MS);
  await heard(MIDNIGHT_MS - HOUR_MS);
  expect((await look(MIDNIGHT_MS)).map(({ code, children }) => [code, children])).toEqual([[5003, 1]]);
});

test('where the sun does not rise no silence of an inverter is an alarm', async () => {
  const day = Date.UTC(2026, 11, 20, 11, 0);
  const { heard, look } = await plantWith(['inverter'], day, {
    latitude: 69.6,
    longitude: 18.9,
    time_zone: 'Europe/Oslo',
  });
  await heard(day - HOUR_MS);
  expect(await look(day)).toEqual([]);
});

test('a device that is silent while its datalogger is heard is its own trouble', async () => {
  const { heard, look } = await plantWith(['inverter', 'meter'], NOON_MS);
  await heard(NOON_MS - 30 * MINUTE_MS);
  await heard(NOON_MS, 'logger');
  expect((await look(NOON_MS)).map(({ code }) => code)).toEqual([5004, 5004]);
});

test('after a time in which the portal was away nobody is silent until it has listened for long enough', async () => {
  const { heard, look } = await plantWith(['meter'], NOON_MS);
  await heard(NOON_MS - 2 * HOUR_MS);
  expect(await look(NOON_MS, NOON_MS - 14 * MINUTE_MS)).toEqual([]);
  expect(await look(NOON_MS, NOON_MS - 16 * MINUTE_MS)).toHaveLength(1);
});

test('a weak signal is told after an hour of it, and over when it is good again', async () => {
  const { logger, heard, look } = await plantWith([], NOON_MS);
  const signal = (dbm: number) =>
    plants.db.updateTable('loggers').set({ rssi_dbm: dbm, online: true }).where('id', '=', logger.id).execute();
  await signal(-90);
  await heard(NOON_MS);
  expect(await look(NOON_MS)).toEqual([]);
  await heard(NOON_MS + 61 * MINUTE_MS);
  expect(await look(NOON_MS + 61 * MINUTE_MS)).toEqual([{ code: 5006, children: 0, sinceMs: NOON_MS }]);
  await signal(-84);
  await heard(NOON_MS + 70 * MINUTE_MS);
  expect((await look(NOON_MS + 70 * MINUTE_MS)).map(({ code }) => code)).toEqual([5006]);
  await signal(-70);
  expect(await look(NOON_MS + 71 * MINUTE_MS)).toEqual([]);
});

test('a clock that stays wrong for ten minutes is told since it was, and over when it is right', async () => {
  const { logger, heard, look } = await plantWith([], NOON_MS);
  const wrongSince = (since: Date | null) =>
    plants.db.updateTable('loggers').set({ clock_wrong_since: since }).where('id', '=', logger.id).execute();
  await wrongSince(new Date(NOON_MS - 9 * MINUTE_MS));
  await heard(NOON_MS);
  expect(await look(NOON_MS)).toEqual([]);
  await heard(NOON_MS + 2 * MINUTE_MS);
  const told = [{ code: 5005, children: 0, sinceMs: NOON_MS - 9 * MINUTE_MS }];
  expect(await look(NOON_MS + 2 * MINUTE_MS)).toEqual(told);
  expect(await look(NOON_MS + 3 * MINUTE_MS)).toEqual(told);
  await wrongSince(null);
  expect(await look(NOON_MS + 4 * MINUTE_MS)).toEqual([]);
});

test('what the portal found of a device is not among what the device tells, which would end it', async () => {
  const { devices, heard, look } = await plantWith(['meter'], NOON_MS);
  await heard(NOON_MS - 30 * MINUTE_MS);
  await heard(NOON_MS, 'logger');
  expect(await look(NOON_MS)).toHaveLength(1);
  const [meter] = devices;
  const told = {
    device_id: meter?.id ?? '',
    logger_id: null,
    site_id: null,
    level: 3,
    since: new Date(NOON_MS),
    until: null,
  };
  await plants.db
    .insertInto('alarms')
    .values({ ...told, code: 5001 })
    .execute();
  const memories = await readMemories(plants.db, [meter?.id ?? '']);
  expect(memories.get(meter?.id ?? '')?.alarms.map(({ code }) => code)).toEqual([5001]);
});

test('a setting that has been another than was ordered for ten minutes is told, and over when it is as it was ordered', async () => {
  const { devices, look, heard } = await plantWith(['meter'], NOON_MS);
  const subject_id = devices[0]?.id ?? '';
  await plants.db
    .insertInto('device_settings')
    .values({ subject_id, name: 'Setting/ExportLimit', drifted_since: new Date(NOON_MS - 9 * MINUTE_MS) } as never)
    .execute();
  expect(await look(NOON_MS)).toEqual([]);
  await heard(NOON_MS + 2 * MINUTE_MS);
  expect(await look(NOON_MS + 2 * MINUTE_MS)).toEqual([{ code: 7003, children: 0, sinceMs: NOON_MS - 9 * MINUTE_MS }]);
  await plants.db
    .updateTable('device_settings')
    .set({ drifted_since: null })
    .where('subject_id', '=', subject_id)
    .execute();
  expect(await look(NOON_MS + 3 * MINUTE_MS)).toEqual([]);
});

test('a counter that was repaired is told once, among what is over', async () => {
  const { devices, look, token } = await plantWith(['meter'], NOON_MS);
  await plants.db
    .insertInto('device_events')
    .values({
      device_id: devices[0]?.id ?? '',
      ts: new Date(NOON_MS - 5 * MINUTE_MS),
      kind: 'counter-reset',
      detail: JSON.stringify({ channel: 'import' }),
    })
    .execute();
  expect(await look(NOON_MS)).toEqual([]);
  expect(await look(NOON_MS + MINUTE_MS)).toEqual([]);
  const { incidents } = await plants.read(incidentEndpoints.list, { condition: { view: 'mended' } }, token);
  expect(incidents.map(({ code, times, extra }) => ({ code, times, extra }))).toEqual([
    { code: 7002, times: 1, extra: 'import' },
  ]);
});

describe('when it is looked again', () => {
  const looked: Looked = {
    id: 'l',
    logger_id: 'l',
    device_id: null,
    is_there: true,
    is_told: false,
    last_seen_at: new Date(NOON_MS),
    report_interval_s: 60,
    latitude: munich.latitude,
    longitude: munich.longitude,
    is_fed: false,
    rssi_dbm: null,
  };

  test('at a datalogger that is heard, as soon as it could be silent, and not before', () => {
    const { isSilent, againMs } = judge(looked, NOON_MS + MINUTE_MS, 0);
    expect([isSilent, againMs - NOON_MS]).toEqual([false, 15 * MINUTE_MS + 1]);
    expect(judge(looked, againMs, 0).isSilent).toBe(true);
  });

  test('at one that reports every hour, after three of them and ten minutes', () => {
    expect(judge({ ...looked, report_interval_s: 3_600 }, NOON_MS + MINUTE_MS, 0).againMs - NOON_MS).toBe(
      190 * MINUTE_MS + 1,
    );
  });

  test('at one that sleeps, is away, deleted or told, within the hour, and always later', () => {
    const cases: [Partial<Looked>, number][] = [
      [{ last_seen_at: new Date(MIDNIGHT_MS - 3 * HOUR_MS) }, MIDNIGHT_MS],
      [{ last_seen_at: null }, NOON_MS],
      [{ is_there: false }, NOON_MS],
      [{ is_told: true, last_seen_at: new Date(NOON_MS - HOUR_MS) }, NOON_MS],
    ];
    for (const [more, nowMs] of cases) {
      const { isSilent, againMs } = judge({ ...looked, ...more }, nowMs, 0);
      expect(isSilent).toBe(false);
      expect(againMs).toBeGreaterThan(nowMs);
      expect(againMs).toBeLessThanOrEqual(nowMs + HOUR_MS);
    }
  });

  test('at one that says that it goes, or whose connection is cut, within a quarter of an hour', async () => {
    const { logger, devices } = await plantWith(['meter'], NOON_MS);
    const [device] = devices;
    const waits = async () => {
      const { rows } = await sql<{ logger: number; device: number }>`
        select extract(epoch from l.judge_at - now())::int as logger, extract(epoch from d.judge_at - now())::int as device
        from silence_of_loggers l, silence_of_devices d where l.logger_id = ${logger.id} and d.device_id = ${device?.id}`.execute(
        plants.db,
      );
      return rows[0];
    };
    expect((await waits())?.logger).toBeGreaterThan(3_000);
    await plants.db.updateTable('loggers').set({ online: false }).where('id', '=', logger.id).execute();
    await plants.db
      .updateTable('devices')
      .set({ online: false })
      .where('id', '=', device?.id ?? '')
      .execute();
    expect((await waits())?.logger).toBeLessThanOrEqual(900);
    expect((await waits())?.device).toBeLessThanOrEqual(900);
  });
});
