import type { RepairWay } from '@sonnenwarte/contract/data-repair/corrections';
import { errno } from '@sonnenwarte/contract/errors';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
import { scopeOf, systemScope } from '../access/scope.ts';
import type { CallContext } from '../http/serve.ts';
import { siteCalendarOf } from '../sites/site-calendar.service.ts';
import { siteFiguresOf } from '../sites/sites.service.ts';
import { TestEdge } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';
import { correctionsOfPlant, correctSpan, countersOf, previewOf, seriesOf, undoSpan } from './data-repair.service.ts';

const ZONE = 'Asia/Kolkata';
const HOUR_MS = 3_600_000;
const STEP_MS = 600_000;
const SECOND = localDay(Date.now() - 6 * 24 * HOUR_MS, ZONE);
const secondMs = dayBounds(SECOND, ZONE).startMs;
const FIRST = localDay(secondMs - HOUR_MS, ZONE);
/** The counter of the first inverter counts this much too much from here on. */
const JUMP_HOUR = 10;
const JUMP_KWH = 0.3;

const own = ownIngestion();

interface Stretch {
  fromHour: number;
  toHour: number;
  stepMs?: number;
  pv?: (hours: number) => number;
}

/** An inverter that gives 1 kW, of which 400 W are consumed; hours are counted from the start of the second day. */
async function record(sn: string, device: string, { fromHour, toHour, stepMs = STEP_MS, pv }: Stretch): Promise<void> {
  const edge = await TestEdge.connect(own.ingestion.port, sn);
  await edge.birth();
  await edge.deviceBirth(device, 'inverter');
  const sent: Promise<void>[] = [];
  for (let tsMs = secondMs + fromHour * HOUR_MS; tsMs <= secondMs + toHour * HOUR_MS; tsMs += stepMs) {
    const hours = (tsMs - secondMs) / HOUR_MS;
    const values = {
      'DC/Power': 1_000,
      'AC/ActivePower': 1_000,
      'Load/Power': 400,
      'Energy/PvTotal': pv?.(hours) ?? 100 + hours,
      'Energy/AcOutTotal': 100 + hours,
      'Energy/AcInTotal': 1,
      'Energy/LoadTotal': 50 + 0.4 * hours,
    };
    sent.push(edge.data(device, values, { timestampMs: tsMs, historical: true }));
  }
  await Promise.all(sent);
  await own.ingestion.drain();
  await edge.end();
}

const jumping = (hours: number): number => 100 + hours + (hours >= JUMP_HOUR ? JUMP_KWH : 0);

const stores = () => ({ db: own.stores.db, telemetry: own.stores.telemetry.client, nowMs: () => Date.now() });

let plant: TestPlant;
let device: string;
let context: CallContext;

async function idOf(sn: string): Promise<string> {
  return (await own.stores.db.selectFrom('devices').select('id').where('sn', '=', sn).executeTakeFirstOrThrow()).id;
}

async function contextOf({ siteId }: TestPlant): Promise<CallContext> {
  const { organisation_id: organisationID } = await own.stores.db
    .selectFrom('sites')
    .select('organisation_id')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const actor = {
    username: 'm.vogel',
    level: 4,
    organisationID,
    organisationPath: [organisationID],
  } as unknown as Actor;
  return { actor, scope: systemScope, quota: undefined } as unknown as CallContext;
}

beforeAll(async () => {
  plant = await makePlant(own.stores.db, { zone: ZONE });
  await record(plant.sn, 'REP-1', { fromHour: -24, toHour: 30, pv: jumping });
  await record(plant.sn, 'REP-2', { fromHour: -24, toHour: 30 });
  device = await idOf('REP-1');
  context = await contextOf(plant);
});

const at = (hour: number): number => secondMs + hour * HOUR_MS;

