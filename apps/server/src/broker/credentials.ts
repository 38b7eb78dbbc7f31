import { createHash, timingSafeEqual } from 'node:crypto';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type Kysely, sql } from 'kysely';
import type { ChangeFeed, Changes } from '../changes/change-feed.ts';
import { Gathered } from '../gathered.ts';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';

/** `later`: the key has let in as many as it may for now. */
export type Admission = 'admitted' | 'quarantined' | 'refused' | 'later';

interface Credential {
  tokenHash: Buffer | undefined;
  isRevoked: boolean;
}

const ROW_AGAIN_AFTER_MS = 1_000;
/** Passwords that are held of loggers that are not connected. */
const MOST_REMEMBERED = 10_000;
const MOST_READ_AT_ONCE = 500;
/** New loggers that a provisioning key lets in within an hour. A key that got about must not fill the table. */
export const MOST_PROVISIONED_PER_HOUR = 100;

export function hashToken(token: string | Buffer): Buffer {
  return createHash('sha256').update(token).digest();
}

export interface CredentialListeners {
  revoked(sn: string): void;
  admitted(sn: string): Promise<unknown>;
  isConnected(sn: string): boolean;
}

/** Passwords of loggers: read when one signs in, held while it is connected and a while after, and followed in Postgres. */
export class Credentials {
  readonly #db: Kysely<Database>;
  readonly #feed: Pick<ChangeFeed, 'listen'>;
  /** undefined: there is no such logger. */
  readonly #dataloggers = new Map<string, Credential | undefined>();
  readonly #asked: Gathered<Credential>;
  /** Readings that may be older than a change that is told. */
  #reading: Promise<unknown> = Promise.resolve();
  #keys: { hash: Buffer; organisationID: string }[] = [];
  readonly #askedMs = new Map<string, number>();
  readonly #listeners: CredentialListeners;
  #sweepAt = MOST_REMEMBERED;

  constructor(db: Kysely<Database>, feed: Pick<ChangeFeed, 'listen'>, listeners: CredentialListeners) {
    this.#db = db;
    this.#feed = feed;
    this.#listeners = listeners;
    this.#asked = new Gathered((sns) => this.#read(sns), MOST_READ_AT_ONCE);
  }

