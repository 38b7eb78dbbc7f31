import { errno } from '@sonnenwarte/contract/errors';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import { scopeOf, systemScope } from '../access/scope.ts';
import { correctSpan } from '../data-repair/data-repair.service.ts';
import { undoDeletion } from '../deletions/deletions.service.ts';
import { joinHistories } from '../deletions/history-removal.ts';
import { purgeDeletions } from '../deletions/purge.job.ts';
import type { CallContext } from '../http/serve.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { clearOf, previewOf } from './device-history.service.ts';

const ZONE = 'Asia/Kolkata';
const HOUR_MS = 3_600_000;
const STEP_MS = 600_000;
const DAY = localDay(Date.now() - 6 * 24 * HOUR_MS, ZONE);
const dayMs = dayBounds(DAY, ZONE).startMs;

const own = ownIngestion();
let plant: TestPlant;
let context: CallContext;
let number = 0;
/** Serial numbers of the inverters of the plant: the first is cleared, the second stays. */
let cleared = '';
let staying = '';

const stores = (nowMs = () => Date.now()) => ({ db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs });
const ending = new AbortController().signal;

/** An inverter that gives 1 kW, of which 400 W are consumed; hours are counted from the start of the day. */
async function record(device: string, fromHour: number, toHour: number): Promise<void> {
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  await send(edge, device, fromHour, toHour);
  await own.ingestion.drain();
  await edge.end();
}

async function send(edge: TestEdge, device: string, fromHour: number, toHour: number): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let tsMs = dayMs + fromHour * HOUR_MS; tsMs <= dayMs + toHour * HOUR_MS; tsMs += STEP_MS) {
    const hours = (tsMs - dayMs) / HOUR_MS;
    const values = {
      'DC/Power': 1_000,
      'AC/ActivePower': 1_000,
      'Load/Power': 400,
      'Energy/PvTotal': 1_000 + hours,
      'Energy/AcOutTotal': 1_000 + hours,
      'Energy/AcInTotal': 1,
      'Energy/LoadTotal': 50 + 0.4 * hours,
    };
    sent.push(edge.data(device, values, { timestampMs: tsMs, historical: true }));
  }
  await Promise.all(sent);
}

const deviceOf = (sn: string) =>
  own.stores.db.selectFrom('devices').select(['id', 'key']).where('sn', '=', sn).executeTakeFirstOrThrow();

const rowsOf = (table: string) =>
  own.rows<Record<string, unknown>>(
    `SELECT * EXCEPT version FROM ${table} FINAL WHERE site = ${plant.siteKey} AND pv_wh > 0 ORDER BY ${table === 'site_day' ? 'day' : 'ts'}`,
  );

/** All that is told of the plant, energies and money. */
const figures = async () => ({
  buckets: await rowsOf('site_5m'),
  hours: await rowsOf('site_hour'),
  days: await rowsOf('site_day'),
  running: await own.stores.db
    .selectFrom('site_latest')
    .select('total_wh')
    .where('site_id', '=', plant.siteId)
    .execute(),
  opening: await own.stores.db.selectFrom('site_openings').selectAll().where('site_id', '=', plant.siteId).execute(),
});

const pvOf = async (table: string): Promise<number> => {
  const [row] = await own.rows<{ wh: number }>(
    `SELECT sumIf(pv_wh, isFinite(pv_wh)) AS wh FROM ${table} FINAL WHERE site = ${plant.siteKey}`,
  );
  return Math.round((row?.wh ?? 0) * 1_000) / 1_000;
};
const pv = () => Promise.all(['site_5m', 'site_hour', 'site_day'].map(pvOf));
const threefold = (wh: number) => [wh, wh, wh];

async function clear(sn = cleared, typed = sn): Promise<string> {
  const { id } = await deviceOf(sn);
  const { deletionID } = await clearOf(stores(), { deviceID: id, deviceSN: typed }, context);
  await own.ingestion.drain();
  return deletionID;
}

