import { localDay } from '@sonnenwarte/energy/calendar';
import { expect, test } from 'vitest';
import { TestEdge } from '../testing/edge.ts';
import { makePlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const own = ownIngestion();

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

test('a day that late values change is due again, and no other: neither the running day nor one of which nothing came', async () => {
  const plant = await makePlant(own.stores.db);
  const other = await makePlant(own.stores.db);
  const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
  const { time_zone: zone } = await own.stores.db
    .selectFrom('sites')
    .select('time_zone')
    .where('id', '=', plant.siteId)
    .executeTakeFirstOrThrow();
  const day = localDay(Date.now() - 4 * DAY_MS, zone);
  const noonMs = Date.parse(`${day}T12:00:00Z`);
  const tell = async (times: readonly number[]): Promise<void> => {
    const message = times.map((ts, step) => ({
      ts,
      dev: 'LATE-1',
      kind: 'inverter',
      v: { 'DC/Power': 1_200, 'Energy/PvTotal': 100 + (ts - noonMs) / 3_600_000 + step / 100 },
    }));
    await edge.client.publishAsync(`pv/v1/${edge.sn}/up`, JSON.stringify(message), { qos: 1 });
    await own.ingestion.drain();
  };
  const due = () =>
    own.stores.db
      .selectFrom('insight_due')
      .select(({ ref }) => ['site_id', ref('day').as('day')])
      .where('site_id', 'in', [plant.siteId, other.siteId])
      .execute();
  const nowMs = Date.now();
  await tell([nowMs - 2 * MINUTE_MS, nowMs - MINUTE_MS]);
  await own.stores.db.deleteFrom('insight_due').where('site_id', '=', plant.siteId).execute();

  await tell([noonMs, noonMs + 5 * MINUTE_MS, noonMs + 10 * MINUTE_MS]);
  const days = (await due()).map(({ site_id, day: found }) => [site_id, String(found)]);
  expect(days).toContainEqual([plant.siteId, day]);
  expect(days.map(([site]) => site)).not.toContain(other.siteId);
  expect(days.map(([, found]) => found)).not.toContain(localDay(nowMs, zone));
});
