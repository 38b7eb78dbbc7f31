import { fleetEndpoints } from '@sonnenwarte/contract/fleet/fleet';
import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addRoof, addRoofDays, type Roof, type Strings } from '../testing/roofs.ts';
import { daysBefore, noteWrittenDays } from './due.store.ts';
import { workOff } from './work-off.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
const ENDED = '2026-06-19';
const WEEK = Array.from({ length: 7 }, (_, back) => daysBefore(ENDED, back));
const DAY_MS = 86_400_000;

let plants: PlantsFixture;
let installerId: string;
let token: string;
let latitude = 60;

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  ({ installerId, token } = await plants.addInstaller());
});
afterAll(() => plants?.stop());

/** A roof far from all others, with a week of the same days. */
async function addTold(
  name: string,
  told: { strings?: Strings; clearness?: number; trackers?: readonly number[] },
  days: readonly string[] = WEEK,
): Promise<Roof> {
  latitude -= 6;
  const roof = await addRoof(plants, installerId, name, { latitude });
  await addRoofDays(plants, [{ roof, days, told }]);
  return roof;
}

async function reckon(roof: Roof, days: readonly string[] = WEEK): Promise<void> {
  const told = new Map([[{ id: roof.id, zone: 'Europe/Berlin' } as never, new Set(days)]]);
  await noteWrittenDays(plants.db, told, NOW_MS - DAY_MS + 14 * 3_600_000);
  await workOff({
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    logger: pino({ level: 'silent' }),
    nowMs: () => NOW_MS,
    ending: new AbortController().signal,
    longestMs: Number.POSITIVE_INFINITY,
  });
}

const evidenceOf = (roof: Roof, date = ENDED) =>
  plants.read(insightEndpoints.evidence, { stationID: roof.id, date }, token);
const weekOf = async (roof: Roof) =>
  (await plants.read(fleetEndpoints.attention, {}, token)).plants.find(({ stationID }) => stationID === roof.id);

const addAlarm = (roof: Roof, code: number, sinceMs: number, untilMs: number | null = null) =>
  plants.db
    .insertInto('alarms')
    .values({
      device_id: roof.inverter.id,
      site_id: roof.id,
      code,
      level: 2,
      since: new Date(sinceMs),
      until: untilMs === null ? null : new Date(untilMs),
    })
    .execute();

const dueOf = async (roof: Roof): Promise<string[]> => {
  const rows = await plants.db
    .selectFrom('insight_due')
    .select(({ ref }) => ref('day').as('day'))
    .where('site_id', '=', roof.id)
    .orderBy('day')
    .execute();
  return rows.map(({ day }) => String(day));
};

test.each([
  ['one tracker', [3]],
  ['two trackers', [2, 1]],
])('a weak string of %s is told on a dull day as on a bright one', async (_name, trackers) => {
  for (const clearness of [0.8, 0.14]) {
    const roof = await addTold('Dull', { strings: [1, 0.55, 1], clearness, trackers }, [ENDED]);
    const { reasons, missing } = await evidenceOf(roof);
    expect(reasons.map(({ reason }) => reason.kind)).toEqual(['string-weak']);
    expect(missing).not.toContain('strings');
  }
});

test('what could not be looked at for want of values is not told as looked at', async () => {
  const roof = await addTold('Silent', {}, [daysBefore(ENDED, 1)]);
  const told = await evidenceOf(roof, daysBefore(ENDED, 1));
  expect(told.ruledOut.map(({ measure }) => measure)).toEqual(
    expect.arrayContaining(['silent-share', 'alarms', 'standstill-hours', 'clipped-share', 'night-export-hours']),
  );
  expect(told.unchecked).toEqual([]);

  const silent = await evidenceOf(roof);
  expect(silent.completeness).toBe(0);
  expect(silent.ruledOut).toEqual([]);
  expect(silent.unchecked).toEqual(
    expect.arrayContaining(['alarm', 'standstill', 'clipping', 'export-limit', 'meter-wrong']),
  );
});

test('a day of which the sun has not risen yet says so, and that all day values came is not said of it', async () => {
  const roof = await addTold('Early', {}, [ENDED]);
  plants.time.nowMs = Date.UTC(2026, 5, 19, 22, 30);
  const { hasBegun, ruledOut } = await evidenceOf(roof, '2026-06-20');
  plants.time.nowMs = NOW_MS;
  expect(hasBegun).toBe(false);
  expect(ruledOut.map(({ measure }) => measure)).not.toContain('silent-share');
  expect((await evidenceOf(roof)).hasBegun).toBe(true);
});

test('an alarm that stands is named with its time, never said not to explain it, and its reason began with it', async () => {
  const roof = await addTold('Alarmed', { strings: [1, 0.5, 1] });
  const sinceMs = NOW_MS - 12 * DAY_MS;
  await addAlarm(roof, 2006, sinceMs);
  await reckon(roof);
  const { alarms, ruledOut, reasons } = await evidenceOf(roof);
  expect(alarms).toEqual([{ code: 2006, level: 2, deviceSN: roof.inverter.sn, sinceMs, untilMs: null }]);
  expect(ruledOut.map(({ measure }) => measure)).not.toContain('alarms');
  expect(reasons[0]).toMatchObject({ reason: { kind: 'string-weak', evidence: { alarm: 2006 } } });
  expect((await weekOf(roof))?.week?.reasons[0]).toMatchObject({ since: '2026-06-08', days: 7 });

  // One of which no rule makes a reason.
  const other = await addTold('Warned', {}, [ENDED]);
  await addAlarm(other, 4003, NOW_MS - DAY_MS);
  expect((await evidenceOf(other)).ruledOut.map(({ measure }) => measure)).not.toContain('alarms');
});

