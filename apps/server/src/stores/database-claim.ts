import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import type { DatabaseConnection } from '../database-url.ts';

const LOCK = 7_305_222;
/** For a portal that is just stopping. */
const WAIT_MS = 10_000;
const TRY_EVERY_MS = 500;

export interface DatabaseClaim {
  release(): Promise<void>;
}

interface ClaimOptions {
  readonly logger: Logger;
  /** Another portal took the database while the connection was lost. */
  readonly onTaken: () => void;
  readonly waitMs?: number;
}

/**
 * Takes the database for this portal alone, for as long as its connection lives: two at once would count the same energy
 * twice. Throws a ConfigError that names the other.
 */
export async function claimDatabase(connection: DatabaseConnection, options: ClaimOptions): Promise<DatabaseClaim> {
  const { logger, onTaken, waitMs = WAIT_MS } = options;
  let isOver = false;
  let client: pg.Client | undefined;

  async function take(withinMs: number): Promise<void> {
    const next = new (connection.Client ?? pg.Client)({ ...connection, application_name: `sonnenwarte ${hostname()}` });
    next.on('error', () => undefined);
    try {
      await next.connect();
      // The server notices within half a minute that this machine is gone.
      await next.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3');
      await lock(next, withinMs);
    } catch (error) {
      await next.end().catch(() => undefined);
      throw error;
    }
    client = next;
    next.on('end', () => void takeAgain());
  }

  async function takeAgain(): Promise<void> {
    while (!isOver) {
      try {
        await delay(TRY_EVERY_MS);
        if (!isOver) await take(0);
        return;
      } catch (error) {
        if (error instanceof ConfigError) {
          logger.fatal({ reason: error.message }, 'stopping');
          return onTaken();
        }
      }
    }
  }

  await take(waitMs);
  return {
    async release() {
      isOver = true;
      await client?.end();
    },
  };
}

async function lock(client: pg.Client, withinMs: number): Promise<void> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK]);
    if (rows[0]?.taken) return;
    if (performance.now() >= endMs) throw new ConfigError(await held(client));
    await delay(TRY_EVERY_MS);
  }
}

async function held(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string | null; since: Date | null }>(
    `select a.application_name as name, a.backend_start as since from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.objid = $1 and l.granted`,
    [LOCK],
  );
  const [other] = rows;
  // What another role does is shown to a superuser alone.
  const who =
    other?.name && other.since
      ? ` (${other.name.replace(/^sonnenwarte /, 'on ')}, since ${other.since.toISOString()})`
      : '';
  return `DATABASE_URL: another portal works on this database${who}. Only one may at a time: stop that one first, or name another database.`;
}
