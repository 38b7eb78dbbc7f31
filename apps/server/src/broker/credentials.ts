import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type Kysely, sql } from 'kysely';
import type { ChangeFeed, Changes } from '../changes/change-feed.ts';
import { rowPages } from '../ingestion/registry/row-pages.ts';
import type { Database } from '../stores/schema.ts';

/** `later`: the key has let in as many as it may for now. */
export type Admission = 'admitted' | 'quarantined' | 'refused' | 'later';

interface Credential {
  tokenHash: Buffer | undefined;
  isRevoked: boolean;
}

const ROW_AGAIN_AFTER_MS = 1_000;
/** Serial numbers whose row was asked for. */
const MOST_REMEMBERED = 10_000;
/** New loggers that a provisioning key lets in within an hour. A key that got about must not fill the table. */
export const MOST_PROVISIONED_PER_HOUR = 100;

export function hashToken(token: string | Buffer): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Passwords of loggers, held in memory and followed in Postgres, where other processes add and revoke. */
export class Credentials {
  readonly #db: Kysely<Database>;
  readonly #feed: Pick<ChangeFeed, 'listen'>;
  readonly #loggers = new Map<string, Credential>();
  #keys: { hash: Buffer; organisationId: string }[] = [];
  readonly #askedMs = new Map<string, number>();
  readonly #onRevoked: (sn: string) => void;
  readonly #onAdmitted: (sn: string) => Promise<void>;

  constructor(
    db: Kysely<Database>,
    feed: Pick<ChangeFeed, 'listen'>,
    listeners: { revoked(sn: string): void; admitted(sn: string): Promise<void> },
  ) {
    this.#db = db;
    this.#feed = feed;
    this.#onRevoked = listeners.revoked;
    this.#onAdmitted = listeners.admitted;
  }

  /** Reads all passwords, and from then on those that change. */
  async start(): Promise<void> {
    await this.#readAll();
    this.#feed.listen({
      changed: (changes) => this.#readChanged(changes),
      missed: () => this.#readAll(),
    });
  }

  async #readAll(): Promise<void> {
    const rows = this.#db.selectFrom('loggers').select(['key', 'sn', 'token_hash', 'revoked_at']).orderBy('key');
    const gone = new Set(this.#loggers.keys());
    for await (const page of rowPages((afterKey, most) => rows.where('key', '>', afterKey).limit(most).execute())) {
      for (const row of page) {
        gone.delete(row.sn);
        this.#set(row.sn, credentialOf(row));
      }
    }
    for (const sn of gone) this.#set(sn, undefined);
    await this.#readKeys();
  }

  async #readChanged({ loggers, areKeysChanged }: Changes): Promise<void> {
    const sns = [...loggers.values()];
    if (sns.length > 0) {
      const rows = await this.#db
        .selectFrom('loggers')
        .select(['sn', 'token_hash', 'revoked_at'])
        .where(sql<boolean>`sn = any(${sns}::text[])`)
        .execute();
      const bySn = new Map(rows.map((row) => [row.sn, credentialOf(row)]));
      for (const sn of sns) this.#set(sn, bySn.get(sn));
    }
    if (areKeysChanged) await this.#readKeys();
  }

  async #readKeys(): Promise<void> {
    const keys = await this.#db
      .selectFrom('provisioning_keys')
      .select(['key_hash', 'organisation_id'])
      .where('revoked_at', 'is', null)
      .execute();
    this.#keys = keys.map((row) => ({ hash: row.key_hash, organisationId: row.organisation_id }));
  }

  /** Connections end whose datalogger is gone, locked out, or has another password. */
  #set(sn: string, now: Credential | undefined): void {
    const old = this.#loggers.get(sn);
    this.#askedMs.delete(sn);
    if (now === undefined) this.#loggers.delete(sn);
    else this.#loggers.set(sn, now);
    if (old === undefined) return;
    const hasNewToken = now !== undefined && old.tokenHash !== undefined && !same(old.tokenHash, now.tokenHash);
    if (now === undefined || (now.isRevoked && !old.isRevoked) || hasNewToken) this.#onRevoked(sn);
  }

  /**
   * Checks a logger's serial number and password. Unknown serial numbers with a valid provisioning key are quarantined.
   * With `mayAsk` false what is held in memory decides: a wrong password then costs the database nothing.
   */
  async admit(sn: string, password: Buffer, { mayAsk = true } = {}): Promise<Admission> {
    const admission = await this.#check(sn, password, mayAsk);
    if (admission === 'admitted' || admission === 'quarantined') await this.#onAdmitted(sn);
    return admission;
  }

  async #check(sn: string, password: Buffer, mayAsk: boolean): Promise<Admission> {
    if (!isLoggerSn(sn) || password.length === 0 || password.length > 256) return 'refused';
    const hash = hashToken(password);
    let known = this.#loggers.get(sn);
    if (known !== undefined && !known.isRevoked && same(hash, known.tokenHash)) return 'admitted';
    if (mayAsk && this.#mayAsk(sn)) {
      const row = await this.#db
        .selectFrom('loggers')
        .select(['sn', 'token_hash', 'revoked_at'])
        .where('sn', '=', sn)
        .executeTakeFirst();
      known = row === undefined ? undefined : credentialOf(row);
      if (known === undefined) this.#loggers.delete(sn);
      else this.#loggers.set(sn, known);
      if (known !== undefined && !known.isRevoked && same(hash, known.tokenHash)) return 'admitted';
    }
    if (known?.isRevoked === true || known?.tokenHash !== undefined) return 'refused';
    const key = this.#keys.find((entry) => timingSafeEqual(entry.hash, hash));
    if (key === undefined) return 'refused';
    if (!(await this.#provision(sn, key))) return 'later';
    this.#loggers.set(sn, { tokenHash: undefined, isRevoked: false });
    return 'quarantined';
  }

  /** Makes the row of a new logger, unless its key has made enough in the last hour. Counted under a lock of the key. */
  #provision(sn: string, { hash, organisationId }: { hash: Buffer; organisationId: string }): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      await tx.selectFrom('provisioning_keys').select('key_hash').where('key_hash', '=', hash).forUpdate().execute();
      const { rows } = await sql<{ count: number; is_known: boolean }>`
        select count(*)::int as count, exists (select from loggers where sn = ${sn}) as is_known from loggers
        where provisioned_by = ${hash} and created_at > now() - interval '1 hour'`.execute(tx);
      const [{ count, is_known: isKnown } = { count: 0, is_known: false }] = rows;
      if (isKnown) return true;
      if (count >= MOST_PROVISIONED_PER_HOUR) return false;
      await tx
        .insertInto('loggers')
        .values({ sn, organisation_id: organisationId, quarantined: true, provisioned_by: hash })
        .onConflict((conflict) => conflict.column('sn').doNothing())
        .execute();
      return true;
    });
  }

  #mayAsk(sn: string): boolean {
    const nowMs = Date.now();
    if (nowMs - (this.#askedMs.get(sn) ?? 0) < ROW_AGAIN_AFTER_MS) return false;
    if (this.#askedMs.size >= MOST_REMEMBERED) this.#askedMs.clear();
    this.#askedMs.set(sn, nowMs);
    return true;
  }
}

function credentialOf(row: { token_hash: Buffer | null; revoked_at: Date | null }): Credential {
  return {
    tokenHash: row.token_hash ?? undefined,
    isRevoked: row.revoked_at !== null,
  };
}

function same(a: Buffer, b: Buffer | undefined): boolean {
  return b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}
