import { setTimeout as delay } from 'node:timers/promises';
import { brokerAddress, Load } from './load/load.ts';
import type { LoadStats } from './load/messages.ts';
import { VALUES } from './load/series.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { makePlants } from './support/fleet.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { setting, sized } from './support/settings.ts';
import { compareStored } from './support/stored.ts';
import { settleParts, storedBytes } from './support/telemetry.ts';
import { coresText, watchUsage } from './support/usage.ts';

const seconds = setting('BENCH_SECONDS', 300, 4);
const qos0Seconds = Math.min(seconds, 60);
const dataloggers = setting('BENCH_LOGGERS', 200, 20);
const devicesPerDatalogger = 5;
/** Time between two samples of a device, as it is told: samples are sent faster than time passes. */
const stepMs = setting('BENCH_STEP_S', 10, 10) * 1000;
const warmUpSeconds = sized(10, 1);
const window = 128;
/** So far in the past that even the fastest run ends before now. */
const AHEAD_MS = 96 * 3_600_000;
/** Devices begin at midnight, so that day and night weigh the same at whatever hour this runs. */
const DAY_MS = 24 * 3_600_000;

interface Run {
  stats: LoadStats;
  samplesPerSecond: number;
}

async function run(bench: Bench, portal: BenchPortal, load: Load, runSeconds: number): Promise<Run> {
  const before = await portal.metric('ingest_samples_total', 'inverter');
  const startedMs = performance.now();
  const stats = await load.order({ do: 'push', seconds: runSeconds });
  const stored = async () => (await portal.metric('ingest_samples_total', 'inverter')) - before;
  while ((await portal.metric('ingest_queued_samples')) > 0) await delay(50);
  const samples = await stored();
  const took = (performance.now() - startedMs) / 1000;
  bench.say(`${samples} samples in ${took.toFixed(1)} s, of ${stats.sent} sent`);
  return { stats, samplesPerSecond: samples / took };
}

async function loadOf(bench: Bench, portal: BenchPortal, qos: 0 | 1, startMs: number): Promise<Load> {
  const load = new Load(bench, {
    ...brokerAddress(portal.mqttUrl),
    firstDatalogger: 1,
    dataloggers,
    devicesPerDatalogger,
    qos,
    intervalS: stepMs / 1000,
    startMs,
    stepMs,
    window,
  });
  const { connected, firstError } = await load.order({ do: 'connect', perSecond: 200 });
  if (connected < dataloggers) throw new Error(`${connected} of ${dataloggers} loggers connected: ${firstError}`);
  return load;
}

async function accounted(portal: BenchPortal): Promise<void> {
  const untilMs = performance.now() + 180_000;
  await delay(3_000);
  while (performance.now() < untilMs && (await portal.metric('accounting_backlog_days')) > 0) await delay(500);
  await delay(3_000);
}

await benchmark('ingest', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, dataloggers);
  const startMs = Math.floor((Date.now() - AHEAD_MS) / DAY_MS) * DAY_MS;
  bench.say(
    `${dataloggers} loggers with ${devicesPerDatalogger} inverters each, a sample every ${stepMs / 1000} s of their time`,
  );

  const load = await loadOf(bench, portal, 1, startMs);
  await load.order({ do: 'push', seconds: warmUpSeconds });
  await portal.metric('ingest_queued_samples');
  await portal.longestStallMs();
  const watch = watchUsage(portal.pid, [load.pid]);
  const acknowledged = await run(bench, portal, load, seconds);
  const usage = watch.end();
  const end = await load.order({ do: 'end' });
  const detail = `${seconds} s, ${dataloggers} loggers x ${devicesPerDatalogger} inverters, ${window} messages in flight each; ${coresText(usage)}`;
  bench.tell('ingest.qos1', acknowledged.samplesPerSecond, detail);
  bench.tell('ingest.qos1.values', acknowledged.samplesPerSecond * VALUES);
  bench.tell('ingest.ack.p50', acknowledged.stats.ackMs.p50);
  bench.tell('ingest.ack.p99', acknowledged.stats.ackMs.p99);
  bench.tell('ingest.stall', await portal.longestStallMs());
  bench.tell('ingest.memory.server', usage.server.peakMiB);
  bench.tell('ingest.memory.engine', usage.engine.peakMiB);
  bench.tell('ingest.memory.postgres', usage.postgres.peakMiB);
  bench.tell('ingest.memory.client', usage.client.peakMiB);
  const lost = dataloggers - acknowledged.stats.connected;
  if (lost > 0) bench.note(`${lost} of ${dataloggers} connections were lost on the way and did not come back`);
  const rejected = await portal.metric('ingest_rejected_total');
  if (rejected > 0) bench.note(`${rejected} messages or values were refused`);

  const stored = await compareStored(portal, [{ options: load.options, ackedByDevice: end.ackedByDevice }]);
  bench.tell('ingest.missing', stored.missing, `${end.acked} acknowledged, ${stored.samples} stored with the births`);

  const plain = await loadOf(bench, portal, 0, end.newestMs + stepMs);
  const plainWatch = watchUsage(portal.pid, [plain.pid]);
  const unacknowledged = await run(bench, portal, plain, qos0Seconds);
  bench.tell('ingest.qos0', unacknowledged.samplesPerSecond, `${qos0Seconds} s; ${coresText(plainWatch.end())}`);
  await plain.order({ do: 'end' });

  bench.say('waiting for rollups and merges');
  await accounted(portal);
  await settleParts(portal.dataDir);
  const { samples } = await compareStored(portal, []);
  const bytes = await storedBytes(portal.dataDir);
  bench.tell('ingest.bytes', (bytes.raw + bytes.rollups) / samples, `${samples} samples, after all merges`);
  bench.tell('ingest.bytes.raw', bytes.raw / samples);
});