const span = (fromHour: number, toHour: number, way: RepairWay = 'bridge', energyWh?: number) => ({
  stationID: plant.siteId,
  deviceID: device,
  channel: 'pv' as const,
  fromMs: at(fromHour),
  toMs: at(toHour),
  way,
  ...(energyWh !== undefined && { energyWh }),
});

async function correct(asked: ReturnType<typeof span>): Promise<number> {
  const { correctionID } = await correctSpan(stores(), { ...asked, reason: 'after a restart' }, context);
  await own.ingestion.drain();
  return correctionID;
}

async function undo(correctionID: number): Promise<void> {
  await undoSpan(stores(), { stationID: plant.siteId, correctionID }, context);
  await own.ingestion.drain();
}

const rowsOf = (table: string) =>
  own.rows<Record<string, unknown>>(
    `SELECT * EXCEPT version FROM ${table} FINAL WHERE site = ${plant.siteKey} ORDER BY ${table === 'site_day' ? 'day' : 'ts'}`,
  );

/** All that is written of the plant. */
const written = async () => ({
  buckets: await rowsOf('site_5m'),
  hours: await rowsOf('site_hour'),
  days: await rowsOf('site_day'),
  running: await own.stores.db
    .selectFrom('site_latest')
    .select('total_wh')
    .where('site_id', '=', plant.siteId)
    .execute(),
});

const pvOf = async (table: string): Promise<number> => {
  const [row] = await own.rows<{ wh: number }>(
    `SELECT sumIf(pv_wh, isFinite(pv_wh)) AS wh FROM ${table} FINAL WHERE site = ${plant.siteKey}`,
  );
  return row?.wh ?? 0;
};

const figures = () => siteFiguresOf(stores(), { stationID: plant.siteId }, { scope: systemScope });

const calendarNow = () =>
  siteCalendarOf(stores(), { stationID: plant.siteId, year: Number(SECOND.slice(0, 4)) }, { scope: systemScope });

