import { gzipSync } from 'node:zlib';
import { week } from '@sonnenwarte/contract/fleet/fleet';
import { trend } from '@sonnenwarte/contract/install-trend/install-trend';
import { cells, mapView } from '@sonnenwarte/contract/sites/site-places';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { untilSettled } from '../e2e/support/settled.ts';
import { textOf } from '../e2e/support/texts.ts';
import { benchmark } from './support/benchmark.ts';
import { openBrowser } from './support/browser.ts';
import { firstMap } from './support/first-map.ts';
import { joinDistributor, makeDistributor, makeLatest, makePlants, makeWeeks } from './support/fleet.ts';
import { storeHours } from './support/hours.ts';
import { openPage } from './support/paint.ts';
import { administrator, type BenchPortal, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 100_000, 300);
const sizes = [12, 1_000, 10_000, 100_000].map((count) => Math.min(count, sized(count, 10 + Math.ceil(count / 1_000))));
/** From so many plants on the frames are counted. */
const drawn = sized(10_000, 20);
const calls = sized(40, 3);
const HOURS = sized(168, 24);
const MOVES = sized(120, 10);

/** Parts of the map in which the plants are, as a window shows them. */
const parts = {
  all: { view: { south: 44, west: 3, north: 55, east: 22 }, zoom: 6 },
  country: { view: { south: 46, west: 8, north: 50, east: 15 }, zoom: 8 },
  town: { view: { south: 47.4, west: 10.4, north: 47.5, east: 10.6 }, zoom: 13 },
} as const;

/** Times between the frames that are drawn while the map is dragged, ms. */
async function framesOf(page: Page): Promise<number[]> {
  const box = await page.getByRole('group', { name: textOf('plant-map.label', 'en') }).boundingBox();
  if (!box) throw new Error('there is no map');
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const tick = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    Object.assign(globalThis, { frames });
  });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let move = 0; move < MOVES; move += 1) {
    await page.mouse.move(x + 150 * Math.sin(move / 10), y + 60 * Math.cos(move / 7));
  }
  await page.mouse.up();
  return (await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)).slice(2);
}

/** The map with its answers, the growth of the fleet and its week, at the size of a large platform. */
await benchmark('map', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const browser = await openBrowser(bench);

  const told = async (id: string, ask: () => Promise<object>): Promise<void> => {
    let answer = {};
    const times = await timed(calls, async () => {
      answer = await ask();
    });
    const { p50, p95, max } = percentiles(times);
    const kB = gzipSync(JSON.stringify(answer)).length / 1_000;
    bench.tell(id, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms; ${shown(kB)} kB compressed`);
  };

  const opened = async (count: number): Promise<Page> => {
    const { page } = await openPage(browser, portal.url, 'desktop', {
      token: await portal.session(),
      access: '255',
      language: 'en',
    });
    await page.goto(`${portal.url}/bus/plant/gaudeMap`);
    await untilSettled(page);
    await page.getByRole('heading', { name: new RegExp(`${count.toLocaleString('en')}$`) }).waitFor();
    return page;
  };

  let made = 0;
  let distributor: BenchPortal['call'] | undefined;
  for (const [place, count] of sizes.entries()) {
    if (count > plants) {
      bench.note(`${count} plants were not tried: BENCH_PLANTS was ${plants}`);
      continue;
    }
    bench.say(`making ${count} plants`);
    await makePlants(portal.db, made, count - made);
    await makeLatest(portal.db, made, count - made);
    await makeWeeks(portal.db);
    await sql`vacuum analyze sites, site_latest, site_insights`.execute(portal.db);
    distributor ??= await portal.callsOf(await makeDistributor(portal.db, administrator.user));
    await joinDistributor(portal.db);
    made = count;
    await told(`map.open.${place}`, () => firstMap(portal.call));
    if (count < drawn) continue;
    const page = await opened(count);
    for (const near of [false, true]) {
      if (near) {
        await page.getByRole('group', { name: textOf('plant-map.label', 'en') }).focus();
        for (let step = 0; step < 2; step += 1) await page.keyboard.press('+');
        await untilSettled(page);
      }
      const { p50, p95, max } = percentiles(await framesOf(page));
      const id = `map.frame.${near ? 'near' : 'all'}.${place}`;
      bench.tell(id, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms`);
    }
    await page.close();
  }

  await portal.longestStallMs();
  for (const [who, call] of [
    ['administrator', portal.call],
    ['distributor', distributor ?? portal.call],
  ] as const) {
    for (const [part, { view, zoom }] of Object.entries(parts))
      await told(`map.view.${part}.${who}`, () => call(mapView, { view, zoom }));
  }
  await sql`update sites set commissioned_on = date '2015-01-01' + (key * 37 % 4300)::int`.execute(portal.db);
  const reads = [
    ['cells', () => portal.call(cells, {})],
    ['trend', () => portal.call(trend, { condition: { by: 'country' } })],
  ] as const;
  for (const [name, call] of reads) {
    const { p50, p95, max } = percentiles(await timed(calls, call));
    bench.tell(`map.${name}`, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms`);
  }
  bench.tell('map.stall', await portal.longestStallMs());

  bench.say(`storing ${HOURS} hours of ${plants} plants`);
  await storeHours(portal.dataDir, plants, HOURS);
  const [firstMs = 0, ...laterMs] = await timed(calls, () => portal.call(week, {}));
  bench.tell('map.week', firstMs, `then p95 ${shown(percentiles(laterMs).p95)} ms until it is worked out anew`);
  bench.tell('map.week.stall', await portal.longestStallMs());
});