/** Undone, and joined by the job that this asks for. */
async function undo(id: string): Promise<void> {
  await undoDeletion(stores(), { id }, context);
  await own.ingestion.drain();
  await joinHistories(stores(), ending);
  await own.ingestion.drain();
}

beforeEach(async () => {
  number += 1;
  [cleared, staying] = [`CLR-${number}`, `STAY-${number}`];
  plant = await makePlant(own.stores.db, { zone: ZONE });
  await record(cleared, 0, 30);
  await record(staying, 0, 30);
  const { organisation_id: organisationID } = await own.stores.db
    .selectFrom('sites')
    .select('organisation_id')
    .where('id', '=', plant.siteId)
    .executeTakeFirstOrThrow();
  const actor = {
    username: 'm.vogel',
    level: 255,
    accountId: null,
    codes: new Set(['device:clearHistory']),
    organisationID,
    organisationPath: [organisationID],
  } as unknown as Actor;
  context = { actor, scope: systemScope, quota: undefined } as unknown as CallContext;
});

describe('a history that is cleared', () => {
  test('is in no figure of the device and its plant any more, and undone all are the same, to the last digit', async () => {
    const before = await figures();
    expect(await pv()).toEqual(threefold(60_000));
    const { id, key } = await deviceOf(cleared);
    const preview = await previewOf(stores(), { deviceID: id }, context);
    expect(preview).toMatchObject({ deviceSN: cleared, samples: 181, firstMs: dayMs, corrections: 0, undoDays: 30 });

    const deletion = await clear();
    expect(await pv()).toEqual(threefold(30_000));
    const after = await deviceOf(cleared);
    expect(after.key).not.toBe(key);
    expect(await previewOf(stores(), { deviceID: id }, context)).toMatchObject({ samples: 0, firstMs: null });
    const days = (await figures()).days.map(({ income }) => Number(income));
    expect(days).toEqual(before.days.map(({ income }) => Number(income) / 2));

    await undo(deletion);
    expect(await figures()).toEqual(before);
    expect(await deviceOf(cleared)).toEqual({ id, key });
  });

  test('of the only device of a plant leaves nothing of it, and comes back', async () => {
    const before = await figures();
    const deletions = [await clear(), await clear(staying)];
    expect(await pv()).toEqual(threefold(0));
    for (const deletion of deletions) await undo(deletion);
    expect(await figures()).toEqual(before);
  });

  test('makes no jump: what comes afterwards counts from its first sample on, and undone nothing is missing', async () => {
    const deletion = await clear();
    await record(cleared, 31, 34);
    expect(await pv()).toEqual(threefold(33_000));
    await undo(deletion);
    // What the counter grew by while nothing was heard comes back too.
    expect(await pv()).toEqual(threefold(64_000));
    const stored = await own.rows<{ samples: number }>(
      `SELECT toUInt32(count()) AS samples FROM raw_inverter FINAL WHERE device = ${(await deviceOf(cleared)).key}`,
    );
    expect(stored).toEqual([{ samples: 181 + 19 }]);
  });

  test('while its device goes on sending on one connection counts nothing of before, and loses nothing of after', async () => {
    const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
    await edge.birth();
    await edge.deviceBirth(cleared, 'inverter');
    await send(edge, cleared, 30 + 1 / 6, 31);
    await own.ingestion.drain();
    expect(await pv()).toEqual(threefold(61_000));
    const deletion = await clear();
    await send(edge, cleared, 31 + 1 / 6, 33 + 1 / 6);
    await own.ingestion.drain();
    expect(await pv()).toEqual(threefold(32_000));
    await undoDeletion(stores(), { id: deletion }, context);
    await own.ingestion.drain();
    await send(edge, cleared, 33 + 2 / 6, 34);
    await own.ingestion.drain();
    await joinHistories(stores(), ending);
    await own.ingestion.drain();
    expect(await pv()).toEqual(threefold(64_000));
    expect(await own.ingestion.counted('ingest_rejected_total')).toBe(0);
    await edge.end();
  });

  test('and is sent once more afterwards, as what comes late, counts as new', async () => {
    await clear();
    await record(cleared, 2, 5);
    expect(await pv()).toEqual(threefold(33_000));
  });

  test('takes corrections by hand of its time along, and brings them back', async () => {
    const { id } = await deviceOf(cleared);
    const span = { fromMs: dayMs + 4 * HOUR_MS, toMs: dayMs + 6 * HOUR_MS, way: 'own' as const, energyWh: 500 };
    const asked = { stationID: plant.siteId, deviceID: id, channel: 'pv' as const, ...span };
    await correctSpan(stores(), { ...asked, reason: 'shaded' }, context);
    await own.ingestion.drain();
    const before = await figures();
    expect(await pv()).toEqual(threefold(58_500));
    const deletion = await clear();
    expect(await pv()).toEqual(threefold(30_000));
    await undo(deletion);
    expect(await figures()).toEqual(before);
  });

  test('is undone whatever process ends in between', async () => {
    const before = await figures();
    await own.ingestion.stop();
    const { id } = await deviceOf(cleared);
    const { deletionID } = await clearOf(stores(), { deviceID: id, deviceSN: cleared }, context);
    await own.start();
    await own.ingestion.drain();
    expect(await pv()).toEqual(threefold(30_000));
    await record(cleared, 31, 32);
    await own.ingestion.stop();
    await undoDeletion(stores(), { id: deletionID }, context);
    // The job is killed once it has copied, before it has noted that.
    const { client } = own.stores.telemetry;
    const dying = Object.assign(Object.create(client) as typeof client, {
      async command(...asked: Parameters<typeof client.command>): Promise<never> {
        await client.command(...asked);
        throw new Error('the process ends here');
      },
    });
    await expect(joinHistories({ ...stores(), telemetry: dying }, ending)).rejects.toThrow('the process ends here');
    await own.start();
    await joinHistories(stores(), ending);
    await own.ingestion.drain();
    const after = await figures();
    expect(after.days.slice(0, -1)).toEqual(before.days.slice(0, -1));
    expect(await pv()).toEqual(threefold(62_000));
  });

  test('is refused without its serial number, to strangers, and where nothing is recorded', async () => {
    const { id } = await deviceOf(cleared);
    await expect(clear(cleared, `${cleared}0`)).rejects.toMatchObject({ errno: errno.historyConfirmation });
    const stranger = { ...context, scope: scopeOf({ level: 2, organisationID: crypto.randomUUID() } as Actor) };
    const foreign = clearOf(stores(), { deviceID: id, deviceSN: cleared }, stranger);
    await expect(foreign).rejects.toMatchObject({ errno: errno.deviceNotFound });
    expect(await pv()).toEqual(threefold(60_000));
    await clear();
    await expect(clear()).rejects.toMatchObject({ errno: errno.historyEmpty });
  });

  test('that was cleared again comes back in the order in which it went', async () => {
    const before = await figures();
    const first = await clear();
    await record(cleared, 31, 32);
    const second = await clear();
    expect(await pv()).toEqual(threefold(30_000));
    await expect(undo(first)).rejects.toMatchObject({ errno: errno.historyClearedAgain });
    await undo(second);
    expect(await pv()).toEqual(threefold(31_000));
    await undo(first);
    expect(await pv()).toEqual(threefold(62_000));
    expect((await figures()).days[0]).toEqual(before.days[0]);
  });

  test('goes for good after 30 days, and what was recorded since stays', async () => {
    const { key } = await deviceOf(cleared);
    const deletion = await clear();
    await record(cleared, 31, 32);
    const parts = {
      db: own.stores.db,
      telemetry: own.stores.telemetry.client,
      logger: pino({ level: 'silent' }),
      ending,
    };
    await purgeDeletions(parts, Date.now() + 31 * 24 * HOUR_MS);
    const left = await own.rows<{ samples: number }>(
      `SELECT toUInt32(count()) AS samples FROM raw_inverter WHERE device = ${key}`,
    );
    expect(left).toEqual([{ samples: 0 }]);
    expect(await pv()).toEqual(threefold(31_000));
    await expect(undo(deletion)).rejects.toMatchObject({ errno: errno.deletionNotFound });
  });
});