test('a reason that no alarm tells began on the first of its days, those before the week too, though dull days lie between', async () => {
  const days = Array.from({ length: 14 }, (_, back) => daysBefore(ENDED, back));
  const roof = await addTold(
    'Longer',
    { strings: [1, 0.5, 1] },
    days.filter((_, back) => back !== 9),
  );
  await reckon(roof, days.toReversed());
  expect((await weekOf(roof))?.week?.reasons[0]).toMatchObject({ since: days.at(-1), days: 7, isStanding: true });
});

test('strings stand beside each other by the same median as in the check, and the curve without the loss lies above by the loss', async () => {
  const roof = await addTold('Beside', { strings: [1, 0.6, 0.9] }, [ENDED]);
  const { strings, stringsBasis, reasons, curve, lossWh } = await evidenceOf(roof);
  expect(stringsBasis).toBe('peers');
  const [reason] = reasons;
  const share = reason?.reason.kind === 'string-weak' ? reason.reason.evidence.share : Number.NaN;
  const [first, second, third] = strings[0]?.rows ?? [];
  expect(second?.percent).toBeCloseTo(100 * share, 6);
  expect((first?.percent ?? 0) + (third?.percent ?? 0)).toBeCloseTo(200, 6);
  expect([first?.weak, second?.weak, third?.weak]).toEqual([false, true, false]);
  const gapKwh = curve.kept.reduce<number>((sum, kept, at) => sum + ((kept ?? 0) - (curve.actual[at] ?? 0)) / 12, 0);
  expect(gapKwh * 9_000).toBeCloseTo(lossWh ?? 0, -2);
  expect(reason?.spans).toMatchObject([{ isWhole: false }]);

  const equal = await addTold('Equal', {}, [ENDED]);
  const told = await evidenceOf(equal);
  expect(told.curve.kept.every((value) => value === null)).toBe(true);
  const least = told.ruledOut.find(({ measure }) => measure === 'string-share')?.value ?? Number.NaN;
  expect(Math.min(...(told.strings[0]?.rows ?? []).map(({ percent }) => percent ?? 0))).toBeCloseTo(100 * least, 6);
});

test('a mark of a whole day reaches from the first to the last light', async () => {
  const roof = await addTold('Marked', {}, [ENDED]);
  await addAlarm(roof, 3003, NOW_MS - 5 * DAY_MS);
  const { reasons, curve } = await evidenceOf(roof);
  const [span] = reasons.find(({ reason }) => reason.kind === 'alarm')?.spans ?? [];
  const lit = curve.clear.flatMap((value, at) => ((value ?? 0) > 0 ? [curve.startMs + at * curve.stepMs] : []));
  expect(span?.isWhole).toBe(true);
  expect(span?.fromMs).toBeLessThanOrEqual(lit[0] ?? 0);
  expect(span?.fromMs).toBeGreaterThan(curve.startMs + 3_600_000);
  expect(span?.untilMs).toBeGreaterThan(lit.at(-1) ?? 0);
});

test('whatever a day is held against puts it back among those that are due, and the list says so', async () => {
  const roof = await addTold('Changed', { strings: [1, 0.5, 1] });
  await reckon(roof);
  const other = await addTold('Unchanged', {}, [ENDED]);
  await reckon(other, [ENDED]);
  const { rows } = { rows: await plants.db.selectFrom('insight_turns').selectAll().execute() };
  expect(rows.map(({ time_zone }) => time_zone)).toEqual(['Europe/Berlin']);
  expect(await dueOf(roof)).toEqual([]);
  expect(await weekOf(roof)).toMatchObject({ isDue: false });
  const sites = () => plants.db.updateTable('sites').where('id', '=', roof.id);
  const changes: [string, () => Promise<unknown>, first: string][] = [
    [
      'arrays',
      () =>
        sites()
          .set({ arrays: JSON.stringify([{ azimuthDeg: 90, inclinationDeg: 30, kwp: 9 }]) as never })
          .execute(),
      '',
    ],
    [
      'place',
      () =>
        sites()
          .set({ latitude: roof.latitude + 0.01 })
          .execute(),
      '',
    ],
    ['first price', () => sites().set({ purchase_price: '0.4' }).execute(), ''],
    [
      'later price',
      () =>
        plants.db
          .insertInto('site_prices')
          .values({
            site_id: roof.id,
            valid_from: new Date(NOW_MS - 3 * DAY_MS),
            feed_in_price: '0.1',
            purchase_price: '0.5',
            currency: 'EUR',
          })
          .execute(),
      daysBefore('2026-06-20', 3),
    ],
    [
      'inverter',
      () => plants.db.updateTable('devices').set({ rated_power_w: 8_000 }).where('id', '=', roof.inverter.id).execute(),
      '',
    ],
    ['late alarm', () => addAlarm(roof, 1001, NOW_MS - 2 * DAY_MS, NOW_MS - DAY_MS), daysBefore('2026-06-20', 2)],
  ];
  for (const [, change, first] of changes) {
    await change();
    const due = await dueOf(roof);
    expect(due.at(-1)).toBe(ENDED);
    if (first === '') expect(due.length).toBeGreaterThanOrEqual(7);
    else expect(due[0]).toBe(first);
    expect(await weekOf(roof)).toMatchObject({ isDue: true });
    expect(await evidenceOf(roof)).toMatchObject({ isDue: true });
    expect(await dueOf(other)).toEqual([]);
    await plants.db.deleteFrom('insight_due').where('site_id', '=', roof.id).execute();
  }
  await sites().set({ name: 'Called otherwise' }).execute();
  expect(await dueOf(roof)).toEqual([]);
});
