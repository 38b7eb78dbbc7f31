import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { platformOrganisation } from '../apps/server/src/accounts/accounts.store.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { Registry } from '../apps/server/src/ingestion/registry.ts';
import { startStores } from '../apps/server/src/stores/stores.ts';
import { benchmark } from './support/benchmark.ts';
import { makePlants } from './support/fleet.ts';
import { sized } from './support/settings.ts';
import { memoryMiB } from './support/usage.ts';

const READINGS = 5;
const smallFleet = sized(10_000, 200);
const largeFleet = sized(100_000, 400);

/** How long reading all plants and loggers anew takes, and how long it keeps everything else from running. */
await benchmark('registry', async (bench) => {
  const logger = pino({ level: 'silent' });
  const stores = await startStores(readConfig({ DATA_DIR: bench.folder, DEMO: 'off' }), logger);
  bench.atEnd(() => stores.stop());
  await platformOrganisation(stores.db);
  let made = 0;
  for (const [name, count] of [
    ['10k', smallFleet],
    ['100k', largeFleet],
  ] as const) {
    bench.say(`making ${count} plants`);
    await makePlants(stores.db, made, count - made);
    made = count;
    const registry = new Registry(stores.db, logger, {
      moved: () => undefined,
      refused: () => undefined,
      claimed: () => undefined,
    });
    await registry.refresh();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startedMs = performance.now();
    for (let reading = 0; reading < READINGS; reading += 1) await registry.refresh();
    const readMs = (performance.now() - startedMs) / READINGS;
    delay.disable();
    const stallMs = delay.max / 1e6;
    bench.tell(`registry.read.${name}`, readMs, `mean of ${READINGS} readings`);
    bench.tell(`registry.stall.${name}`, stallMs, `the longest of ${READINGS} readings`);
    bench.tell(`registry.memory.${name}`, memoryMiB(process.pid, false));
    await registry.stop();
  }
});
