import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveEvent } from '@sonnenwarte/contract/live/live';
import { brokerAddress, Load } from './load/load.ts';
import type { LoadStats } from './load/messages.ts';
import { fillValues, points, VALUES } from './load/series.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { knownDevices, makePlants } from './support/fleet.ts';
import { openStream } from './support/live-streams.ts';
import { deviceSn } from './support/names.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { percentiles, shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { compareStored } from './support/stored.ts';
import { coresText, watchUsage } from './support/usage.ts';

const dataloggers = setting('BENCH_LOGGERS', 10_000, 60);
const seconds = setting('BENCH_SECONDS', 300, 8);
const intervalS = setting('BENCH_INTERVAL_S', 60, 2);
const processes = sized(3, 2);
const stormDataloggers = Math.floor(dataloggers / 2);
const connectsPerSecond = sized(400, 100);
const devicesPerDatalogger = 4;
const streams = sized(4, 1);
const sitesPerStream = sized(50, 10);
const SPARE_FILES = 500;

function openFileLimit(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const found = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return found === 'unlimited' ? Number.POSITIVE_INFINITY : Number(found ?? 1024);
}

interface Watched {
  siteMs: number[];
  deviceMs: number[];
  wrong: number;
}

/** Opens streams on plants spread over the fleet, and on the first inverter of each. */
async function watchPlants(bench: Bench, portal: BenchPortal, countFromMs: number): Promise<Watched> {
  const watched: Watched = { siteMs: [], deviceMs: [], wrong: 0 };
  const bySn = new Map((await knownDevices(portal.db)).map((device) => [device.sn, device]));
  const count = streams * sitesPerStream;
  const chosen = Array.from({ length: count }, (_, at) => 1 + Math.floor((at * dataloggers) / count)).flatMap(
    (datalogger) => {
      const device = bySn.get(deviceSn(datalogger, 0));
      return device === undefined ? [] : [{ datalogger, device }];
    },
  );
  if (chosen.length < count) throw new Error(`${chosen.length} of ${count} watched plants have devices`);
  const numberOf = new Map(chosen.map(({ datalogger, device }) => [device.id, datalogger * devicesPerDatalogger]));
  const newest = new Map<string, number>();
  const isNews = (key: string, tsMs: number | null): tsMs is number => {
    if (tsMs === null || tsMs < countFromMs || tsMs <= (newest.get(key) ?? 0)) return false;
    newest.set(key, tsMs);
    return true;
  };
  const hear = (event: LiveEvent, arrivedMs: number) => {
    if (event.type === 'site') {
      const { stationID, asOfMs } = event.site;
      if (isNews(stationID, asOfMs)) watched.siteMs.push(arrivedMs - asOfMs);
    } else if (event.type === 'device') {
      const { deviceID } = event.device;
      const newestMs = event.values.reduce((latest, { tsMs }) => Math.max(latest, tsMs), 0);
      if (!isNews(deviceID, newestMs)) return;
      watched.deviceMs.push(arrivedMs - newestMs);
      if (!areThose(event, numberOf.get(deviceID) ?? 0, newestMs)) watched.wrong += 1;
    }
  };
  for (let stream = 0; stream < streams; stream += 1) {
    const part = chosen.slice(stream * sitesPerStream, (stream + 1) * sitesPerStream);
    for (const subjects of [
      part.map(({ device }) => `site:${device.siteId}`),
      part.map(({ device }) => `device:${device.id}`),
    ]) {
      const opened = await openStream(portal.url, await portal.session(), subjects, hear);
      bench.atEnd(() => opened.close());
    }
  }
  return watched;
}

const expected = new Float64Array(VALUES);

/** Whether an event tells exactly the values that the generator sent at the time. */
function areThose(event: Extract<LiveEvent, { type: 'device' }>, device: number, tsMs: number): boolean {
  fillValues(device, tsMs, expected);
  const told = new Map(event.values.map(({ variable, value }) => [variable, Number(value)]));
  return points.every(({ name }, index) => {
    const value = told.get(name);
    return value !== undefined && Math.abs(value - (expected[index] ?? 0)) <= 1e-6 * Math.max(1, Math.abs(value));
  });
}

const total = (stats: readonly LoadStats[], value: (of: LoadStats) => number): number =>
  stats.reduce((sum, each) => sum + value(each), 0);

