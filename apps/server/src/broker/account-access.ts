import { LEVEL } from '@sonnenwarte/contract/levels';
import { dataloggerOfFilter } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type Kysely, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { dataloggerIsVisible, scopeOf } from '../access/scope.ts';
import { accountByKey, touchKey } from '../api-keys/api-keys.store.ts';
import { actorOfKey } from '../api-keys/key-actors.ts';
import type { Database } from '../stores/schema.ts';
import { hashToken } from './credentials.ts';

type Db = Kysely<Database>;

const CHECK_MS = 5_000;
const MOST_FILTERS = 1_000;

/** What is needed of a connection. */
interface Connection {
  readonly id: string;
  readonly closed: boolean;
  close(): void;
}

interface Held {
  readonly connection: Connection;
  readonly username: string;
  readonly keyHash: Buffer;
  /** Loggers by the filters that name them. */
  readonly filters: Map<string, string>;
}

/** Whether a client of the broker says that it is an account, not a logger. */
export const isAccountClient = (clientId: string): boolean => /^u-[0-9a-f]{20}$/.test(clientId);

/** Accounts that read the messages of their loggers, with an API key as password. They never write. */
export class AccountAccess {
  readonly #db: Db;
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** From now on connections end whose account, key, switch or scope no longer holds. */
  start(onError: (error: unknown) => void): void {
    this.#timer = setInterval(() => void this.check().catch(onError), CHECK_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#checking?.catch(() => undefined);
  }

  async admit(connection: Connection, username: string, password: Buffer): Promise<boolean> {
    const key = password.toString('latin1');
    if (!/^[0-9a-f]{64}$/.test(key)) return false;
    const held: Held = { connection, username, keyHash: hashToken(key), filters: new Map() };
    const found = await this.#accountOf(held);
    if (found === undefined) return false;
    await touchKey(this.#db, found.keyId);
    this.#held.set(connection.id, held);
    return true;
  }

  /** Whether a connection may read what `filter` matches: the messages of one logger in the scope of its account. */
  async maySubscribe({ id }: Connection, filter: string): Promise<boolean> {
    const held = this.#held.get(id);
    const sn = dataloggerOfFilter(filter);
    if (held === undefined || sn === undefined || held.filters.size >= MOST_FILTERS) return false;
    const found = await this.#accountOf(held);
    if (found === undefined || !(await this.#seesAll(found.actor, [sn]))) return false;
    held.filters.set(filter, sn);
    return true;
  }

  unsubscribed({ id }: Connection, filters: readonly string[]): void {
    for (const filter of filters) this.#held.get(id)?.filters.delete(filter);
  }

  ended(connection: Connection): void {
    if (this.#held.get(connection.id)?.connection === connection) this.#held.delete(connection.id);
  }

  check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkAll(): Promise<void> {
    for (const held of [...this.#held.values()]) {
      const { connection, filters } = held;
      if (connection.closed) {
        this.ended(connection);
        continue;
      }
      const found = await this.#accountOf(held);
      if (found === undefined || !(await this.#seesAll(found.actor, [...filters.values()]))) connection.close();
    }
  }

  async #accountOf({ connection, username, keyHash }: Held): Promise<{ actor: Actor; keyId: string } | undefined> {
    const account = await accountByKey(this.#db, keyHash);
    if (!account?.api_mqtt_enable || account.client_id !== connection.id || account.username !== username) {
      return undefined;
    }
    const actor = actorOfKey(account);
    if (actor === undefined || actor.mustChangePassword || actor.level === LEVEL.integrator) return undefined;
    return { actor, keyId: account.key_id };
  }

  async #seesAll(actor: Actor, sns: readonly string[]): Promise<boolean> {
    const wanted = [...new Set(sns)];
    if (wanted.length === 0) return true;
    const { count } = await this.#db
      .selectFrom('loggers')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('loggers.sn', 'in', wanted)
      .where(dataloggerIsVisible(scopeOf(actor)))
      .executeTakeFirstOrThrow();
    return count === wanted.length;
  }
}
