import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { attention, summary, week } from '@sonnenwarte/contract/fleet/fleet';
import { devices } from '@sonnenwarte/contract/sites/site-endpoints';
import { day, detail, figures, list, live } from '@sonnenwarte/contract/sites/sites';
import { points } from './load/series.ts';
import { benchmark } from './support/benchmark.ts';
import { firstMap } from './support/first-map.ts';
import {
  joinDistributor,
  knownDevices,
  makeDevices,
  makeDistributor,
  makeLatest,
  makePlants,
} from './support/fleet.ts';
import { storeHours } from './support/hours.ts';
import { administrator, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const largest = setting('BENCH_PLANTS', 100_000, 120);
const sizes = [12, 1_000, 10_000, 100_000].map((plants) =>
  Math.min(plants, sized(plants, 10 + Math.ceil(plants / 1_000))),
);
const calls = sized(60, 3);
const hours = sized(24, 24);
const DEVICES_PER_PLANT = 3;
/** Plants whose inverters have values of all points; those of the others have a few. */
const WHOLE_PLANTS = 12;
const FEW_POINTS = 4;

type Call = <const E extends Endpoint>(endpoint: E, input: Input<E>) => Promise<Result<E>>;

/** What a screen asks for at once when it is opened. */
type Screen = (call: Call) => Promise<unknown>[];

const listBy = (
  field: 'name' | 'pvPowerW' | 'state' | 'todayWh' | 'specificYieldToday' | 'installer',
  currentPage = 1,
): Screen => {
  return (call) => [call(list, { pageSize: 50, currentPage, sort: { field, order: 'desc' } })];
};
const listOf = (condition: Input<typeof list>['condition']): Screen => {
  return (call) => [call(list, { pageSize: 50, condition, sort: { field: 'pvPowerW', order: 'desc' } })];
};
const home: Screen = (call) => [call(summary, {}), call(attention, {}), call(week, {})];

const orders: Readonly<Record<string, Screen>> = {
  'by power': listBy('pvPowerW'),
  'by state': listBy('state'),
  'by yield today': listBy('specificYieldToday'),
  'by installer': listBy('installer'),
  'by energy today, page 200': listBy('todayWh', sized(200, 2)),
  'by name, page 200': listBy('name', sized(200, 2)),
  'by state, page 200': listBy('state', sized(200, 2)),
};
const filters: Readonly<Record<string, Screen>> = {
  'state fault': listOf({ state: 'fault' }),
  'a text that few have': listOf({ content: '0042' }),
  'a letter that all have, and normal': listOf({ content: 'a', state: 'normal' }),
  'a country': listOf({ country: 'DE' }),
};

/** List, home, map and plant as the fleet grows: times, and bytes of the answers. */
await benchmark('sizes', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  const names = points.map(({ name }) => name);
  let made = 0;
  let distributor: Call | undefined;

  /** The slowest of some screens. */
  async function tell(id: string, call: Call, screens: Readonly<Record<string, Screen>>): Promise<void> {
    let worst = { p95: -1, text: '' };
    for (const [name, ask] of Object.entries(screens)) {
      let bytes = 0;
      const times = await timed(calls, async () => {
        bytes = Buffer.byteLength(JSON.stringify(await Promise.all(ask(call))));
      });
      const { p50, p95, max } = percentiles(times);
      const which = Object.keys(screens).length > 1 ? `${name}: ` : '';
      const text = `${which}p50 ${shown(p50)} ms, slowest ${shown(max)} ms; ${shown(bytes / 1_024)} KiB of JSON`;
      if (p95 > worst.p95) worst = { p95, text };
    }
    bench.tell(id, worst.p95, worst.text);
    bench.say(`${id}: p95 ${shown(worst.p95)} ms, ${worst.text}`);
  }

  for (const [place, plants] of sizes.entries()) {
    if (plants > largest) {
      bench.note(`${plants} plants were not tried: BENCH_PLANTS was ${largest}`);
      continue;
    }
    bench.say(`making ${plants} plants`);
    await makePlants(portal.db, made + 1, plants - made);
    await makeLatest(portal.db, made + 1, plants - made);
    const whole = Math.max(0, Math.min(plants, WHOLE_PLANTS) - made);
    if (whole > 0) await makeDevices(portal.db, { first: made + 1, count: whole }, DEVICES_PER_PLANT, names);
    const others = { first: made + whole + 1, count: plants - made - whole };
    if (others.count > 0) await makeDevices(portal.db, others, 1, names.slice(0, FEW_POINTS));
    distributor ??= await portal.callsOf(await makeDistributor(portal.db, administrator.user));
    await joinDistributor(portal.db);
    made = plants;
    await storeHours(portal.dataDir, plants, hours);
    const stationID = (await knownDevices(portal.db))[0]?.siteId ?? '';
    const date = new Date().toISOString().slice(0, 10);
    const plant: Screen = (call) => [
      call(detail, { stationID }),
      call(live, { stationID }),
      call(figures, { stationID }),
      call(devices, { stationID }),
      call(day, { stationID, date }),
    ];
    await portal.longestStallMs();
    await tell(`sizes.list.${place}`, portal.call, orders);
    await tell(`sizes.filter.${place}`, portal.call, filters);
    await tell(`sizes.home.${place}`, portal.call, { home });
    await tell(`sizes.map.${place}`, portal.call, { map: (call) => [firstMap(call)] });
    await tell(`sizes.detail.${place}`, portal.call, { plant });
    await tell(`sizes.distributor.list.${place}`, distributor, { list: listBy('pvPowerW') });
    await tell(`sizes.distributor.home.${place}`, distributor, { home });
    bench.tell(`sizes.stall.${place}`, await portal.longestStallMs());
  }
});
