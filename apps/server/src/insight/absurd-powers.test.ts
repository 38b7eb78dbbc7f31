import { insightEndpoints } from '@sonnenwarte/contract/insight/insight';
import { kinkEndpoints } from '@sonnenwarte/contract/kinks/kinks';
import { storyEndpoints } from '@sonnenwarte/contract/story/story';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlantsFixture } from '../testing/plants-fixture.ts';
import { addRoof, addRoofDays, type Roof } from '../testing/roofs.ts';
import { daysBefore, noteWrittenDays } from './due.store.ts';
import { workOff } from './work-off.ts';

const NOW_MS = Date.UTC(2026, 5, 20, 10);
/** The last day that is over. */
const ENDED = '2026-06-19';
const WEEK = Array.from({ length: 7 }, (_, back) => daysBefore(ENDED, back));
const KWP = 9;
/** Places of buckets from 13:00 to 13:15 on the plants' clock. */
const isGlitch = (at: number): boolean => at >= 156 && at < 159;

/** Ways to tell powers wrongly on the last day, of plants that gave what their neighbours gave. */
const wrong: Readonly<Record<string, { misread: (watts: number, at: number) => number; isCounted?: boolean }>> = {
  Megawatts: { misread: (watts, at) => (isGlitch(at) ? 3e6 : watts) },
  Uncounted: { misread: (watts, at) => (isGlitch(at) ? 3e6 : watts), isCounted: false },
  Infinite: { misread: (watts, at) => (isGlitch(at) ? Number.POSITIVE_INFINITY : watts) },
  Negative: { misread: (watts, at) => (isGlitch(at) || at < 40 ? -2.5e5 : watts) },
  Stuck: { misread: (watts, at) => (at >= 156 ? 7_000 : watts) },
};
const right = ['A', 'B', 'C', 'D', 'E', 'F'];

let plants: PlantsFixture;
let token: string;
const roofs: Record<string, Roof> = {};

beforeAll(async () => {
  plants = await PlantsFixture.start();
  plants.time.nowMs = NOW_MS;
  const added = await plants.addInstaller();
  token = added.token;
  for (const [at, name] of [...right, ...Object.keys(wrong)].entries())
    roofs[name] = await addRoof(plants, added.installerId, name, { latitude: 48.1, longitude: 11.5 + at / 100 });
  await addRoofDays(
    plants,
    Object.entries(roofs).flatMap(([name, roof]) => [
      { roof, days: WEEK.slice(1), told: { isCounted: wrong[name]?.isCounted ?? true } },
      { roof, days: [ENDED], told: { ...wrong[name] } },
    ]),
  );
  await noteWrittenDays(
    plants.db,
    new Map(Object.values(roofs).map(({ id }) => [{ id, zone: 'Europe/Berlin' } as never, new Set(WEEK)])),
    NOW_MS - 86_400_000 + 3_600_000 * 14,
  );
  await workOff({
    db: plants.db,
    telemetry: plants.stores.telemetry.client,
    logger: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    nowMs: () => NOW_MS,
    ending: new AbortController().signal,
    longestMs: Number.POSITIVE_INFINITY,
  });
});
afterAll(() => plants?.stop());

const stationOf = (name: string) => ({ stationID: roofs[name]?.id ?? '' });
const evidenceOf = (name: string, date = ENDED) =>
  plants.read(insightEndpoints.evidence, { ...stationOf(name), date }, token);
