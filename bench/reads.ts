import { login } from '@sonnenwarte/contract/accounts/own-account';
import { historyRaw } from '@sonnenwarte/contract/devices/devices';
import { summary } from '@sonnenwarte/contract/fleet/fleet';
import { sortFieldsOf } from '@sonnenwarte/contract/kinds';
import { siteFields } from '@sonnenwarte/contract/sites/site';
import { devices as plantDevices } from '@sonnenwarte/contract/sites/site-endpoints';
import { day, list } from '@sonnenwarte/contract/sites/sites';
import { callApi } from '../e2e/support/api.ts';
import { points } from './load/series.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { type KnownDevice, knownDevices, makeDevices, makeLatest, makePlants } from './support/fleet.ts';
import { storeHistory } from './support/history.ts';
import { administrator, type BenchPortal, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { storedBytes } from './support/telemetry.ts';
import { timed } from './support/timed.ts';

const calls = sized(200, 5);
const triesOfList = sized(20, 2);
const WORST_FEW = 3;
const historyDevices = setting('BENCH_READ_DEVICES', 1_000, 10);
const historyDays = setting('BENCH_READ_DAYS', 90, 3);
const stepS = setting('BENCH_READ_STEP_S', 60, 300);
const smallFleet = sized(10_000, 200);
const largeFleet = sized(100_000, 400);
const bigPlantDevices = 500;
const signIns = sized(200, 4);
const DAY_MS = 86_400_000;

const curveVariables = [
  'AC/ActivePower',
  'DC/Power',
  'AC/L1/Voltage',
  'AC/L1/Current',
  'DC/Mppt1/Voltage',
  'DC/String1/Current',
];

const timesText = (times: readonly number[]): string => {
  const { p50, max } = percentiles(times);
  return `${times.length} calls, p50 ${shown(p50)} ms, slowest ${shown(max)} ms`;
};

/** Of several calls the one whose 95th percentile is the worst: all are tried, the worst few are measured. */
async function slowest(
  variants: readonly { name: string; call(): Promise<unknown> }[],
): Promise<{ p95: number; detail: string }> {
  const tried: { p95: number; name: string; call(): Promise<unknown> }[] = [];
  for (const { name, call } of variants) {
    tried.push({ p95: percentiles(await timed(triesOfList, call)).p95, name, call });
  }
  tried.sort((one, other) => other.p95 - one.p95);
  let worst = { p95: -1, detail: '' };
  for (const { name, call } of tried.slice(0, WORST_FEW)) {
    const times = await timed(calls, call);
    const { p95 } = percentiles(times);
    if (p95 > worst.p95) worst = { p95, detail: `slowest of ${variants.length}: ${name}; ${timesText(times)}` };
  }
  return worst;
}

function listVariants(portal: BenchPortal) {
  const page = { pageSize: 50 } as const;
  const sorted = sortFieldsOf(siteFields).flatMap((field) =>
    (['asc', 'desc'] as const).map((order) => ({
      name: `by ${field} ${order}`,
      call: () => portal.call(list, { ...page, sort: { field, order } }),
    })),
  );
  const conditions = [
    { name: 'state fault', condition: { state: 'fault' } },
    { name: 'status abnormal', condition: { status: 2 } },
    { name: 'text in any column', condition: { content: '0042' } },
    { name: 'text that nothing matches', condition: { content: 'zzzz' } },
    { name: 'country', condition: { country: 'DE' } },
    { name: 'type and city', condition: { type: 2, contentType: 3, content: 'bari' } },
  ] as const;
  const filtered = conditions.map(({ name, condition }) => ({
    name: `filter ${name} by power`,
    call: () => portal.call(list, { ...page, condition, sort: { field: 'pvPowerW', order: 'desc' } }),
  }));
  const deep = { name: 'page 200 by state', call: () => portal.call(list, { ...page, currentPage: sized(200, 4) }) };
  return [...sorted, ...filtered, deep];
}

async function readCurves(bench: Bench, portal: BenchPortal, all: readonly KnownDevice[]): Promise<void> {
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - historyDays * DAY_MS;
  const startedMs = performance.now();
  await storeHistory({
    dataDir: portal.dataDir,
    devices: all,
    startMs,
    days: historyDays,
    stepS,
    stored(dayIndex) {
      if ((dayIndex + 1) % 10 === 0) bench.say(`${dayIndex + 1} days stored`);
    },
  });
  const samples = all.length * historyDays * Math.floor(86_400 / stepS);
  const bytes = await storedBytes(portal.dataDir);
  bench.note(
    `${samples} samples of ${all.length} devices over ${historyDays} days in storage (${shown((bytes.raw + bytes.rollups) / 2 ** 20)} MiB), written in ${Math.round((performance.now() - startedMs) / 1000)} s by the engine itself`,
  );
  await portal.longestStallMs();
  const dateOf = (at: number) => new Date(startMs + (1 + ((at * 7) % Math.max(1, historyDays - 2))) * DAY_MS);
  const deviceOf = (at: number): KnownDevice => {
    const device = all[(at * 13) % all.length];
    if (device === undefined) throw new Error('there are no devices');
    return device;
  };
  let values = 0;
  const history = await timed(calls, async (at) => {
    const date = dateOf(at);
    const beginDate = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
    const answer = await portal.call(historyRaw, {
      deviceID: deviceOf(at).id,
      variables: curveVariables,
      timespan: 'day',
      beginDate,
    });
    values = answer.reduce((sum, { data }) => sum + data.length, 0);
  });
  if (values === 0) throw new Error('the day curve of a device is empty');
  bench.tell('reads.history', percentiles(history).p95, `${timesText(history)}, ${values} values in the answer`);
  let known = 0;
  const plantDay = await timed(calls, async (at) => {
    const date = dateOf(at).toISOString().slice(0, 10);
    const answer = await portal.call(day, { stationID: deviceOf(at).siteId, date });
    known = answer.pvW.filter((value) => value !== null).length;
  });
  if (known === 0) throw new Error('the day curve of a plant is empty');
  bench.tell('reads.day', percentiles(plantDay).p95, `${timesText(plantDay)}, ${known} points of 8 curves`);
}

async function readFleet(bench: Bench, portal: BenchPortal, size: '10k' | '100k', plants: number): Promise<void> {
  const { total } = await portal.call(list, {});
  if (total < plants) throw new Error(`the list has ${total} of ${plants} plants`);
  await portal.longestStallMs();
  const { p95, detail } = await slowest(listVariants(portal));
  bench.tell(`reads.list.${size}`, p95, `${total} plants; ${detail}`);
  const fleet = await timed(calls, () => portal.call(summary, {}));
  bench.tell(`reads.fleet.${size}`, percentiles(fleet).p95, timesText(fleet));
  bench.tell(`reads.stall.${size}`, await portal.longestStallMs());
}

await benchmark('reads', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, smallFleet);
  await makeLatest(portal.db, 1, smallFleet);
  const names = points.map(({ name }) => name);
  await makeDevices(portal.db, { first: 1, count: historyDevices }, 1, names);
  await readCurves(bench, portal, await knownDevices(portal.db));
  bench.tell('reads.stall.curves', await portal.longestStallMs());

  const bigPlant = smallFleet + 1;
  await makePlants(portal.db, bigPlant, 1);
  await makeDevices(portal.db, { first: bigPlant, count: 1 }, bigPlantDevices, names);
  const stationID = (await knownDevices(portal.db)).at(-1)?.siteId ?? '';
  let rows = 0;
  const latest = await timed(calls, async () => {
    rows = (await portal.call(plantDevices, { stationID })).devices.length;
  });
  if (rows !== bigPlantDevices) throw new Error(`${rows} of ${bigPlantDevices} devices in the answer`);
  bench.tell('reads.latest', percentiles(latest).p95, `one plant of ${rows} devices; ${timesText(latest)}`);

  bench.say('signing in');
  const signIn = () => callApi(portal.url, login, administrator);
  const single = await timed(signIns, signIn);
  bench.tell('reads.signin', percentiles(single).p95, timesText(single));
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let at = 0; at < signIns / 4; at += 1) await signIn();
    }),
  );
  bench.tell('reads.signin.rate', (signIns * 1000) / (performance.now() - startedMs));

  await readFleet(bench, portal, '10k', smallFleet);
  bench.say(`making ${largeFleet} plants`);
  await makePlants(portal.db, bigPlant + 1, largeFleet - smallFleet - 1);
  await makeLatest(portal.db, bigPlant, largeFleet - smallFleet);
  await readFleet(bench, portal, '100k', largeFleet);
});
