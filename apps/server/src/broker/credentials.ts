import { createHash, timingSafeEqual } from 'node:crypto';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { ChangeFeed, Changes } from '../changes/change-feed.ts';
import { Gathered } from '../gathered.ts';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import { type FormerPassword, formersIn } from './former-passwords.ts';
import { takePassword } from './taken-password.store.ts';

/** `later`: the key has let in as many as it may for now. */
export type Admission = 'admitted' | 'quarantined' | 'refused' | 'later';

interface Credential {
  tokenHash: Buffer | undefined;
  /** The passwords before, each good until its end, and all no longer than until then; that of a provisioning key too. */
  formers: readonly FormerPassword[];
  formerUntilMs: number;
  /** One that it was told to take, good until then. */
  nextHash: Buffer | undefined;
  nextUntilMs: number;
  isRevoked: boolean;
}

/** So long the password before a new one is still good. */
export const FORMER_PASSWORD_MS = 86_400_000;
const FORMER_LOOKED_AT_MS = 60_000;

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
  /** A datalogger has taken the password that a command told it. */
  passwordTaken(tx: Transaction<Database>, commandId: string): Promise<void>;
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
  /** Who is connected with a former password, and until when that is good. */
  readonly #withFormer = new Map<string, { hash: Buffer; untilMs: number }>();

  constructor(db: Kysely<Database>, feed: Pick<ChangeFeed, 'listen'>, listeners: CredentialListeners) {
    this.#db = db;
    this.#feed = feed;
    this.#listeners = listeners;
    this.#asked = new Gathered((sns) => this.#read(sns), MOST_READ_AT_ONCE);
  }

  /** From now on those that are held are followed. */
  async start(): Promise<void> {
    await this.#readKeys();
    setInterval(() => this.#endFormer(Date.now()), FORMER_LOOKED_AT_MS).unref();
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
      .select(['sn', 'token_hash', 'former_token_hash', 'former_token_until', 'revoked_at'])
      .select(['next_token_hash', 'next_token_until'])
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

  /**
   * Connections end whose datalogger is gone, locked out, or has another password, also its first in place of a provisioning key; but for
   * those whose password stays good for a while.
   */
  #set(sn: string, now: Credential | undefined): void {
    const old = this.#dataloggers.get(sn);
    this.#dataloggers.set(sn, now);
    if (old === undefined) return;
    if (now === undefined || (now.isRevoked && !old.isRevoked)) {
      this.#end(sn);
      return;
    }
    const used = this.#withFormer.get(sn)?.hash ?? old.tokenHash;
    if (isSameToken(used, now.tokenHash)) {
      this.#withFormer.delete(sn);
      return;
    }
    // Who came with a provisioning key is known by what is kept of it.
    const hash = used ?? now.formers[0]?.hash;
    const former = hash === undefined ? undefined : formerOf(now, hash);
    if (former === undefined) this.#end(sn);
    else if (this.#listeners.isConnected(sn)) this.#withFormer.set(sn, former);
  }

  #end(sn: string): void {
    this.#withFormer.delete(sn);
    this.#listeners.revoked(sn);
  }

  /** Passwords are good no longer than they were said to be. */
  #endFormer(nowMs: number): void {
    for (const [sn, { untilMs }] of this.#withFormer) if (untilMs <= nowMs) this.#end(sn);
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
    const hash = hashToken(password);
    const isStill = admission === 'admitted' ? isOf(held, hash) : isWithoutToken(held);
    if (!isStill) return 'refused';
    if (held !== undefined && isNext(held, hash)) {
      this.#withFormer.set(sn, { hash, untilMs: held.nextUntilMs });
      await takePassword(this.#db, sn, hash, (tx, id) => this.#listeners.passwordTaken(tx, id));
      return admission;
    }
    const former = held === undefined ? undefined : formerOf(held, hash);
    if (former !== undefined) this.#withFormer.set(sn, former);
    else this.#withFormer.delete(sn);
    return admission;
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
    const admission = await this.#provision(sn, key);
    if (admission !== 'quarantined') return admission;
    this.#dataloggers.set(sn, {
      tokenHash: undefined,
      formers: [],
      formerUntilMs: 0,
      nextHash: undefined,
      nextUntilMs: 0,
      isRevoked: false,
    });
    return 'quarantined';
  }

  /**
   * Makes the row of a new logger, unless its key has made enough in the last hour. Counted under a lock of the key. For a
   * logger that is there already the key stands where an earlier key of the same organisation made it, or where it belongs
   * to that organisation or one below.
   */
  #provision(sn: string, { hash, organisationID }: { hash: Buffer; organisationID: string }): Promise<Admission> {
    return this.#db.transaction().execute(async (tx) => {
      await tx.selectFrom('provisioning_keys').select('key_hash').where('key_hash', '=', hash).forUpdate().execute();
      const known = await sql<{ isOwn: boolean }>`
        select coalesce(maker.organisation_id = ${organisationID}, false)
          or coalesce(place.path @> array[${organisationID}::uuid], false) as "isOwn"
        from loggers
        left join sites on sites.id = loggers.site_id
        left join organisations place on place.id = coalesce(loggers.organisation_id, sites.organisation_id)
        left join provisioning_keys maker on maker.key_hash = loggers.provisioned_by
        where loggers.sn = ${sn}`.execute(tx);
      const [found] = known.rows;
      if (found) return found.isOwn ? 'quarantined' : 'refused';
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from loggers
        where provisioned_by = ${hash} and created_at > now() - interval '1 hour'`.execute(tx);
      if ((rows[0]?.count ?? 0) >= MOST_PROVISIONED_PER_HOUR) return 'later';
      const made = await tx
        .insertInto('loggers')
        .values({ sn, organisation_id: organisationID, quarantined: true, provisioned_by: hash })
        .onConflict((conflict) => conflict.column('sn').doNothing())
        .executeTakeFirst();
      // Another key was quicker: who comes again is told.
      return made.numInsertedOrUpdatedRows === 1n ? 'quarantined' : 'later';
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
  if (credential === undefined || credential.isRevoked) return false;
  return same(hash, credential.tokenHash) || formerOf(credential, hash) !== undefined || isNext(credential, hash);
}

const isNext = ({ nextHash, nextUntilMs }: Credential, hash: Buffer): boolean =>
  nextUntilMs > Date.now() && same(hash, nextHash);

/** Which of the former passwords it is, that is good still. */
function formerOf({ formers, formerUntilMs }: Credential, hash: Buffer): FormerPassword | undefined {
  const now = Date.now();
  if (formerUntilMs <= now) return undefined;
  return formers.find((former) => former.untilMs > now && same(hash, former.hash));
}

/** Whether a provisioning key stands for the password that it does not have yet. */
function isWithoutToken(credential: Credential | undefined): boolean {
  return credential !== undefined && !credential.isRevoked && credential.tokenHash === undefined;
}

function credentialOf(row: {
  token_hash: Buffer | null;
  former_token_hash: Buffer | null;
  former_token_until: Date | null;
  next_token_hash: Buffer | null;
  next_token_until: Date | null;
  revoked_at: Date | null;
}): Credential {
  return {
    tokenHash: row.token_hash ?? undefined,
    formers: formersIn(row.former_token_hash),
    formerUntilMs: row.former_token_until?.getTime() ?? 0,
    nextHash: row.next_token_hash ?? undefined,
    nextUntilMs: row.next_token_until?.getTime() ?? 0,
    isRevoked: row.revoked_at !== null,
  };
}

function isSameToken(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined ? b === undefined : same(a, b);
}

function same(a: Buffer, b: Buffer | undefined): boolean {
  return b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}
