import { setTimeout as delay } from 'node:timers/promises';
import { startPortal } from '../e2e/support/portal.ts';
import { benchmark } from './support/benchmark.ts';
import { makeDevices, makeLatest, makePlants, takeAsReckoned } from './support/fleet.ts';
import { openPortal } from './support/portal.ts';
import { setting, sized } from './support/settings.ts';
import { coresText, memoryMiB, watchUsage } from './support/usage.ts';

const plants = setting('BENCH_PLANTS', 100_000, 200);
const seconds = setting('BENCH_IDLE_SECONDS', 60, 3);
/** What a start leaves behind it is not measured. */
const settleMs = sized(20_000, 1_000);

/** What a portal with a whole fleet stored and nothing connected costs: its start, and its being there. */
await benchmark('idle', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  bench.say(`making ${plants} plants`);
  await makePlants(portal.db, 0, plants);
  await makeLatest(portal.db, 0, plants);
  await makeDevices(portal.db, { first: 0, count: plants }, 1, ['AC/ActivePower', 'DC/Power']);
  await takeAsReckoned(portal.db);
  const { dataDir } = portal;
  await portal.stop();
  const startedMs = performance.now();
  const run = startPortal(dataDir, { DEMO: 'off', LOG_LEVEL: 'warn' });
  bench.atEnd(() => run.end());
  await run.ready();
  bench.tell('idle.start', performance.now() - startedMs);
  await delay(settleMs);
  bench.say(`nothing for ${seconds} s`);
  const usage = watchUsage(run.serverPid(), []);
  await delay(seconds * 1_000);
  const used = usage.end();
  bench.tell('idle.cores', used.server.cores * 100, `${seconds} s, ${plants} plants; ${coresText(used)}`);
  bench.tell('idle.memory', memoryMiB(run.serverPid(), false), `highest ${used.server.peakMiB.toFixed(0)} MiB`);
  bench.tell('idle.postgres', used.postgres.peakMiB);
});
