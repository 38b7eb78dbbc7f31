import { LEVEL } from '@sonnenwarte/contract/levels';
import { dataloggerOfFilter } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type Kysely, sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { dataloggerIsVisible, scopeOf } from '../access/scope.ts';
import { accountByKey, touchKey } from '../api-keys/api-keys.store.ts';
import { actorOfKey } from '../api-keys/key-actors.ts';
import type { Database } from '../stores/schema.ts';
import type { AccountLine, AccountTold } from './account-told.ts';
import { hashToken } from './credentials.ts';

type Db = Kysely<Database>;

const CHECK_MS = 5_000;
const MOST_FILTERS = 1_000;
/** Of what the portal itself tells: a program may name each value of each device. */
const MOST_TOLD_FILTERS = 10_000;

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
  /** Filters of what the portal itself tells. */
  readonly toldFilters: Set<string>;
  readonly line: AccountLine;
}

/** Whether a client of the broker says that it is an account, not a logger. */
export const isAccountClient = (clientId: string): boolean => /^u-[0-9a-f]{20}$/.test(clientId);

/** Accounts that read the messages of their loggers, with an API key as password. They never write to anybody. */
export class AccountAccess {
  readonly #db: Db;
  readonly #held = new Map<string, Held>();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;
  /** What the portal itself tells accounts, if it does. */
  told: AccountTold | undefined;

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

  async admit(
    connection: Connection,
    username: string,
    password: Buffer,
    send: AccountLine['send'] = async () => undefined,
  ): Promise<boolean> {
    const key = password.toString('latin1');
    if (!/^[0-9a-f]{64}$/.test(key)) return false;
    const line: AccountLine = {
      username,
      get closed() {
        return connection.closed;
      },
      actor: async () => (await this.#accountOf(held))?.actor,
      send,
    };
    const held: Held = {
      connection,
      username,
      keyHash: hashToken(key),
      filters: new Map(),
      toldFilters: new Set(),
      line,
    };
    const found = await this.#accountOf(held);
    if (found === undefined) return false;
    await touchKey(this.#db, found.keyId);
    const before = this.#held.get(connection.id);
    if (before !== undefined) this.told?.ended(before.line);
    this.#held.set(connection.id, held);
    return true;
  }

  /**
   * Whether a connection may read what `filter` matches: the messages of one logger in the scope of its account, or what the portal
   * tells this account.
   */
  async maySubscribe(connection: Connection, filter: string): Promise<boolean> {
    const held = this.#heldOf(connection);
    if (held !== undefined && this.told?.mayRead(held.username, filter)) {
      if (held.toldFilters.size >= MOST_TOLD_FILTERS) return false;
      held.toldFilters.add(filter);
      return true;
    }
    const sn = dataloggerOfFilter(filter);
    if (held === undefined || sn === undefined || held.filters.size >= MOST_FILTERS) return false;
    const found = await this.#accountOf(held);
    if (found === undefined || !(await this.#seesAll(found.actor, [sn]))) return false;
    held.filters.set(filter, sn);
    return true;
  }

  /** The client has been told that its subscriptions hold. */
  subscribed(connection: Connection, filters: readonly string[]): void {
    const held = this.#heldOf(connection);
    const told = filters.filter((filter) => held?.toldFilters.has(filter));
    if (held !== undefined && told.length > 0) this.told?.subscribed(held.line, told);
  }

  unsubscribed(connection: Connection, filters: readonly string[]): void {
    const held = this.#heldOf(connection);
    if (held === undefined) return;
    const told = filters.filter((filter) => held.toldFilters.delete(filter));
    for (const filter of filters) held.filters.delete(filter);
    if (told.length > 0) this.told?.unsubscribed(held.line, told);
  }

  /** Whether an account may say something on a topic, which is then heard by the portal alone. */
  hears(connection: Connection, topic: string, payload: string): boolean {
    const held = this.#heldOf(connection);
    if (held === undefined || !this.told?.mayWrite(topic)) return false;
    this.told.heard(held.line, payload);
    return true;
  }

  ended(connection: Connection): void {
    const held = this.#heldOf(connection);
    if (held === undefined) return;
    this.#held.delete(connection.id);
    this.told?.ended(held.line);
  }

  check(): Promise<void> {
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** A client that took over the id of another is not that other. */
  #heldOf(connection: Connection): Held | undefined {
    const held = this.#held.get(connection.id);
    return held?.connection === connection ? held : undefined;
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