describe('a correction', () => {
  test.each([
    ['bridge', 1_000, undefined],
    ['neighbours', 1_000, undefined],
    ['gap', null, undefined],
    ['own', 250, 250],
  ] as const)(
    'by %s counts in every sum as it was previewed, and undone leaves each row as it was',
    async (way, expectedWh, energyWh) => {
      const before = await written();
      const asked = span(JUMP_HOUR - 0.5, JUMP_HOUR + 0.5, way, energyWh);
      const preview = await previewOf(stores(), asked, context);
      expect(await written()).toEqual(before);
      if (expectedWh === null) expect(preview.energyWh).toBeNull();
      else expect(preview.energyWh).toBeCloseTo(expectedWh, -1);
      // What the jump hides is left out by the accounting.
      expect(preview.formerWh).toBeCloseTo(833.333, 1);
      const id = await correct(asked);
      const gainWh = (preview.energyWh ?? 0) - (preview.formerWh ?? 0);
      const sums = await Promise.all(['site_5m', 'site_hour', 'site_day'].map(pvOf));
      const former = before.days.reduce((sum, { pv_wh }) => sum + Number(pv_wh), 0);
      for (const sum of sums) expect(sum).toBeCloseTo(former + gainWh, 3);
      const { total } = await figures();
      const calendar = await calendarNow();
      const day = calendar.days.find((each) => each.day === SECOND);
      const month = calendar.months.find((each) => each.month === SECOND.slice(0, 7));
      expect(preview.days.map((each) => each.day)).toEqual([SECOND]);
      expect(day?.generationWh).toBeCloseTo(preview.days[0]?.afterWh ?? Number.NaN, 2);
      expect(total.generationWh).toBeCloseTo(preview.totalWh.after ?? Number.NaN, 2);
      expect(preview.totalWh.after).toBeCloseTo((preview.totalWh.before ?? 0) + gainWh, 2);
      const monthly = preview.months.find((each) => SECOND.startsWith(each.month));
      expect(month?.generationWh).toBeCloseTo(monthly?.energyWh.after ?? Number.NaN, 2);
      expect(month?.money).toBe(monthly?.money.after);
      expect(day?.qualities.generationWh).toBe('corrected');
      await undo(id);
      expect(await written()).toEqual(before);
    },
  );

  test('of a span over midnight changes both days, and its mark stands at them alone', async () => {
    const id = await correct(span(-2, 2, 'own', 1_000));
    const calendar = await calendarNow();
    const shown = new Map(calendar.days.map(({ day, qualities }) => [day, qualities.generationWh]));
    expect([shown.get(FIRST), shown.get(SECOND)]).toEqual(['corrected', 'corrected']);
    const third = localDay(at(25), ZONE);
    if (shown.has(third)) expect(shown.get(third)).toBe('measured');
    await undo(id);
  });

  test('holds whatever comes late, and undone it counts what came', async () => {
    const asked = span(4, 6, 'own', 700);
    const id = await correct(asked);
    const corrected = await pvOf('site_5m');
    await record(plant.sn, 'REP-1', { fromHour: 4.05, toHour: 5.95, stepMs: 0.1 * HOUR_MS, pv: jumping });
    expect(await pvOf('site_5m')).toBeCloseTo(corrected, 3);
    await undo(id);
    expect(await pvOf('site_5m')).toBeCloseTo(corrected + 2_000 - 700, 0);
  });

  test('of a span in which the device told nothing fills it, and is gone when it is undone', async () => {
    const before = await pvOf('site_5m');
    const id = await correct(span(31, 33, 'own', 1_500));
    for (const table of ['site_5m', 'site_hour', 'site_day']) expect(await pvOf(table)).toBeCloseTo(before + 1_500, 3);
    await undo(id);
    for (const table of ['site_5m', 'site_hour', 'site_day']) expect(await pvOf(table)).toBeCloseTo(before, 6);
  });

  test('of a time before the plant was recorded is refused', async () => {
    const before = { ...span(0, 1, 'own', 1_000), fromMs: at(-24 * 400), toMs: at(-24 * 400 + 1) };
    const refused = { errno: errno.correctionSpan };
    await expect(previewOf(stores(), before, context)).rejects.toMatchObject(refused);
    await expect(correctSpan(stores(), { ...before, reason: 'too early' }, context)).rejects.toMatchObject(refused);
  });

  test('that would overlap with another is refused and names it; beside it, and at another counter, it is taken', async () => {
    const id = await correct(span(12, 14));
    const refused = correctSpan(stores(), { ...span(13, 15), reason: 'again' }, context);
    await expect(refused).rejects.toMatchObject({
      errno: errno.correctionOverlaps,
      result: { correctionID: id, fromMs: at(12), toMs: at(14) },
    });
    const beside = await correct(span(14, 15));
    const other = await correctSpan(stores(), { ...span(13, 15), channel: 'load', reason: 'beside' }, context);
    for (const each of [id, beside, other.correctionID]) await undo(each);
  });

  test('any of them, undone in any order, leave every row as it was', async () => {
    const before = await written();
    const ways = fc.constantFrom<RepairWay>('bridge', 'neighbours', 'gap', 'own');
    const lengths = fc.array(fc.record({ way: ways, steps: fc.integer({ min: 1, max: 40 }), free: fc.nat(20) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(lengths, fc.infiniteStream(fc.nat(100)), async (list, order) => {
        let hour = -20;
        let made: number[] = [];
        for (const { way, steps, free } of list) {
          const fromHour = hour + free / 12;
          hour = fromHour + steps / 12;
          made.push(await correct(span(fromHour, hour, way, 123.456 * steps)));
        }
        const [fine, hourly, daily] = await Promise.all(['site_5m', 'site_hour', 'site_day'].map(pvOf));
        expect(hourly).toBeCloseTo(fine ?? 0, 4);
        expect(daily).toBeCloseTo(fine ?? 0, 4);
        made = made.toSorted((a, b) => a - b);
        while (made.length > 0) {
          const [next] = made.splice((order.next().value ?? 0) % made.length, 1);
          if (next !== undefined) await undo(next);
        }
        expect(await written()).toEqual(before);
      }),
      { numRuns: 4 },
    );
  });

  test('is recorded with who and why, told to whoever sees the plant, and to nobody else', async () => {
    const id = await correct(span(16, 17, 'own', 0));
    const shown = await correctionsOfPlant(stores(), { stationID: plant.siteId }, { scope: systemScope });
    expect(shown.corrections).toMatchObject([
      {
        correctionID: id,
        deviceSN: 'REP-1',
        channel: 'pv',
        way: 'own',
        energyWh: 0,
        reason: 'after a restart',
        company: 'Test installer',
        days: [{ day: SECOND }],
      },
    ]);
    expect(shown.corrections[0]?.formerWh).toBeCloseTo(1_000, 0);
    await undo(id);
    const after = await correctionsOfPlant(stores(), { stationID: plant.siteId }, { scope: systemScope });
    expect(after.corrections).toEqual([]);
    const audit = await own.stores.db
      .selectFrom('audit_log')
      .select(['action', 'actor'])
      .where('record_id', '=', plant.siteId)
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(audit).toEqual([
      { action: 'data-repair.undo', actor: 'm.vogel' },
      { action: 'data-repair.correct', actor: 'm.vogel' },
    ]);
    const stranger = { ...context, scope: scopeOf({ level: 2, organisationID: crypto.randomUUID() } as Actor) };
    const refused = { errno: errno.siteNotFound };
    await expect(correctionsOfPlant(stores(), { stationID: plant.siteId }, stranger)).rejects.toMatchObject(refused);
    await expect(previewOf(stores(), span(1, 2), stranger)).rejects.toMatchObject(refused);
    await expect(undoSpan(stores(), { stationID: plant.siteId, correctionID: id }, stranger)).rejects.toMatchObject(
      refused,
    );
    await expect(undo(id)).rejects.toMatchObject({ errno: errno.correctionNotFound });
  });
});

test('a counter that started anew and was silent is shown as it was told and as it is joined, with both explained', async () => {
  const other = await makePlant(own.stores.db, { zone: ZONE });
  await record(other.sn, 'REP-3', { fromHour: 0, toHour: 4 });
  await record(other.sn, 'REP-3', { fromHour: 7, toHour: 9 });
  await record(other.sn, 'REP-3', { fromHour: 9.25, toHour: 12, pv: (hours) => hours - 9.1 });
  const { counters } = await countersOf(stores(), { stationID: other.siteId }, { scope: systemScope });
  expect(counters.map(({ channel }) => channel)).toEqual(expect.arrayContaining(['pv', 'load', 'acOut']));
  const { findings, points } = await seriesOf(
    stores(),
    { stationID: other.siteId, deviceID: await idOf('REP-3'), channel: 'pv', from: SECOND, to: SECOND },
    { scope: systemScope },
  );
  expect(findings.map(({ kind }) => kind)).toEqual(['gap', 'reset']);
  const [gap, reset] = findings;
  expect(gap).toMatchObject({ fromMs: at(4), toMs: at(7), beforeWh: 104_000, afterWh: 107_000 });
  expect(gap?.energyWh).toBeCloseTo(3_000, 0);
  expect(reset?.beforeWh).toBe(109_000);
  expect(reset?.afterWh).toBeLessThan(1_000);
  const joined = points.map(([, , wh]) => wh).filter((wh) => wh !== null);
  expect(joined).toEqual(joined.toSorted((a, b) => a - b));
  expect((joined.at(-1) ?? 0) - (joined[0] ?? 0)).toBeCloseTo(12_000, -3);
  expect(points.some(([, raw]) => raw !== null && raw < 3_000)).toBe(true);
});
