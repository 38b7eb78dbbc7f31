import { createHash, timingSafeEqual } from 'node:crypto';
import { isLoggerSn } from '@sonnenwarte/device-protocol/topics';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';

export type Admission = 'admitted' | 'quarantined' | 'refused';

interface Credential {
  tokenHash: Buffer | undefined;
  isRevoked: boolean;
}

const RELOAD_MS = 2_000;
const ROW_AGAIN_AFTER_MS = 1_000;

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
    for (const row of rows) next.set(row.sn, credentialOf(row));
    this.#loggers = next;
    this.#keys = keys.map((row) => ({ hash: row.key_hash, organisationId: row.organisation_id }));
    this.#askedMs.clear();
    for (const [sn, old] of before) {
      const now = next.get(sn);
      const hasNewToken = now !== undefined && old.tokenHash !== undefined && !same(old.tokenHash, now.tokenHash);
      if (now === undefined || (now.isRevoked && !old.isRevoked) || hasNewToken) this.#onRevoked(sn);
    }
  }

  /**
   * Checks a logger's serial number and password. Unknown serial numbers with a valid provisioning key are quarantined.
   * With `mayAsk` false what is held in memory decides: a wrong password then costs the database nothing.
   */
  async admit(sn: string, password: Buffer, { mayAsk = true } = {}): Promise<Admission> {
    const admission = await this.#check(sn, password, mayAsk);
    if (admission !== 'refused') await this.#onAdmitted(sn);
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
    await this.#db
      .insertInto('loggers')
      .values({ sn, organisation_id: key.organisationId, quarantined: true })
      .onConflict((conflict) => conflict.column('sn').doNothing())
      .execute();
    this.#loggers.set(sn, { tokenHash: undefined, isRevoked: false });
    return 'quarantined';
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
