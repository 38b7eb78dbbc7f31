import { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';

const NOW_MS = Date.UTC(2026, 9, 31, 12, 0);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ZONE = 'Europe/Berlin';
let plants: PlantsFixture;
let token: string;
let installerId: string;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});

afterAll(() => plants.stop());

async function plantWithInverter(state: 'normal' | 'alarm' | 'offline' = 'alarm') {
  const site = await plants.addSite(installerId, { latest: { state, ts: new Date(NOW_MS - MINUTE_MS) } });
  const datalogger = await plants.addDatalogger(site.id);
  const inverter = await plants.addDevice(site.id, datalogger.id);
  const alarm = (code: number, sinceMs: number, untilMs: number | null = null, level = 2) =>
    plants.db
      .insertInto('alarms')
      .values({
        device_id: inverter.id,
        logger_id: null,
        site_id: site.id,
        code,
        level,
        since: new Date(sinceMs),
        until: untilMs === null ? null : new Date(untilMs),
      })
      .execute();
  const read = (input: { firstDay?: string; lastDay?: string } = {}) =>
    plants.read(siteEndpoints.alarms, { stationID: site.id, ...input }, token);
  return { site, datalogger, inverter, alarm, read };
}

describe('the alarms of a plant', () => {
  test('are those that stand now, the worst and the newest first, with device and time', async () => {
    const { alarm, read, inverter } = await plantWithInverter();
    await alarm(2006, NOW_MS - 3 * HOUR_MS);
    await alarm(3002, NOW_MS - 2 * HOUR_MS);
    await alarm(1001, NOW_MS - 5 * HOUR_MS, null, 4);
    await alarm(1002, NOW_MS - 4 * HOUR_MS, NOW_MS - 3 * HOUR_MS, 4);
    const { alarms, total, silence, changes } = await read();
    expect(alarms.map(({ code }) => code)).toEqual([1001, 3002, 2006]);
    expect(total).toBe(3);
    expect(alarms[0]).toEqual({
      code: 1001,
      level: 4,
      sinceMs: NOW_MS - 5 * HOUR_MS,
      untilMs: null,
      deviceID: inverter.id,
      deviceSN: inverter.sn,
      kind: 'inverter',
    });
    expect([silence, changes]).toEqual([null, []]);
  });

  test('of a span are those that stood within it, past ones too, by the days of the plant', async () => {
    const { alarm, read } = await plantWithInverter('normal');
    const { startMs, endMs } = dayBounds('2026-10-20', ZONE);
    await alarm(1, startMs - HOUR_MS, startMs - MINUTE_MS);
    await alarm(2, startMs - HOUR_MS, startMs + HOUR_MS);
    await alarm(3, endMs - MINUTE_MS, endMs + HOUR_MS);
    await alarm(4, endMs, endMs + HOUR_MS);
    await alarm(5, startMs - 40 * HOUR_MS);
    const codes = async (firstDay: string, lastDay?: string) =>
      (await read({ firstDay, ...(lastDay !== undefined && { lastDay }) })).alarms.map(({ code }) => code).toSorted();
    expect(await codes('2026-10-20')).toEqual([2, 3, 5]);
    expect(await codes('2026-10-19', '2026-10-21')).toEqual([1, 2, 3, 4, 5]);
    expect(await codes('2026-10-01', '2026-10-02')).toEqual([]);
    const refused = await plants.call(
      siteEndpoints.alarms,
      { stationID: (await plantWithInverter()).site.id, firstDay: '2026-10-20', lastDay: '2026-10-19' },
      token,
    );
    expect(refused.errno).toBe(40257);
  });

  test('end with the device that is removed', async () => {
    const { alarm, read, inverter } = await plantWithInverter();
    await alarm(2006, dayBounds('2026-10-20', ZONE).startMs);
    const removedAt = new Date(dayBounds('2026-10-21', ZONE).startMs + HOUR_MS);
    await plants.db.updateTable('devices').set({ deleted_at: removedAt }).where('id', '=', inverter.id).execute();
    expect((await read()).alarms).toEqual([]);
    expect((await read({ firstDay: '2026-10-21' })).total).toBe(1);
    expect((await read({ firstDay: '2026-10-22' })).total).toBe(0);
  });

  test('stand beside the prices that became valid in the span', async () => {
    const { read, site } = await plantWithInverter('normal');
    const validFrom = dayBounds('2026-10-20', ZONE).startMs + 9 * HOUR_MS;
    await plants.db
      .insertInto('site_prices')
      .values({
        site_id: site.id,
        valid_from: new Date(validFrom),
        feed_in_price: '0.08',
        purchase_price: '0.31',
        currency: 'EUR',
      })
      .execute();
    const { changes } = await read({ firstDay: '2026-10-20' });
    expect(changes).toEqual([
      { atMs: validFrom, what: 'prices', price: '0.080000', purchasePrice: '0.310000', currency: 'EUR' },
    ]);
    expect((await read({ firstDay: '2026-10-21' })).changes).toEqual([]);
  });
});

describe('an offline plant says why', () => {
  const silenceOf = async (change: (plant: Awaited<ReturnType<typeof plantWithInverter>>) => Promise<unknown>) => {
    const plant = await plantWithInverter('offline');
    await change(plant);
    return (await plant.read()).silence;
  };
  const set = (datalogger: { id: string }, values: { online: boolean; last_seen_at: Date | null }) =>
    plants.db.updateTable('loggers').set(values).where('id', '=', datalogger.id).execute();

  test('its datalogger is silent, since the newest value, and when it was connected last', async () => {
    const lastSeen = new Date(NOW_MS - 90 * MINUTE_MS);
    const found = await silenceOf(({ datalogger }) => set(datalogger, { online: false, last_seen_at: lastSeen }));
    expect(found).toMatchObject({
      reason: 'silent',
      sinceMs: NOW_MS - MINUTE_MS,
      lastSeenMs: lastSeen.getTime(),
      moduleType: 'WiFi',
    });
    expect(found?.moduleSN).toMatch(/^\d{15}$/);
  });

  test('its datalogger is there and tells nothing, was never heard, or is not linked', async () => {
    expect((await silenceOf(async () => undefined))?.reason).toBe('noValues');
    const neverHeard = await silenceOf(({ datalogger }) => set(datalogger, { online: false, last_seen_at: null }));
    expect(neverHeard?.reason).toBe('neverHeard');
    const unlinked = await silenceOf(async ({ datalogger, inverter }) => {
      await plants.db.updateTable('devices').set({ site_id: null }).where('id', '=', inverter.id).execute();
      await plants.db.updateTable('loggers').set({ site_id: null }).where('id', '=', datalogger.id).execute();
    });
    expect(unlinked).toMatchObject({ reason: 'noLogger', moduleSN: '', lastSeenMs: null });
  });
});
