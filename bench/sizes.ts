import { attention, summary, week } from '@sonnenwarte/contract/fleet/fleet';
import { devices } from '@sonnenwarte/contract/sites/site-endpoints';
import { positions } from '@sonnenwarte/contract/sites/site-places';
import { day, detail, figures, list, live } from '@sonnenwarte/contract/sites/sites';
import { points } from './load/series.ts';
import { benchmark } from './support/benchmark.ts';
import { knownDevices, makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { storeHours } from './support/hours.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const largest = setting('BENCH_PLANTS', 100_000, 120);
const sizes = [12, 1_000, 10_000, 100_000].map((plants) =>
  Math.min(plants, sized(plants, 10 + Math.ceil(plants / 1_000))),
);
const calls = sized(100, 3);
const hours = sized(168, 24);
const DEVICES_PER_PLANT = 3;

/** What each screen asks for at once when it is opened. */
const screens = {
  list: (portal: BenchPortal) => [portal.call(list, { pageSize: 50, sort: { field: 'pvPowerW', order: 'desc' } })],
  home: (portal: BenchPortal) => [portal.call(summary, {}), portal.call(attention, {}), portal.call(week, {})],
  map: (portal: BenchPortal) => [portal.call(positions, {})],
  detail: (portal: BenchPortal, stationID: string) => [
    portal.call(detail, { stationID }),
    portal.call(live, { stationID }),
    portal.call(figures, { stationID }),
    portal.call(devices, { stationID }),
    portal.call(day, { stationID, date: new Date().toISOString().slice(0, 10) }),
  ],
} as const;

/** List, home, map and plant as the fleet grows: times, and bytes of the answers. */
await benchmark('sizes', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  let made = 0;
  for (const [place, plants] of sizes.entries()) {
    if (plants > largest) {
      bench.note(`${plants} plants were not tried: BENCH_PLANTS was ${largest}`);
      continue;
    }
    bench.say(`making ${plants} plants`);
    await makePlants(portal.db, made + 1, plants - made);
    await makeLatest(portal.db, made + 1, plants - made);
    if (made === 0) {
      const names = points.map(({ name }) => name);
      await makeDevices(portal.db, { first: 1, count: plants }, DEVICES_PER_PLANT, names);
    }
    made = plants;
    await storeHours(portal.dataDir, plants, hours);
    const stationID = (await knownDevices(portal.db))[0]?.siteId ?? '';
    for (const [screen, ask] of Object.entries(screens)) {
      let bytes = 0;
      const times = await timed(calls, async () => {
        const answers = await Promise.all(ask(portal, stationID));
        bytes = Buffer.byteLength(JSON.stringify(answers));
      });
      const { p50, p95, max } = percentiles(times);
      bench.tell(
        `sizes.${screen}.${place}`,
        p95,
        `p50 ${shown(p50)} ms, slowest ${shown(max)} ms; ${shown(bytes / 1_024)} KiB of JSON`,
      );
    }
    bench.tell(`sizes.stall.${place}`, await portal.longestStallMs());
  }
});
