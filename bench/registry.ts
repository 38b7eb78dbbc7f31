import { monitorEventLoopDelay } from 'node:perf_hooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { platformOrganisation } from '../apps/server/src/accounts/accounts.store.ts';
import { ChangeFeed } from '../apps/server/src/changes/change-feed.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { Registry } from '../apps/server/src/ingestion/registry/registry.ts';
import { startStores } from '../apps/server/src/stores/stores.ts';
import { benchmark } from './support/benchmark.ts';
import { makePlants } from './support/fleet.ts';
import { dataloggerSn } from './support/names.ts';
import { sized } from './support/settings.ts';
import { memoryMiB } from './support/usage.ts';

const READINGS = 5;
const CHANGED = 100;
const smallFleet = sized(10_000, 200);
const largeFleet = sized(100_000, 400);
/** Of the fleet they connect in one instant. */
const connecting = sized(10_000, 100);

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  for (let reading = 0; reading < READINGS; reading += 1) await work();
  return (performance.now() - startedMs) / READINGS;
}

/** How long it takes until what connects is known, and what has changed, and how long that keeps everything else from running. */
await benchmark('registry', async (bench) => {
  const logger = pino({ level: 'silent' });
  const stores = await startStores(readConfig({ DATA_DIR: bench.folder, DEMO: 'off' }), logger);
  bench.atEnd(() => stores.stop());
  await platformOrganisation(stores.db);
  const ignore = () => undefined;
  let made = 0;
  for (const [name, count] of [
    ['10k', smallFleet],
    ['100k', largeFleet],
  ] as const) {
    bench.say(`making ${count} plants`);
    await makePlants(stores.db, made, count - made);
    made = count;
    const feed = new ChangeFeed(stores.db, logger);
    await feed.begin();
    const registry = new Registry(stores.db, feed, {
      moved: ignore,
      refused: ignore,
      claimed: ignore,
      standing: ignore,
    });
    registry.start();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const sns = Array.from({ length: connecting }, (_, at) => dataloggerSn(Math.floor((at * count) / connecting)));
    const oneMs = performance.now();
    await registry.learn(dataloggerSn(count - 1));
    bench.tell(`registry.one.${name}`, performance.now() - oneMs, 'the first of all');
    const startedMs = performance.now();
    const known = await Promise.all(sns.map((sn) => registry.learn(sn)));
    if (known.includes(undefined)) throw new Error('a datalogger is not known');
    bench.tell(
      `registry.read.${name}`,
      performance.now() - startedMs,
      `${connecting} in one instant, none of them held`,
    );
    const idle = await timed(() => registry.refresh());
    bench.tell(`registry.idle.${name}`, idle, `mean of ${READINGS} readings with nothing changed`);
    const moving = await timed(async () => {
      await sql`update sites set time_zone = case time_zone when 'Europe/Vienna' then 'Europe/Berlin' else 'Europe/Vienna' end
        where id in (select site_id from loggers where sn = any(${sns.slice(0, CHANGED)}::text[]))`.execute(stores.db);
      await registry.refresh();
    });
    bench.tell(
      `registry.changed.${name}`,
      moving,
      `mean of ${READINGS} changes of ${CHANGED} plants that are held, until they are known`,
    );
    delay.disable();
    const stallMs = delay.max / 1e6;
    bench.tell(`registry.stall.${name}`, stallMs, 'the longest of all these readings');
    bench.tell(`registry.memory.${name}`, memoryMiB(process.pid, false));
    await registry.stop();
  }
});
