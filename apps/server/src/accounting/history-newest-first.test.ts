import { expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const own = ownIngestion();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SN = 'NEWEST-FIRST';
/** The counter grows by 1.2 kWh in an hour. */
const beganMs = Date.now() - 10 * DAY_MS;
const counterAt = (atMs: number): number => 100 + (1.2 * (atMs - beganMs)) / HOUR_MS;

async function tell(edge: TestEdge, times: readonly number[], hist: boolean): Promise<void> {
  const rows = times.map((ts) => ({
    ...{ ts, dev: SN, kind: 'inverter', hist },
    v: { 'DC/Power': 1_200, 'Energy/PvTotal': counterAt(ts) },
  }));
  await edge.client.publishAsync(`pv/v1/${edge.sn}/up`, JSON.stringify(rows), { qos: 1 });
}

const told = ({ siteId }: TestPlant) =>
  own.stores.db
    .selectFrom('site_latest')
    .select(['total_wh', 'history_percent'])
    .where('site_id', '=', siteId)
    .executeTakeFirst();

test('while a history comes the newest days first, a total that is not that of the counter is said to be preliminary', async () => {
  const plant = await makePlant(own.stores.db);
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  const nowMs = Date.now();
  const totalWh = 1_000 * counterAt(nowMs);
  const isExact = (wh: number | null | undefined) => Math.abs((wh ?? Number.NaN) - totalWh) < 1;
  await tell(
    edge,
    Array.from({ length: 13 }, (_, step) => nowMs - (12 - step) * 5 * MINUTE_MS),
    false,
  );
  await until(async () => isExact((await told(plant))?.total_wh), 'the total of now');

  let isOver = false;
  const moved: number[] = [];
  const unmarked: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      const seen = await told(plant);
      if (seen === undefined || isExact(seen.total_wh)) continue;
      (seen.history_percent === null ? unmarked : moved).push(seen.total_wh ?? 0);
    }
  })();
  for (const day of [1, 2, 3]) {
    for (const quarter of [0, 1, 2, 3]) {
      const fromMs = nowMs - day * DAY_MS + quarter * 5 * HOUR_MS;
      await tell(
        edge,
        Array.from({ length: 60 }, (_, step) => fromMs + step * 5 * MINUTE_MS),
        true,
      );
      await until(
        async () => ((await told(plant))?.history_percent ?? null) !== null,
        'a history that is said to come',
      );
    }
  }
  await until(async () => (await told(plant))?.history_percent === null, 'the end of the history');
  isOver = true;
  await watching;
  await edge.end();
  expect(unmarked).toEqual([]);
  expect(isExact((await told(plant))?.total_wh)).toBe(true);
});
