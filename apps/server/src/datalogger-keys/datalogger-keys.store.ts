import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** So many wrong keys within an hour lock a serial number for an hour. */
export const MOST_WRONG_KEYS = 10;

/** Without letters that look like digits: it is read off a label. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const PARTS = 3;
const PART_LENGTH = 4;

/** A new key as it is printed: three parts of four signs, 59 bits. */
export function newDataloggerKey(): string {
  const part = () => Array.from({ length: PART_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: PARTS }, part).join('-');
}

/** As keys are compared: in capitals, without what stands between their parts. */
const plainKey = (key: string): string => key.replaceAll(/[\s-]/g, '').toUpperCase();

const hashOf = (sn: string, key: string): Buffer =>
  createHash('sha256')
    .update(`${sn}:${plainKey(key)}`)
    .digest();

/** What is known of a datalogger before it is linked; without a key only its importer links it. */
export interface KnownDatalogger {
  readonly sn: string;
  readonly key: string | undefined;
  readonly organisationID: string | null;
}

/** Notes keys and importers of dataloggers, in place of those that were known. */
export async function noteDataloggers(db: Db, dataloggers: readonly KnownDatalogger[]): Promise<void> {
  if (dataloggers.length === 0) return;
  await db
    .insertInto('logger_keys')
    .values(
      dataloggers.map(({ sn, key, organisationID }) => ({
        sn,
        key_hash: key === undefined ? null : hashOf(sn, key),
        organisation_id: organisationID,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('sn').doUpdateSet((eb) => ({
        key_hash: eb.ref('excluded.key_hash'),
        organisation_id: eb.ref('excluded.organisation_id'),
      })),
    )
    .execute();
}

/** A key that somebody gave for a serial number. */
export interface KeyTry {
  readonly sn: string;
  readonly key: string;
}

/** What a key was: until when its serial number takes none, where it is locked. */
export type KeyVerdict = 'right' | 'wrong' | { readonly lockedUntil: Date };

/** Whether the failures of a row `f` do not count any more. */
const isOver = sql<boolean>`(coalesce(f.locked_until, f.first_at + interval '1 hour') <= now())`;

/**
 * Judges keys and counts the wrong ones, whoever gives them. A serial number that is not known, or of which `isVoid` says that no key
 * counts, is judged as one with another key. Rows of tries are locked in the order of their numbers until all are judged, so that none is
 * tried more often than is counted.
 */
export function judgeKeys(
  db: Db,
  tries: readonly KeyTry[],
  isVoid: (sn: string) => boolean,
): Promise<ReadonlyMap<string, KeyVerdict>> {
  if (tries.length === 0) return Promise.resolve(new Map());
  return inTransaction(db, async (tx) => {
    const verdicts = new Map<string, KeyVerdict>();
    const sns = tries.map(({ sn }) => sn);
    const { rows: counted } = await sql<{ sn: string; locked_until: Date | null }>`
      insert into logger_key_failures as f (sn) select sn from unnest(${sns}::text[]) sn order by sn
      on conflict (sn) do update set
        count = case when ${isOver} then 0 else f.count end,
        first_at = case when ${isOver} then now() else f.first_at end,
        locked_until = case when ${isOver} then null else f.locked_until end
      returning sn, locked_until`.execute(tx);
    const lockedUntil = new Map(counted.map((row) => [row.sn, row.locked_until]));
    const keys = await tx
      .selectFrom('logger_keys')
      .select(['sn', 'key_hash'])
      .where(sql<boolean>`sn = any(${sns}::text[])`)
      .execute();
    const hashes = new Map(keys.map((row) => [row.sn, row.key_hash]));
    for (const { sn, key } of tries) {
      const until = lockedUntil.get(sn) ?? null;
      const given = hashOf(sn, key);
      const kept = hashes.get(sn) ?? Buffer.alloc(given.length);
      const fits = timingSafeEqual(given, kept) && !isVoid(sn);
      verdicts.set(sn, until !== null ? { lockedUntil: until } : fits ? 'right' : 'wrong');
    }
    const judged = (verdict: KeyVerdict) => sns.filter((sn) => verdicts.get(sn) === verdict);
    await sql`delete from logger_key_failures where sn = any(${judged('right')}::text[])`.execute(tx);
    const { rows: locked } = await sql<{ sn: string; locked_until: Date | null }>`
      update logger_key_failures set count = count + 1,
        locked_until = case when count + 1 >= ${MOST_WRONG_KEYS} then now() + interval '1 hour' end
      where sn = any(${judged('wrong')}::text[]) returning sn, locked_until`.execute(tx);
    for (const { sn, locked_until } of locked) if (locked_until) verdicts.set(sn, { lockedUntil: locked_until });
    return verdicts;
  });
}

/** Removes failures that count no more. */
export const forgetOldKeyFailures = (db: Db) => sql`delete from logger_key_failures f where ${isOver}`.execute(db);
