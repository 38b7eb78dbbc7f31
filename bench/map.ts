import { week } from '@sonnenwarte/contract/fleet/fleet';
import { trend } from '@sonnenwarte/contract/install-trend/install-trend';
import { cells, positions } from '@sonnenwarte/contract/sites/site-places';
import { sql } from 'kysely';
import { untilSettled } from '../e2e/support/settled.ts';
import { textOf } from '../e2e/support/texts.ts';
import { benchmark } from './support/benchmark.ts';
import { openBrowser } from './support/browser.ts';
import { makeLatest, makePlants } from './support/fleet.ts';
import { storeHours } from './support/hours.ts';
import { openPage } from './support/paint.ts';
import { openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const plants = setting('BENCH_PLANTS', 100_000, 300);
const drawn = sized(10_000, 300);
const calls = sized(40, 3);
const HOURS = sized(168, 24);
const MOVES = sized(120, 10);

/** The map with its answers, the growth of the fleet and its week, at the size of a large platform. */
await benchmark('map', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const browser = await openBrowser(bench);

  bench.say(`making ${drawn} plants`);
  await makePlants(portal.db, 0, drawn);
  await makeLatest(portal.db, 0, drawn);
  const { page } = await openPage(browser, portal.url, 'desktop', {
    token: await portal.session(),
    access: '255',
    language: 'en',
  });
  await page.goto(`${portal.url}/bus/plant/gaudeMap`);
  await untilSettled(page);
  await page.getByRole('heading', { name: new RegExp(`${drawn.toLocaleString('en')}$`) }).waitFor();
  const map = page.getByRole('group', { name: textOf('plant-map.label', 'en') });
  const box = await map.boundingBox();
  if (!box) throw new Error('there is no map');
  for (const place of ['all', 'near'] as const) {
    if (place === 'near') for (let step = 0; step < 2; step += 1) await page.keyboard.press('+');
    await untilSettled(page);
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
    const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames);
    const { p50, p95, max } = percentiles(frames.slice(2));
    bench.tell(`map.frame.${place}`, p95, `p50 ${shown(p50)} ms, slowest ${shown(max)} ms, ${frames.length} frames`);
    if (place === 'all') await map.click();
  }
  await page.close();

  bench.say(`making ${plants} plants`);
  if (plants > drawn) {
    await makePlants(portal.db, drawn, plants - drawn);
    await makeLatest(portal.db, drawn, plants - drawn);
  }
  await sql`update sites set commissioned_on = date '2015-01-01' + (key * 37 % 4300)::int`.execute(portal.db);
  await sql`vacuum analyze sites, site_latest`.execute(portal.db);
  await portal.longestStallMs();
  const reads = [
    ['positions', () => portal.call(positions, {})],
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
