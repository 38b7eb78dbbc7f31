import { type RawBuilder, sql } from 'kysely';

const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + 8;
const MOST_FORMER = 4;

export interface FormerPassword {
  readonly hash: Buffer;
  readonly untilMs: number;
}

/** Former passwords as they are kept: hash and end (epoch ms, big-endian) of each, the latest first. */
export const formersIn = (bytes: Buffer | null): FormerPassword[] =>
  Array.from({ length: Math.floor((bytes?.length ?? 0) / ENTRY_BYTES) }, (_, at) => {
    const entry = (bytes as Buffer).subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES);
    return { hash: entry.subarray(0, HASH_BYTES), untilMs: Number(entry.readBigInt64BE(HASH_BYTES)) };
  });

/** A password, by its hash, that stays good until then; nothing where there is none. */
export const formerEntry = (hash: RawBuilder<unknown>, until: RawBuilder<unknown>): RawBuilder<Buffer> =>
  sql<Buffer>`coalesce(${hash} || int8send((extract(epoch from ${until}) * 1000)::bigint), ''::bytea)`;

/** These before those that are kept already, each of which keeps its own end; the oldest of too many go. Null where there is none. */
export const withFormers = (entries: readonly RawBuilder<Buffer>[]): RawBuilder<Buffer | null> =>
  sql<Buffer | null>`nullif(substring(${sql.join(entries, sql` || `)} || coalesce(former_token_hash, ''::bytea)
    from 1 for ${MOST_FORMER * ENTRY_BYTES}), ''::bytea)`;

/** When the last of them ends: those that are kept already may end later. */
export const untilWithFormers = (until: RawBuilder<unknown>): RawBuilder<Date | null> =>
  sql<Date | null>`greatest(${until}, case when former_token_until > now() then former_token_until end)`;
