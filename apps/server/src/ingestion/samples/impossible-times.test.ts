import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestEdge } from '../../testing/edge.ts';
import { makePlant } from '../../testing/ingestion.ts';
import { JsonDatalogger } from '../../testing/json-datalogger.ts';
import { ownIngestion } from '../../testing/own-ingestion.ts';
import { FLAG_CLOCK, FLAG_HISTORICAL } from '../sessions/kinds.ts';

const own = ownIngestion();
let plant: { siteId: string; siteKey: number; sn: string };
let device: string;
beforeEach(async () => {
  plant = await makePlant(own.stores.db);
  device = `T${plant.sn}`;
});

const MINUTE_MS = 60_000;
const impossible = () => [0, 5_000, Date.UTC(2019, 11, 31), Date.now() + 3 * 3_600_000, Date.UTC(2250, 0, 1)];

const keyOf = async () =>
  (await own.stores.db.selectFrom('devices').select('key').where('sn', '=', device).executeTakeFirstOrThrow()).key;

interface Unplaced {
  told: string;
  flags: number;
  readings: string;
}
const unplaced = async () =>
  own.rows<Unplaced>(
    `SELECT told, flags, readings FROM raw_unplaced FINAL WHERE device = ${await keyOf()} ORDER BY told`,
  );

/** Everything that figures and screens are made of. */
async function everything() {
  const key = await keyOf();
  return {
    raw: await own.rows(`SELECT * FROM raw_inverter FINAL WHERE device = ${key} ORDER BY ts`),
    buckets: await own.rows(`SELECT * EXCEPT version FROM device_5m FINAL WHERE device = ${key} ORDER BY ts`),
    days: await own.rows(`SELECT * EXCEPT version FROM site_day FINAL WHERE site = ${plant.siteKey} ORDER BY day`),
    latest: await own.stores.db
      .selectFrom('device_latest')
      .innerJoin('devices', 'devices.id', 'device_latest.device_id')
      .select(['ts', 'received_at', 'power_w', 'total_wh', 'values', 'devices.state', 'devices.online'])
      .where('devices.sn', '=', device)
      .execute(),
    site: await own.stores.db
      .selectFrom('site_latest')
      .select(['state', 'ts', 'pv_w', 'today_wh', 'total_wh'])
      .where('site_id', '=', plant.siteId)
      .execute(),
  };
}

describe('historical samples of an impossible clock', () => {
  test('in JSON are kept with their flag and their own time, and change nothing else', async () => {
    const datalogger = await JsonDatalogger.connect(own.ingestion.port, plant.sn);
    const startMs = Date.now() - 30 * MINUTE_MS;
    const reading = (ts: number, v: Record<string, number>, hist = false) => ({
      ts,
      dev: device,
      kind: 'inverter',
      hist,
      v,
    });
    for (let step = 0; step <= 6; step += 1) {
      const v = { 'AC/ActivePower': 3_000, 'DC/Power': 3_100, 'Energy/PvTotal': 500 + step * 0.25 };
      await datalogger.tell(reading(startMs + step * 5 * MINUTE_MS - 1, v));
    }
    await own.ingestion.drain();
    const before = await everything();
    expect(before.latest).toMatchObject([{ power_w: 3_000 }]);
    for (const ts of impossible()) {
      await datalogger.tell(reading(ts, { 'AC/ActivePower': 90_000, 'DC/Power': 90_000, 'Energy/PvTotal': 901 }, true));
    }
    await datalogger.tell(impossible().map((ts) => reading(ts, { 'DC/Power': 91_000, 'Energy/PvTotal': 902 }, true)));
    await own.ingestion.drain();
    expect(await everything()).toEqual(before);
    const kept = await unplaced();
    expect(new Set(kept.map(({ flags }) => flags))).toEqual(new Set([FLAG_CLOCK | FLAG_HISTORICAL]));
    expect(kept).toHaveLength(2 * impossible().length);
    expect(JSON.parse(kept[0]?.readings ?? '')).toMatchObject({ 'Energy/PvTotal': expect.any(Number) });
    await datalogger.end();
  });

  test('by Sparkplug likewise, also in one message with what happens now, and each only once', async () => {
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(device, 'inverter');
    const nowMs = Date.now();
    await edge.data(device, { 'AC/ActivePower': 100 }, { timestampMs: nowMs });
    await own.ingestion.drain();
    const before = await everything();
    const past = impossible().map((timestampMs) => ({
      name: 'AC/ActivePower',
      datatype: DataType.Double,
      timestampMs,
      isHistorical: true,
      value: 90_000,
    }));
    await edge.send('DDATA', device, past, { timestampMs: nowMs });
    await edge.send('DDATA', device, past, { timestampMs: nowMs });
    await own.ingestion.drain();
    expect(await everything()).toEqual(before);
    expect((await unplaced()).length).toBe(past.length);
    const live = { name: 'AC/ActivePower', datatype: DataType.Double, timestampMs: nowMs + 1, value: 101 };
    await edge.send('DDATA', device, [...past.slice(0, 3), live], { timestampMs: nowMs + 1 });
    await own.ingestion.drain();
    expect((await everything()).latest).toMatchObject([{ power_w: 101 }]);
    await edge.end();
  });
});

describe('live samples of an impossible clock', () => {
  test('of one message: the newest holds at its receipt with all that was said, the older are kept beside', async () => {
    const datalogger = await JsonDatalogger.connect(own.ingestion.port, plant.sn);
    const reading = (ts: number, v: Record<string, number>) => ({ ts, dev: device, kind: 'inverter', v });
    const many = Array.from({ length: 60 }, (_, step) =>
      reading(step * MINUTE_MS, { 'AC/ActivePower': 90_000, 'Energy/PvTotal': 500 + step }),
    );
    await datalogger.tell([reading(0, { 'AC/Frequency': 50 }), ...many, reading(0, { 'Temp/Ambient': 21 })]);
    await own.ingestion.drain();
    const { raw, latest, days } = await everything();
    expect(raw).toMatchObject([
      { ac_active_power_n: 900_000, energy_pv_total_n: 559_000, ac_frequency_n: 5_000, temp_ambient_n: 210 },
    ]);
    expect(latest).toMatchObject([{ power_w: 90_000, total_wh: 559_000 }]);
    expect(await unplaced()).toHaveLength(61);
    expect(days.filter((day) => ((day as { pv_wh: number }).pv_wh ?? 0) > 0)).toEqual([]);
    await datalogger.end();
  });

  test('of messages that come within a millisecond are each a row of their own, and no energy', async () => {
    const datalogger = await JsonDatalogger.connect(own.ingestion.port, plant.sn);
    const sent = Array.from({ length: 40 }, (_, step) => ({
      ts: 1_000,
      dev: device,
      kind: 'inverter',
      v: { 'AC/ActivePower': 90_000 + step, 'DC/Power': 90_000 },
    }));
    await Promise.all(sent.map((message) => datalogger.tell(message)));
    await own.ingestion.drain();
    const { raw, days } = await everything();
    expect(raw).toHaveLength(sent.length);
    const [day] = days as { pv_wh: number | null }[];
    // 90 kW for the few seconds between the first and the last receipt.
    expect(day?.pv_wh ?? 0).toBeLessThan(90_000 / 60);
    await datalogger.end();
  });
});
