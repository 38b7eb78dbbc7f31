import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type HostileKind,
  type HostileOptions,
  type HostileStats,
  hostileKindNames,
  hostileKinds,
} from './load/hostile-kinds.ts';
import { brokerAddress, Load } from './load/load.ts';
import { type Bench, benchmark } from './support/benchmark.ts';
import { makePlants } from './support/fleet.ts';
import { dataloggerSn } from './support/names.ts';
import { type BenchPortal, openPortal } from './support/portal.ts';
import { shown } from './support/quantiles.ts';
import { setting, sized } from './support/settings.ts';
import { compareStored } from './support/stored.ts';
import { memoryMiB } from './support/usage.ts';

const goodDataloggers = setting('BENCH_LOGGERS', 1_000, 20);
const seconds = setting('BENCH_SECONDS', 30, 4);
const intervalS = setting('BENCH_INTERVAL_S', 10, 2);
const devicesPerDatalogger = 2;
const childFile = fileURLToPath(new URL('./load/hostile-child.ts', import.meta.url));
const HEALTH_EVERY_MS = 50;
const SETTLE_MS = sized(3_000, 200);

async function hostile(bench: Bench, options: HostileOptions): Promise<HostileStats> {
  const child = fork(childFile, [JSON.stringify(options)], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  bench.atEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the hostile logger ended with ${code}`);
  });
  ended.catch(() => undefined);
  return Promise.race([once(child, 'message').then(([stats]) => stats as HostileStats), ended]);
}

/** Asks for /healthz again and again until told to stop; answers how long the slowest took. */
function watchHealth(url: string): { end(): Promise<number> } {
  let isOver = false;
  let longestMs = 0;
  const asking = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      const response = await fetch(`${url}/healthz`);
      await response.arrayBuffer();
      longestMs = Math.max(longestMs, performance.now() - startedMs);
      if (!response.ok) throw new Error(`/healthz answers ${response.status}`);
      await delay(HEALTH_EVERY_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await asking;
      return longestMs;
    },
  };
}

async function measure(bench: Bench, portal: BenchPortal, load: Load, kind: HostileKind, sn: string): Promise<void> {
  const memory = () => memoryMiB(portal.pid, false);
  const held = await portal.metric('ingest_held_total');
  const refused = await portal.metric('ingest_rejected_total');
  const before = memory();
  const health = watchHealth(portal.url);
  const middle = delay((seconds * 1000) / 2).then(memory);
  const attack = hostile(bench, { ...brokerAddress(portal.mqttUrl), sn, kind, seconds });
  const stats = await load.order({ do: 'report', seconds });
  const halfway = await middle;
  const attacked = await attack;
  const after = memory();
  const healthMs = await health.end();
  const rss = `RSS ${shown(before)}, ${shown(halfway)}, ${shown(after)} MiB`;
  const done = `${attacked.sent} sent, ${attacked.acknowledged} acknowledged, ${attacked.refused + attacked.closed} times refused or cut`;
  const counted = `held back ${(await portal.metric('ingest_held_total')) - held} times, ${(await portal.metric('ingest_rejected_total')) - refused} refusals counted`;
  bench.say(
    `${kind}: ack p99 ${shown(stats.ackMs.p99)} ms, healthz ${shown(healthMs)} ms, ${rss}; ${done}; ${counted}`,
  );
  bench.tell(`hostile.${kind}.ack`, stats.ackMs.p99, `${hostileKinds[kind]}: ${done}; ${counted}`);
  bench.tell(`hostile.${kind}.healthz`, healthMs);
  bench.tell(`hostile.${kind}.memory`, after - halfway, `${rss} at start, middle and end`);
  const lost = goodDataloggers - stats.connected;
  if (lost > 0) bench.note(`${kind}: ${lost} of ${goodDataloggers} good loggers lost their connection`);
  if (stats.unacked > 0) bench.note(`${kind}: ${stats.unacked} messages of good loggers were not acknowledged in time`);
}

await benchmark('hostile', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, goodDataloggers + hostileKindNames.length);
  const load = new Load(bench, {
    ...brokerAddress(portal.mqttUrl),
    firstDatalogger: 1,
    dataloggers: goodDataloggers,
    devicesPerDatalogger,
    qos: 1,
    intervalS,
    startMs: 0,
    stepMs: intervalS * 1000,
    window: 64,
  });
  await load.order({ do: 'connect', perSecond: 200 });
  const alone = await load.order({ do: 'report', seconds: sized(10, 2) });
  bench.tell('hostile.alone.ack', alone.ackMs.p99, `${goodDataloggers} loggers, a report every ${intervalS} s`);
  for (const [at, kind] of hostileKindNames.entries()) {
    await measure(bench, portal, load, kind, dataloggerSn(goodDataloggers + 1 + at));
    while ((await portal.metric('ingest_queued_samples')) > 0) await delay(100);
    await delay(SETTLE_MS);
  }
  bench.tell('hostile.stall', await portal.longestStallMs());
  const end = await load.order({ do: 'end' });
  const stored = await compareStored(portal, [{ options: load.options, ackedByDevice: end.ackedByDevice }]);
  bench.tell('hostile.missing', stored.missing, `${end.acked} acknowledged`);
});
