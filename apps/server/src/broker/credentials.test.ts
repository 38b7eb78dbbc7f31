import { randomUUID } from 'node:crypto';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChangeFeed } from '../changes/change-feed.ts';
import type { Database } from '../stores/schema.ts';
import type { Stores } from '../stores/stores.ts';
import { makeOrganisation, startTestStores } from '../testing/ingestion.ts';
import { Credentials, hashToken } from './credentials.ts';

const DATALOGGERS = 2_500;
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
    from generate_series(1, ${DATALOGGERS}::int) n`.execute(stores.db);
});

const snOf = (n: number): string => String(800_000_000_000_000 + n);
const change = (n: number, values: { revoked_at?: Date; token_hash?: Buffer }) =>
  stores.db.updateTable('loggers').set(values).where('sn', '=', snOf(n)).execute();

interface Asking {
  /** Is told of the rows that the database answers, before they get there. */
  look?: (rows: readonly unknown[]) => void | Promise<void>;
  isConnected?: (sn: string) => boolean;
  /** What goes on between the right password and the connection. */
  admitted?: (sn: string) => Promise<void>;
}

/** Credentials and whom they shut out. */
async function credentials({
  look = () => undefined,
  isConnected = () => true,
  admitted = async () => undefined,
}: Asking = {}) {
  let queries = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    async transformResult({ result }) {
      await look(result.rows);
      return result;
    },
  };
  const db: Kysely<Database> = stores.db.withPlugin(plugin);
  const shutOut: string[] = [];
  const feed = new ChangeFeed(stores.db, pino({ level: 'silent' }), () => nowMs);
  await feed.begin();
  const known = new Credentials(db, feed, {
    revoked: (sn) => shutOut.push(sn),
    admitted,
    isConnected,
    passwordTaken: async () => undefined,
  });
  await known.start();
  queries = 0;
  return { known, shutOut, feed, queries: () => queries };
}

const admitAll = (known: Credentials, numbers: readonly number[], token = password) =>
  Promise.all(numbers.map((n) => known.admit(snOf(n), token)));
const everybody = Array.from({ length: DATALOGGERS }, (_, at) => at + 1);

test('nothing is read before somebody signs in, and those who sign in at once are read together', async () => {
  const { known, queries } = await credentials();
  expect([known.size, queries()]).toEqual([0, 0]);
  const admissions = await admitAll(known, everybody);
  expect(new Set(admissions)).toEqual(new Set(['admitted']));
  expect(queries()).toBeLessThanOrEqual(DATALOGGERS / 250);
  expect(new Set(await admitAll(known, everybody))).toEqual(new Set(['admitted']));
  expect(queries()).toBeLessThanOrEqual(DATALOGGERS / 250);
});

test('the right password gets in where others of its network have guessed, and a wrong one is not asked for twice', async () => {
  const { known, queries } = await credentials();
  expect(await known.admit(snOf(1), Buffer.from('wrong'), { mayAsk: false })).toBe('refused');
  expect(await known.admit(snOf(1), Buffer.from('wrong again'), { mayAsk: false })).toBe('refused');
  expect(queries()).toBe(1);
  expect(await known.admit(snOf(1), password, { mayAsk: false })).toBe('admitted');
  expect(await known.admit(snOf(2), password, { mayAsk: false })).toBe('admitted');
  expect(await known.admit(snOf(DATALOGGERS + 5), password, { mayAsk: false })).toBe('refused');
});

test('who is revoked, gets another password or is gone is shut out by the next reading, nobody else', async () => {
  const { known, shutOut, feed } = await credentials();
  await admitAll(known, [7, 8, 1_700, 2_400]);
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

test('who is revoked while being let in is not let in, also where the change was told before the row arrived', async () => {
  const revoked = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  let isFirst = true;
  const { known, feed } = await credentials({
    async look(rows) {
      if (!isFirst || rows.length !== 1) return;
      isFirst = false;
      hasRead.resolve();
      await revoked.promise;
    },
    admitted: () => feed.read(),
  });
  const admission = known.admit(snOf(9), password);
  await hasRead.promise;
  await change(9, { revoked_at: new Date() });
  const told = feed.read();
  revoked.resolve();
  await told;
  expect(await admission).toBe('refused');
});

describe('a datalogger that came in with a provisioning key', () => {
  const key = Buffer.from(randomUUID());
  const stranger = snOf(DATALOGGERS + 9);

  beforeEach(async () => {
    const organisation = await makeOrganisation(stores.db);
    await stores.db
      .insertInto('provisioning_keys')
      .values({ key_hash: hashToken(key), organisation_id: organisation })
      .onConflict((conflict) => conflict.column('key_hash').doNothing())
      .execute();
  });
  const giveToken = () =>
    stores.db
      .updateTable('loggers')
      .set({ token_hash: hashToken('its own') })
      .where('sn', '=', stranger)
      .execute();

  test('is shut out when it gets its own password, and comes back with that alone', async () => {
    const { known, shutOut, feed } = await credentials();
    expect(await known.admit(stranger, key)).toBe('quarantined');
    await feed.read();
    expect(shutOut).toEqual([]);
    await giveToken();
    await feed.read();
    expect(shutOut).toEqual([stranger]);
    expect(await known.admit(stranger, key)).toBe('refused');
    expect(await known.admit(stranger, Buffer.from('its own'))).toBe('admitted');
    await feed.read();
    expect(shutOut).toEqual([stranger]);
  });

  test('comes back with a key of its organisation or of one above it, and with that of nobody else', async () => {
    const { known } = await credentials();
    expect(await known.admit(stranger, key)).toBe('quarantined');
    const { organisation_id: own } = await stores.db
      .selectFrom('loggers')
      .select('organisation_id')
      .where('sn', '=', stranger)
      .executeTakeFirstOrThrow();
    const foreign = await makeOrganisation(stores.db);
    const later = Buffer.from(randomUUID());
    const strangers = Buffer.from(randomUUID());
    await stores.db
      .insertInto('provisioning_keys')
      .values([
        { key_hash: hashToken(later), organisation_id: own ?? '' },
        { key_hash: hashToken(strangers), organisation_id: foreign },
      ])
      .execute();
    const anew = (await credentials()).known;
    expect(await anew.admit(stranger, strangers)).toBe('refused');
    expect(await anew.admit(stranger, later)).toBe('quarantined');
    // Without a key of its own it is of whoever has it.
    const unkeyed = { provisioned_by: null, organisation_id: foreign };
    await stores.db.updateTable('loggers').set(unkeyed).where('sn', '=', stranger).execute();
    const last = (await credentials()).known;
    expect(await last.admit(stranger, later)).toBe('refused');
    expect(await last.admit(stranger, strangers)).toBe('quarantined');
  });

  test('is not let in where it gets its own password meanwhile', async () => {
    const { known, feed } = await credentials({
      admitted: async () => {
        await giveToken();
        await feed.read();
      },
    });
    expect(await known.admit(stranger, key)).toBe('refused');
  });
});

test('a reading that follows a long absence shuts out who is gone, and nobody else', async () => {
  const { known, shutOut, feed } = await credentials();
  await admitAll(known, everybody);
  await stores.db.deleteFrom('loggers').where('sn', '=', snOf(3)).execute();
  nowMs += 3 * 3_600_000;
  await feed.read();
  expect(shutOut).toEqual([snOf(3)]);
});

test('passwords of those who are gone are not held for ever, those of connected ones are', async () => {
  await sql`
    insert into loggers (sn, token_hash) select (800000000000000 + n)::text, ${hashToken(password)}
    from generate_series(${DATALOGGERS + 1}::int, 12000) n`.execute(stores.db);
  const { known, shutOut, feed } = await credentials({ isConnected: (sn) => sn === snOf(1) });
  await admitAll(known, everybody);
  const others = Array.from({ length: 12_000 - DATALOGGERS }, (_, at) => DATALOGGERS + 1 + at);
  await admitAll(known, others);
  expect(known.size).toBeLessThan(10_500);
  await change(1, { revoked_at: new Date() });
  await feed.read();
  expect(shutOut).toEqual([snOf(1)]);
});
