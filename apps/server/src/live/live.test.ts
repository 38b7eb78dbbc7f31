import { randomUUID } from 'node:crypto';
import { BEAT_MS, type LiveEvent, liveEndpoints } from '@sonnenwarte/contract/live/live';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromPayload, toPayloads } from '../changes/live-bus.ts';
import type { LiveClock } from '../changes/live-clock.ts';
import { type LiveReader, PlantsFixture } from '../testing/plants-fixture.ts';
import { CHECK_MS } from './live-hub.ts';

const NOW_MS = Date.now();
let plants: PlantsFixture;
let owner: { id: string; level: 1; organisationID: string };
let mine: { id: string; key: number };
let other: { id: string; key: number };
let device: { id: string; key: number };
let datalogger: { id: string };
const beats: (() => void)[] = [];

/** Beats come when the test says so; everything else runs by the system's clock. */
const clockWithBeatsByHand = (nowMs: () => number): LiveClock => ({
  nowMs,
  after: (delayMs, run) => {
    if (delayMs === BEAT_MS) {
      beats.push(run);
      return () => beats.splice(beats.indexOf(run), 1);
    }
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
});

beforeAll(async () => {
  plants = await PlantsFixture.start(clockWithBeatsByHand);
  plants.time.nowMs = undefined;
  const organisation = await plants.addOrganisation('installer');
  owner = { ...(await plants.addAccount(organisation.id, 1)), level: 1 };
  mine = await plants.addSite(organisation.id, {
    name: 'Mine',
    time_zone: 'UTC',
    owner_account_id: owner.id,
    latest: { pv_w: 100, ts: new Date(NOW_MS) },
  });
  other = await plants.addSite(organisation.id, { latest: { pv_w: 5, ts: new Date(NOW_MS) } });
  datalogger = await plants.addDatalogger(mine.id);
  device = await plants.addDevice(mine.id, datalogger.id, {
    powerW: 90,
    values: { 'AC/ActivePower': [90, NOW_MS] },
  });
  await plants.insert('site_day', [
    { site: mine.key, day: new Date().toISOString().slice(0, 10), version: 1, quality: 0, pv_wh: 1_234 },
  ]);
});

afterAll(() => plants.stop());

const open = (subjects: string[], token = plants.signIn(owner)) => plants.open(liveEndpoints.stream, subjects, token);

async function take(reader: LiveReader, count: number): Promise<(LiveEvent | undefined)[]> {
  const events: (LiveEvent | undefined)[] = [];
  while (events.length < count) events.push(await reader.next());
  return events;
}

async function setPower(site: { id: string; key: number }, pvW: number): Promise<void> {
  await plants.db.updateTable('site_latest').set({ pv_w: pvW }).where('site_id', '=', site.id).execute();
  await plants.bus.publish({ sites: [site.key], devices: [] });
}

describe('live stream', () => {
  test('it sends hello, then the present state with the figures of today, before anything changes', async () => {
    const reader = await open([`site:${mine.id}`, `device:${device.id}`]);
    const [hello, ...states] = await take(reader, 3);
    expect(hello?.type).toBe('hello');
    expect(states.find((event) => event?.type === 'site')).toMatchObject({
      site: { stationID: mine.id, pv: { powerW: 100 }, state: 'normal' },
      today: { generationWh: 1_234, quality: 'measured' },
    });
    expect(states.find((event) => event?.type === 'device')).toMatchObject({
      device: { deviceID: device.id, powerW: 90 },
      values: [{ variable: 'AC/ActivePower', value: 90, unit: 'W' }],
    });
    reader.leave();
  });

  test('a change that ingestion publishes reaches the stream, through the database, with the newest state', async () => {
    const reader = await open([`site:${mine.id}`]);
    await take(reader, 2);
    for (const pvW of [200, 300, 400]) await setPower(mine, pvW);
    let seen: LiveEvent | undefined;
    let events = 0;
    do {
      seen = await reader.next();
      events += 1;
    } while (seen?.type === 'site' && seen.site.pv?.powerW !== 400);
    expect(seen).toMatchObject({ type: 'site', site: { pv: { powerW: 400 } } });
    expect(events).toBeLessThanOrEqual(2);
    reader.leave();
  });

  test("a stranger's plant and a missing one are gone alike; their changes are never told", async () => {
    const [hidden, missing] = [`site:${other.id}`, `site:${randomUUID()}`];
    const reader = await open([hidden, missing, `site:${mine.id}`]);
    const events = await take(reader, 4);
    expect(events.slice(1, 3)).toEqual([
      { type: 'gone', subject: hidden },
      { type: 'gone', subject: missing },
    ]);
    await setPower(other, 6);
    await setPower(mine, 500);
    expect(await reader.next()).toMatchObject({ type: 'site', site: { stationID: mine.id } });
    reader.leave();
  });

  test('whoever looks at settings is told of commands and of what the device says, and of nothing that is said again', async () => {
    const [hidden, settings] = [`settings:${randomUUID()}`, `settings:${device.id}`];
    const reader = await open([hidden, settings]);
    expect((await take(reader, 3)).slice(1)).toEqual([
      { type: 'gone', subject: hidden },
      { type: 'changed', subject: settings, atMs: expect.any(Number) },
    ]);
    const command = { logger_id: datalogger.id, device_id: device.id, kind: 'write' as const, source: 'hand' as const };
    const values = JSON.stringify({ values: { 'Setting/ExportLimit': 5_000 } });
    await plants.db
      .insertInto('commands')
      .values({ ...command, id: '01JX0000000000000000000001', content: values, expires_at: new Date(NOW_MS + 600_000) })
      .execute();
    expect(await reader.next()).toMatchObject({ type: 'changed', subject: settings });
    const row = { subject_id: device.id, name: 'Setting/ExportLimit', reported: '5000', reported_at: new Date(NOW_MS) };
    await plants.db.insertInto('device_settings').values(row).execute();
    expect(await reader.next()).toMatchObject({ type: 'changed', subject: settings });
    await plants.db.updateTable('device_settings').set({ reported_at: new Date() }).execute();
    await plants.bus.publish({ sites: [], devices: [device.key] });
    for (const beat of beats.splice(0)) beat();
    expect(await reader.next()).toMatchObject({ type: 'beat' });
    await plants.db.updateTable('device_settings').set({ desired: '4000' }).execute();
    expect(await reader.next()).toMatchObject({ type: 'changed', subject: settings });
    reader.leave();
  });

  test('whoever looks at a group write of an organisation in scope is told of each step; a stranger is not', async () => {
    const group = { kind: 'inverter' as const, organisation_id: owner.organisationID, name: '', content: '{}' };
    const { id } = await plants.db.insertInto('setting_groups').values(group).returning('id').executeTakeFirstOrThrow();
    const subject = `group:${id}`;
    const installer = { ...(await plants.addAccount(owner.organisationID, 2)), level: 2 as const };
    const reader = await open([subject], plants.signIn(installer));
    expect((await take(reader, 2))[1]).toMatchObject({ type: 'changed', subject });
    await plants.db.updateTable('setting_groups').set({ state: 'paused' }).where('id', '=', id).execute();
    expect(await reader.next()).toMatchObject({ type: 'changed', subject });
    reader.leave();
    const elsewhere = await plants.addOrganisation('installer');
    const stranger = { ...(await plants.addAccount(elsewhere.id, 2)), level: 2 as const };
    const refused = await open([subject], plants.signIn(stranger));
    expect((await take(refused, 2))[1]).toEqual({ type: 'gone', subject });
    refused.leave();
  });

  test('the fleet of a scope is sent and follows its plants', async () => {
    const reader = await open(['fleet']);
    expect((await take(reader, 2))[1]).toMatchObject({
      type: 'fleet',
      fleet: { plants: { total: 1 }, devices: { total: 1 } },
    });
    await setPower(mine, 640);
    expect(await reader.next()).toMatchObject({ type: 'fleet', fleet: { pvPowerW: 640 } });
    reader.leave();
  });

  test('the end of the session ends the stream at its next check', async () => {
    const token = plants.signIn(owner);
    beats.length = 0;
    const reader = await open([], token);
    await take(reader, 1);
    const beat = () => {
      for (const due of beats.splice(0)) due();
    };
    beat();
    expect((await reader.next())?.type).toBe('beat');
    plants.signOut(token);
    for (let beatsToCheck = CHECK_MS / BEAT_MS - 1; beatsToCheck > 1; beatsToCheck -= 1) {
      beat();
      expect((await reader.next())?.type).toBe('beat');
    }
    beat();
    expect(await reader.next()).toBeUndefined();
  });
});

describe('live bus', () => {
  test('a change of any size is split into notifications that fit and says all its keys once', () => {
    const sites = Array.from({ length: 5_000 }, (_, index) => 2_000_000_000 + index);
    const payloads = toPayloads({ sites: [...sites, ...sites], devices: [7] });
    expect(Math.max(...payloads.map((text) => Buffer.byteLength(text)))).toBeLessThan(8_000);
    const changes = payloads.map((text) => fromPayload(text));
    expect(changes.flatMap((change) => change?.sites ?? [])).toEqual(sites);
    expect(changes.flatMap((change) => change?.devices ?? [])).toEqual([7]);
    expect(fromPayload('s1;drop')).toBeUndefined();
    expect(toPayloads({ sites: [], devices: [] })).toEqual([]);
  });

  test('after its connection broke it listens again and says that it may have missed something', async () => {
    const news: Promise<boolean> = new Promise((resolve) => {
      const unsubscribe = plants.bus.subscribe(({ missed }) => {
        if (!missed) return;
        unsubscribe();
        resolve(missed);
      });
    });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sonnenwarte live'`.execute(
      plants.db,
    );
    expect(await news).toBe(true);
    const heard = new Promise((resolve) => plants.bus.subscribe(resolve));
    await plants.bus.publish({ sites: [1, 2], devices: [] });
    expect(await heard).toEqual({ sites: [1, 2], devices: [], missed: false });
  });
});