/** What the calendar has of a day, Wh. */
async function accountedWh(name: string): Promise<number> {
  const answer = await plants.stores.telemetry.client.query({
    query: `SELECT sum(pv_wh) AS wh FROM site_5m FINAL WHERE site = ${roofs[name]?.key}
      AND toDate(ts, 'Europe/Berlin') = '${ENDED}' AND isFinite(pv_wh)`,
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ wh: number }>();
  return row?.wh ?? Number.NaN;
}

describe('a plant of which powers were told that cannot be', () => {
  test.each(Object.keys(wrong))('%s: has the energy, yield and performance ratio of what it gave', async (name) => {
    const [found, healthy] = [await evidenceOf(name), await evidenceOf('A')];
    expect((found.actualWh ?? 0) / (healthy.actualWh ?? 1)).toBeGreaterThan(0.94);
    expect((found.actualWh ?? 0) / (healthy.actualWh ?? 1)).toBeLessThan(1.02);
    expect((found.performanceRatio ?? 0) / (healthy.performanceRatio ?? 1)).toBeCloseTo(1, 1);
    expect(found.specificYield === null || found.specificYield < 1.02 * (healthy.specificYield ?? 0)).toBe(true);
    for (const value of found.curve.actual) expect(value ?? 0).toBeLessThanOrEqual(1.3);
    // Neighbours are not fooled by each other either.
    expect(found.expectedWh).toBeCloseTo(healthy.expectedWh ?? 0, -3);
    expect(found.lossWh ?? 0).toBeLessThan(0.06 * (found.expectedWh ?? 0));
  });

  test.each(['Megawatts', 'Uncounted', 'Stuck'])(
    '%s: says so, with what was told and what was counted',
    async (name) => {
      const found = await evidenceOf(name);
      expect(found.completeness).toBeLessThan(1);
      const reason = found.reasons.find(({ reason: each }) => each.kind === 'meter-wrong');
      expect(reason?.spans.length).toBeGreaterThan(0);
      const evidence = reason?.reason.kind === 'meter-wrong' ? reason.reason.evidence : undefined;
      expect(evidence?.counted?.toldWh).toBeGreaterThan(1.15 * (evidence?.counted?.countedWh ?? 0));
      expect(evidence?.counted?.countedWh).toBeLessThan(1.1 * ((await evidenceOf('A')).actualWh ?? 0));
      expect(found.reasons.some(({ reason: each }) => each.kind === 'offline')).toBe(false);
    },
  );

  test('has by its counters what the calendar has, less what inverters lose, and else says that it is of power', async () => {
    for (const name of [...right, 'Megawatts', 'Infinite', 'Negative', 'Stuck']) {
      const { actualWh, missing } = await evidenceOf(name);
      const share = (actualWh ?? 0) / (await accountedWh(name));
      expect(share).toBeGreaterThan(0.93);
      expect(share).toBeLessThanOrEqual(1);
      expect(missing).not.toContain('counters');
    }
    expect((await evidenceOf('Uncounted')).missing).toContain('counters');
  });

  test.each(Object.keys(wrong))(
    '%s: has no kink that cost more than the plant could give in that time',
    async (name) => {
      const { kinks } = await plants.read(kinkEndpoints.kinks, { ...stationOf(name), date: ENDED }, token);
      for (const { lostWh, fromMs, toMs } of kinks)
        expect(lostWh ?? 0).toBeLessThanOrEqual((1.3 * KWP * 1_000 * (toMs - fromMs)) / 3_600_000);
      const told = await plants.read(storyEndpoints.story, { ...stationOf(name), span: 'day', date: ENDED }, token);
      expect(JSON.stringify(told)).not.toContain('"drop"');
    },
  );

  test('stands in operations among its neighbours, and is no reason for them to stand out', async () => {
    const condition = { first: ENDED, last: ENDED };
    const { plants: rows } = await plants.read(
      insightEndpoints.list,
      { condition, currentPage: 1, pageSize: 50 },
      token,
    );
    expect(rows).toHaveLength(Object.keys(roofs).length);
    const healthy = rows.find(({ name }) => name === 'A');
    for (const { name, outlier, performanceRatio, specificYield } of rows) {
      expect({ name, outlier }).toEqual({ name, outlier: null });
      expect((performanceRatio ?? 0) / (healthy?.performanceRatio ?? 1)).toBeCloseTo(1, 1);
      expect(specificYield).toBeLessThan(1.02 * (healthy?.specificYield ?? 0));
    }
  });
});
