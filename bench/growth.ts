import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { summary } from '@sonnenwarte/contract/fleet/fleet';
import { list } from '@sonnenwarte/contract/sites/sites';
import { brokerAddress, Load } from './load/load.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { makePlants } from './support/fleet.ts';
import { type ChartLine, growthChart } from './support/growth-chart.ts';
import { openPortal } from './support/portal.ts';
import { quantile } from './support/quantiles.ts';
import { isSmoke, setting, sized } from './support/settings.ts';
import { timed } from './support/timed.ts';

const DEMO_PLANTS = 12;
const DEVICES_PER_PLANT = 3;
const scales = [1, 10, 100] as const;
const seconds = setting('BENCH_SECONDS', 20, 2);
const calls = sized(200, 10);
const picture = join(import.meta.dirname, '../docs/pictures/growth.svg');

interface Point {
  plants: number;
  samplesPerSecond: number;
  listMs: number;
  fleetMs: number;
}

async function measure(bench: Bench, plants: number): Promise<Point> {
  const portal = await openPortal(bench, `portal-${plants}`);
  await makePlants(portal.db, 1, plants);
  const load = new Load(bench, {
    ...brokerAddress(portal.mqttUrl),
    firstDatalogger: 1,
    dataloggers: plants,
    devicesPerDatalogger: DEVICES_PER_PLANT,
    qos: 0,
    intervalS: 10,
    startMs: Math.floor((Date.now() - 240 * 3_600_000) / 300_000) * 300_000,
    stepMs: 10_000,
    window: 1,
  });
  await load.order({ do: 'connect', perSecond: 200 });
  const before = await portal.metric('ingest_samples_total', 'inverter');
  const startedMs = performance.now();
  await load.order({ do: 'push', seconds });
  while ((await portal.metric('ingest_queued_samples')) > 0) await delay(50);
  const samples = (await portal.metric('ingest_samples_total', 'inverter')) - before;
  const samplesPerSecond = (samples * 1000) / (performance.now() - startedMs);
  await load.order({ do: 'end' });
  await delay(sized(5_000, 500));
  const listTimes = await timed(calls, () =>
    portal.call(list, { pageSize: 50, sort: { field: 'pvPowerW', order: 'desc' } }),
  );
  const fleetTimes = await timed(calls, () => portal.call(summary, {}));
  await portal.stop();
  return { plants, samplesPerSecond, listMs: quantile(listTimes, 0.95), fleetMs: quantile(fleetTimes, 0.95) };
}

await benchmark('growth', async (bench) => {
  const found: Point[] = [];
  for (const scale of scales) {
    const plants = scale * DEMO_PLANTS;
    const point = await measure(bench, plants);
    bench.say(`${plants} plants: ${Math.round(point.samplesPerSecond)} samples/s`);
    bench.tell(
      `growth.ingest.${scale}`,
      point.samplesPerSecond,
      `${plants} loggers, ${plants * DEVICES_PER_PLANT} devices`,
    );
    bench.tell(`growth.list.${scale}`, point.listMs, `${calls} calls, pages of 50 by power`);
    bench.tell(`growth.fleet.${scale}`, point.fleetMs, `${calls} calls`);
    found.push(point);
  }
  const line = (name: string, unit: string, value: (point: Point) => number): ChartLine => ({
    name,
    unit,
    points: found.map((point) => ({ plants: point.plants, value: value(point) })),
  });
  const chart = growthChart([
    line('Ingest', 'samples/s', (point) => point.samplesPerSecond),
    line('Plant list, p95', 'ms', (point) => point.listMs),
    line('Fleet overview, p95', 'ms', (point) => point.fleetMs),
  ]);
  const file = isSmoke ? join(bench.folder, 'growth.svg') : picture;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, chart);
});
