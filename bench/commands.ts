import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { Channel } from '../apps/server/src/commands/channel.ts';
import { connectDatabase } from '../apps/server/src/stores/database.ts';
import { embeddedConnection } from '../apps/server/src/stores/postgres.ts';
import { openSealKeys } from '../apps/server/src/stores/seal-keys.ts';
import { CommandLogger, SETTING } from './load/command-logger.ts';
import { brokerAddress } from './load/load.ts';
import { benchmark } from './support/benchmark.ts';
import { knownDevices, makePlants } from './support/fleet.ts';
import { openPortal } from './support/portal.ts';
import { percentiles } from './support/quantiles.ts';
import { setting } from './support/settings.ts';

const count = setting('BENCH_DEVICES', 1_000, 20);
const rounds = setting('BENCH_ROUNDS', 3, 1);
const CONNECT_AT_ONCE = 50;
const LONGEST_MS = 240_000;

const keysOf = (dataDir: string) => openSealKeys({ dataDir, auditKey: undefined, auditKeyFile: undefined });

await benchmark('commands', async (bench) => {
  const portal = await openPortal(bench, 'portal');
  await makePlants(portal.db, 1, count);
  const loggers = Array.from({ length: count }, (_, at) => new CommandLogger(brokerAddress(portal.mqttUrl), at + 1));
  for (let from = 0; from < count; from += CONNECT_AT_ONCE) {
    await Promise.all(loggers.slice(from, from + CONNECT_AT_ONCE).map((logger) => logger.open()));
  }
  bench.atEnd(() => {
    for (const logger of loggers) logger.close();
  });
  while ((await knownDevices(portal.db)).length < count) await delay(100);
  const { rows: devices } = await sql<{ id: string; logger_id: string }>`select id, logger_id from devices`.execute(
    portal.db,
  );
  bench.say(`${count} devices, each behind a logger of its own, carry out a command within 0.2 to 1.5 s`);

  const db = connectDatabase(embeddedConnection(portal.dataDir), { sealKeys: keysOf(portal.dataDir) });
  bench.atEnd(() => db.destroy());
  const channel = new Channel(Date.now, { error: (text: unknown) => bench.note(String(text)) });
  await portal.longestStallMs();
  const tookMs: number[] = [];
  const waitedMs: number[] = [];
  let open = 0;
  for (let round = 0; round < rounds; round += 1) {
    const clickedMs = Date.now();
    const ids = await db.transaction().execute((trx) =>
      channel.order(
        trx,
        devices.map(({ id, logger_id }) => ({
          loggerID: logger_id,
          deviceID: id,
          kind: 'write',
          content: { values: { [SETTING]: 1_000 + round } },
          source: 'group',
          orderedBy: null,
        })),
      ),
    );
    bench.say(`ordered in ${Date.now() - clickedMs} ms`);
    do {
      await delay(100);
      const { rows } = await sql<{ open: string }>`
        select count(*) as open from commands where id = any(${ids}::text[]) and done_at is null`.execute(portal.db);
      open = Number(rows[0]?.open);
    } while (open > 0 && Date.now() - clickedMs < LONGEST_MS);
    const { rows } = await sql<{ done: Date; sent: Date; state: string }>`
      select done_at as done, sent_at as sent, state from commands where id = any(${ids}::text[]) and state = 'confirmed'`.execute(
      portal.db,
    );
    for (const { done, sent } of rows) {
      tookMs.push(done.getTime() - clickedMs);
      waitedMs.push(sent.getTime() - clickedMs);
    }
  }
  const took = percentiles(tookMs);
  bench.tell('commands.confirmed.p50', took.p50 / 1_000);
  bench.tell(
    'commands.confirmed.p99',
    took.p99 / 1_000,
    `${rounds} x ${count} devices; the devices themselves take 0.2 to 1.5 s`,
  );
  bench.tell('commands.sent.p99', percentiles(waitedMs).p99 / 1_000);
  bench.tell('commands.lost', rounds * count - tookMs.length);
  const carriedOut = loggers.reduce((sum, logger) => sum + logger.carriedOut, 0);
  bench.tell('commands.twice', carriedOut - rounds * count);
  bench.tell('commands.stall', await portal.longestStallMs());
});
