import { randomUUID } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChangeFeed } from '../changes/change-feed.ts';
import type { Database } from '../stores/schema.ts';
import type { Stores } from '../stores/stores.ts';
import { startTestStores } from '../testing/ingestion.ts';
import { Credentials, hashToken } from './credentials.ts';

const LOGGERS = 2_500;
const PAGE = 1_000;
const password = Buffer.from(randomUUID());
let stores: Stores;
let nowMs = 0;

beforeAll(async () => {
  stores = await startTestStores();
});
afterAll(() => stores?.stop());
beforeEach(async () => {
  await sql`delete from loggers`.execute(stores.db);
  await sql`
    insert into loggers (sn, token_hash) select (800000000000000 + n)::text, ${hashToken(password)}
    from generate_series(1, ${LOGGERS}::int) n`.execute(stores.db);
});

const snOf = (n: number): string => String(800_000_000_000_000 + n);
const change = (n: number, values: { revoked_at?: Date; token_hash?: Buffer }) =>
  stores.db.updateTable('loggers').set(values).where('sn', '=', snOf(n)).execute();

/** Credentials over a database whose answers are looked at before they get there, and whom they shut out. */
async function credentials(look: (rows: readonly unknown[]) => void | Promise<void> = () => undefined) {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await look(result.rows);
      return result;
    },
  };
  const db: Kysely<Database> = stores.db.withPlugin(plugin);
  const shutOut: string[] = [];
  const feed = new ChangeFeed(stores.db, pino({ level: 'silent' }), () => nowMs);
  await feed.begin();
  const known = new Credentials(db, feed, { revoked: (sn) => shutOut.push(sn), admitted: async () => undefined });
  await known.start();
  return { known, shutOut, feed };
}

test('however many loggers there are, they are read a thousand at a time, and each is let in', async () => {
  const answered: number[] = [];
  const { known } = await credentials((rows) => void answered.push(rows.length));
  expect(Math.max(...answered)).toBe(PAGE);
  for (const n of [1, PAGE, PAGE + 1, LOGGERS]) {
    expect(await known.admit(snOf(n), password, { mayAsk: false })).toBe('admitted');
  }
});

test('who is revoked, gets another password or is gone is shut out by the next reading, nobody else', async () => {
  const { known, shutOut, feed } = await credentials();
  await change(7, { revoked_at: new Date() });
  await change(1_700, { token_hash: hashToken('another') });
  await stores.db.deleteFrom('loggers').where('sn', '=', snOf(2_400)).execute();
  await feed.read();
  expect(shutOut.sort()).toEqual([7, 1_700, 2_400].map(snOf));
  for (const n of [7, 1_700, 2_400]) {
    expect(await known.admit(snOf(n), password, { mayAsk: false })).toBe('refused');
  }
  expect(await known.admit(snOf(1_700), Buffer.from('another'), { mayAsk: false })).toBe('admitted');
  await feed.read();
  expect(shutOut).toHaveLength(3);
});

test('a reading of all that follows a long absence shuts out who is gone, and nobody who was let in meanwhile', async () => {
  const added = snOf(LOGGERS + 1);
  let isAway = false;
  let isAdded = false;
  const { known, shutOut, feed } = await credentials(async (rows) => {
    if (!isAway || isAdded || rows.length !== PAGE) return;
    isAdded = true;
    await stores.db
      .insertInto('loggers')
      .values({ sn: added, token_hash: hashToken(password) })
      .execute();
    expect(await known.admit(added, password)).toBe('admitted');
  });
  await stores.db.deleteFrom('loggers').where('sn', '=', snOf(3)).execute();
  isAway = true;
  nowMs += 3 * 3_600_000;
  await feed.read();
  expect(isAdded).toBe(true);
  expect(shutOut).toEqual([snOf(3)]);
  expect(await known.admit(added, password, { mayAsk: false })).toBe('admitted');
});