await benchmark('live', async (bench) => {
  const limit = openFileLimit();
  bench.say(`open files allowed: ${limit}`);
  if (limit < dataloggers + SPARE_FILES) {
    throw new Error(`${dataloggers} connections need "ulimit -n ${dataloggers + SPARE_FILES}"; it is ${limit}`);
  }
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, dataloggers);
  const share = Math.ceil(dataloggers / processes);
  const loads = Array.from(
    { length: processes },
    (_, at) =>
      new Load(bench, {
        ...brokerAddress(portal.mqttUrl),
        firstDatalogger: 1 + at * share,
        dataloggers: Math.min(share, dataloggers - at * share),
        devicesPerDatalogger,
        qos: 1,
        intervalS,
        startMs: 0,
        stepMs: intervalS * 1000,
        window: 64,
      }),
  );
  const all = (order: Parameters<Load['order']>[0]) => Promise.all(loads.map((load) => load.order(order)));
  const watch = watchUsage(
    portal.pid,
    loads.map(({ pid }) => pid),
  );
  const connecting = await all({ do: 'connect', perSecond: connectsPerSecond / processes });
  const connectS = Math.max(...connecting.map((stats) => stats.seconds));
  bench.tell(
    'live.connected',
    total(connecting, (stats) => stats.connected),
  );
  bench.tell('live.connect', connectS, `asked for ${connectsPerSecond} connections a second`);
  bench.say(`${total(connecting, (stats) => stats.connected)} loggers in ${connectS.toFixed(1)} s`);
  while ((await portal.metric('ingest_queued_samples')) > 0) await delay(100);
  await delay(sized(10_000, 500));

  const watched = await watchPlants(bench, portal, Date.now());
  const reporting = await all({ do: 'report', seconds });
  await delay(2_000);
  await portal.metric('ingest_queued_samples');
  const stallMs = await portal.longestStallMs();
  const usage = watch.end();
  const site = percentiles(watched.siteMs);
  const device = percentiles(watched.deviceMs);
  const detail = (events: number, p: ReturnType<typeof percentiles>) =>
    `${events} events in ${seconds} s, p50 ${shown(p.p50)} ms, slowest ${shown(p.max)} ms; ${coresText(usage)}`;
  if (watched.siteMs.length === 0 || watched.deviceMs.length === 0) throw new Error('no event arrived');
  bench.tell('live.site.p99', site.p99, detail(watched.siteMs.length, site));
  bench.tell('live.device.p99', device.p99, detail(watched.deviceMs.length, device));
  bench.tell('live.wrong', watched.wrong, `${watched.deviceMs.length} events of ${VALUES} values compared`);
  bench.tell(
    'live.memory',
    usage.server.peakMiB,
    `engine ${shown(usage.engine.peakMiB)} MiB, PostgreSQL ${shown(usage.postgres.peakMiB)} MiB beside it`,
  );
  bench.tell('live.stall', stallMs, 'from the first connection to the last report');
  const lost = dataloggers - total(reporting, (stats) => stats.connected);
  if (lost > 0) bench.note(`${lost} loggers lost their connection while they reported`);
  const late = total(reporting, (stats) => stats.late);
  if (late > 0) bench.note(`the generator sent ${late} reports late`);

  bench.say(`storm of ${stormDataloggers}`);
  const storms = await Promise.all(
    loads.map((load) => load.order({ do: 'storm', dataloggers: Math.ceil(stormDataloggers / processes) })),
  );
  const back = total(storms, (stats) => stats.connected);
  const stormS = Math.max(...storms.map((stats) => stats.seconds));
  bench.tell('live.storm', stormS, `${back} of ${dataloggers} connected afterwards, ${stormDataloggers} cut at once`);
  await all({ do: 'report', seconds: sized(30, 2) });
  while ((await portal.metric('ingest_queued_samples')) > 0) await delay(100);
  const end = await all({ do: 'end' });
  const stored = await compareStored(
    portal,
    loads.map((load, at) => ({ options: load.options, ackedByDevice: end[at]?.ackedByDevice ?? [] })),
  );
  bench.tell('live.storm.missing', stored.missing, `${total(end, (stats) => stats.acked)} acknowledged`);
});