  /** From now on those that are held are followed. */
  async start(): Promise<void> {
    await this.#readKeys();
    this.#feed.listen({
      changed: (changes) => this.#readChanged(changes),
      missed: async () => {
        await this.#readAgain([...this.#dataloggers.keys()]);
        await this.#readKeys();
      },
    });
  }

  /** Loggers whose passwords are held. */
  get size(): number {
    return this.#dataloggers.size;
  }

  #read(sns: readonly string[]): Promise<Map<string, Credential>> {
    const reading = this.#db
      .selectFrom('loggers')
      .select(['sn', 'token_hash', 'revoked_at'])
      .where(sql<boolean>`sn = any(${sns}::text[])`)
      .execute()
      .then((rows) => {
        const found = new Map(rows.map((row) => [row.sn, credentialOf(row)]));
        this.#sweep();
        for (const sn of sns) this.#set(sn, found.get(sn));
        return found;
      });
    this.#reading = Promise.allSettled([this.#reading, reading]);
    return reading;
  }

  async #readChanged({ dataloggers, areKeysChanged }: Changes): Promise<void> {
    // What is being read now may have been read before the change.
    await this.#reading;
    await this.#readAgain([...dataloggers.values()].filter((sn) => this.#dataloggers.has(sn)));
    if (areKeysChanged) await this.#readKeys();
  }

  async #readAgain(sns: readonly string[]): Promise<void> {
    for (const part of partsOf(sns, MOST_READ_AT_ONCE)) await this.#read(part);
  }

  /** Forgets who is not connected, once there are too many. */
  #sweep(): void {
    if (this.#dataloggers.size < this.#sweepAt) return;
    for (const sn of this.#dataloggers.keys()) if (!this.#listeners.isConnected(sn)) this.#dataloggers.delete(sn);
    this.#sweepAt = Math.max(MOST_REMEMBERED, 2 * this.#dataloggers.size);
  }

  async #readKeys(): Promise<void> {
    const keys = await this.#db
      .selectFrom('provisioning_keys')
      .select(['key_hash', 'organisation_id'])
      .where('revoked_at', 'is', null)
      .execute();
    this.#keys = keys.map((row) => ({ hash: row.key_hash, organisationID: row.organisation_id }));
  }

  /** Connections end whose datalogger is gone, locked out, or has another password, also its first in place of a provisioning key. */
  #set(sn: string, now: Credential | undefined): void {
    const old = this.#dataloggers.get(sn);
    this.#dataloggers.set(sn, now);
    if (old === undefined) return;
    const hasNewToken = now !== undefined && !isSameToken(old.tokenHash, now.tokenHash);
    if (now === undefined || (now.isRevoked && !old.isRevoked) || hasNewToken) this.#listeners.revoked(sn);
  }

  /**
   * Checks a logger's serial number and password. Unknown serial numbers with a valid provisioning key are quarantined.
   * With `mayAsk` false the row of a logger whose password is held is not read again: a wrong one then costs the database nothing.
   */
  async admit(sn: string, password: Buffer, { mayAsk = true } = {}): Promise<Admission> {
    const admission = await this.#check(sn, password, mayAsk);
    if (admission !== 'admitted' && admission !== 'quarantined') return admission;
    await this.#listeners.admitted(sn);
    // It may have been locked out meanwhile, or got a password of its own.
    const held = this.#dataloggers.has(sn) ? this.#dataloggers.get(sn) : await this.#asked.ask(sn);
    const isStill = admission === 'admitted' ? isOf(held, hashToken(password)) : isWithoutToken(held);
    return isStill ? admission : 'refused';
  }

  async #check(sn: string, password: Buffer, mayAsk: boolean): Promise<Admission> {
    if (!isDataloggerSn(sn) || password.length === 0 || password.length > 256) return 'refused';
    const hash = hashToken(password);
    const isHeld = this.#dataloggers.has(sn);
    let known = this.#dataloggers.get(sn);
    if (isOf(known, hash)) return 'admitted';
    if (!isHeld || (mayAsk && this.#mayAsk(sn))) {
      known = await this.#asked.ask(sn);
      if (isOf(known, hash)) return 'admitted';
    }
    if (known?.isRevoked === true || known?.tokenHash !== undefined) return 'refused';
    const key = this.#keys.find((entry) => timingSafeEqual(entry.hash, hash));
    if (key === undefined) return 'refused';
    if (!(await this.#provision(sn, key))) return 'later';
    this.#dataloggers.set(sn, { tokenHash: undefined, isRevoked: false });
    return 'quarantined';
  }

  /** Makes the row of a new logger, unless its key has made enough in the last hour. Counted under a lock of the key. */
  #provision(sn: string, { hash, organisationID }: { hash: Buffer; organisationID: string }): Promise<boolean> {
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
        .values({ sn, organisation_id: organisationID, quarantined: true, provisioned_by: hash })
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

function isOf(credential: Credential | undefined, hash: Buffer): boolean {
  return credential !== undefined && !credential.isRevoked && same(hash, credential.tokenHash);
}

/** Whether a provisioning key stands for the password that it does not have yet. */
function isWithoutToken(credential: Credential | undefined): boolean {
  return credential !== undefined && !credential.isRevoked && credential.tokenHash === undefined;
}

function credentialOf(row: { token_hash: Buffer | null; revoked_at: Date | null }): Credential {
  return {
    tokenHash: row.token_hash ?? undefined,
    isRevoked: row.revoked_at !== null,
  };
}

function isSameToken(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined ? b === undefined : same(a, b);
}

function same(a: Buffer, b: Buffer | undefined): boolean {
  return b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}
