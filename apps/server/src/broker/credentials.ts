import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoggerSn } from '@sonnenwarte/device-protocol/topics';
import { type Kysely, sql } from 'kysely';
import { inSlices } from '../ingestion/in-slices.ts';
import type { Database } from '../stores/schema.ts';

/** `later`: the key has let in as many as it may for now. */
export type Admission = 'admitted' | 'quarantined' | 'refused' | 'later';

interface Credential {
  tokenHash: Buffer | undefined;
  isRevoked: boolean;
}

const RELOAD_MS = 2_000;
const ROW_AGAIN_AFTER_MS = 1_000;
/** New loggers that a provisioning key lets in within an hour. A key that got about must not fill the table. */
export const MOST_PROVISIONED_PER_HOUR = 100;

export function hashToken(token: string | Buffer): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Passwords of loggers, held in memory and followed in Postgres, where other processes add and revoke. */
export class Credentials {
  readonly #db: Kysely<Database>;
  #loggers = new Map<string, Credential>();
  #keys: { hash: Buffer; organisationId: string }[] = [];
  readonly #askedMs = new Map<string, number>();
  readonly #onRevoked: (sn: string) => void;
  readonly #onAdmitted: (sn: string) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #reloading: Promise<void> | undefined;

  constructor(db: Kysely<Database>, listeners: { revoked(sn: string): void; admitted(sn: string): Promise<void> }) {
    this.#db = db;
    this.#onRevoked = listeners.revoked;
    this.#onAdmitted = listeners.admitted;
  }

  async start(onError: (error: unknown) => void): Promise<void> {
    await this.reload();
    this.#timer = setInterval(() => void this.reload().catch(onError), RELOAD_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reloading?.catch(() => undefined);
  }

  reload(): Promise<void> {
    this.#reloading ??= this.#load().finally(() => {
      this.#reloading = undefined;
    });
    return this.#reloading;
  }

  async #load(): Promise<void> {
    const [rows, keys] = await Promise.all([
      this.#db.selectFrom('loggers').select(['sn', 'token_hash', 'revoked_at']).execute(),
      this.#db
        .selectFrom('provisioning_keys')
        .select(['key_hash', 'organisation_id'])
        .where('revoked_at', 'is', null)
        .execute(),
    ]);
    const before = this.#loggers;
    const next = new Map<string, Credential>();
    await inSlices(rows, (row) => next.set(row.sn, credentialOf(row)));
    this.#loggers = next;
    this.#keys = keys.map((row) => ({ hash: row.key_hash, organisationId: row.organisation_id }));
    this.#askedMs.clear();
    await inSlices(before, ([sn, old]) => {
      const now = next.get(sn);
      const hasNewToken = now !== undefined && old.tokenHash !== undefined && !same(old.tokenHash, now.tokenHash);
      if (now === undefined || (now.isRevoked && !old.isRevoked) || hasNewToken) this.#onRevoked(sn);
    });
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
