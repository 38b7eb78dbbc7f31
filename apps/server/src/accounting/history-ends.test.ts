import { localDay } from '@sonnenwarte/energy/calendar';
import { expect, test } from 'vitest';
import { TestEdge, until } from '../testing/edge.ts';
import { makePlant, type TestPlant } from '../testing/ingestion.ts';
import { ownIngestion } from '../testing/own-ingestion.ts';

const own = ownIngestion();

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface Told {
  sn: string;
  atMs: number;
  minute: number;
  hist: boolean;
}

async function tell(edge: TestEdge, rows: readonly Told[]): Promise<void> {
  const message = rows.map(({ sn, atMs, minute, hist }) => ({
    ts: atMs,
    dev: sn,
    kind: 'inverter',
    hist,
    v: { 'DC/Power': 1_200, 'Energy/PvTotal': 100 + minute / 50 },
  }));
  await edge.client.publishAsync(`pv/v1/${edge.sn}/up`, JSON.stringify(message), { qos: 1 });
}

/** Two hours of a month ago. */
const oldStretch = (sn: string): Told[] =>
  Array.from({ length: 25 }, (_, step) => ({
    sn,
    atMs: Date.now() - 30 * DAY_MS + 5 * step * MINUTE_MS,
    minute: 5 * step,
    hist: true,
  }));

const stateOf = ({ siteId }: TestPlant) =>
  own.stores.db
    .selectFrom('site_latest')
    .select(['history_percent', 'local_day'])
    .where('site_id', '=', siteId)
    .executeTakeFirst();

const hasBegun = (plant: TestPlant) =>
  until(async () => ((await stateOf(plant))?.history_percent ?? null) !== null, 'the beginning of the history');

/** Goes on telling of now until nothing is said to be coming any more. */
async function tellUntilEnded(plant: TestPlant, edge: TestEdge, sn: string, hist: boolean): Promise<void> {
  let minute = 50_000;
  while ((await stateOf(plant))?.history_percent !== null) {
    await tell(edge, [{ sn, atMs: Date.now(), minute, hist }]);
    minute += 1;
  }
}

test('the history of a device that kept an old stretch only ends, whoever of its datalogger goes on and whatever that is called', async () => {
  const cases = [
    { goesOn: 'BACK-1', hist: false },
    { goesOn: 'BACK-2', hist: true },
    { goesOn: 'BACK-3B', hist: true },
  ];
  await Promise.all(
    cases.map(async ({ goesOn, hist }) => {
      const plant = await makePlant(own.stores.db);
      const edge = await TestEdge.connect(own.ingestion.port, plant.sn);
      await tell(edge, oldStretch(goesOn.slice(0, 6)));
      await hasBegun(plant);
      await tellUntilEnded(plant, edge, goesOn, hist);
      await edge.end();
      expect((await stateOf(plant))?.local_day).toBe(localDay(Date.now(), 'Europe/Berlin'));
    }),
  );
}, 180_000);
