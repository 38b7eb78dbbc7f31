import { DEFAULT_LANGUAGE, isLanguage } from '@sonnenwarte/contract/languages';
import { MOST_TOLD_DEVICES } from '@sonnenwarte/contract/user-center/mqtt-access';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { type Scope, scopeOf } from '../access/scope.ts';
import type { AccountLine, AccountTold } from '../broker/account-told.ts';
import type { LiveBus, LiveNews } from '../changes/live-bus.ts';
import { devicesNow } from '../device-rows/device-rows.store.ts';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import { Turns } from '../turns.ts';
import {
  announcedTo,
  dataloggersNow,
  devicesToTell,
  forgetAnnounced,
  languageOf,
  noteAnnounced,
} from './home-assistant.store.ts';
import { Listener, type Whom } from './listener.ts';
import { dataloggerMessages, deviceMessages } from './messages.ts';
import { discoveryTopic, isOfAccount, isToldTopic, STATUS_TOPIC } from './topics.ts';

export interface HomeAssistantParts {
  readonly db: Kysely<Database>;
  readonly bus: Pick<LiveBus, 'subscribe'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly portal: string | undefined;
  /** Looks at once whether the connections of accounts still hold. */
  readonly tenancyChanged: () => Promise<void>;
  readonly gatherMs?: number;
}

/** News that come within this time are told together. */
const GATHER_MS = 500;
/** It rests for this many times what its last reading took, so that reading never fills the time. */
const REST_FACTOR = 3;
/** States change by mere silence, and names without a word: all is read again. */
const READ_AGAIN_MS = 60_000;
/** Which devices there are: of an organisation it is asked less often than of the owner of a few plants. */
const LIST_AGAIN_MS = 600_000;
const AT_ONCE = 4;
const READ_TOGETHER = 50;

/**
 * Tells the programs of accounts, first of all Home Assistant, of their devices: announces them, says whether they are there and
 * what they measure. Each connection is told what its own account may see, and by itself: nothing of it is kept by the broker.
 * Only who is connected and asks costs anything.
 */
export class HomeAssistant implements AccountTold {
  readonly #parts: HomeAssistantParts;
  readonly #listeners = new Map<AccountLine, Listener>();
  readonly #byKey = new Map<number, Set<Listener>>();
  #unsubscribe: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #again: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #restMs = 0;

  constructor(parts: HomeAssistantParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.bus.subscribe((news) => this.#hear(news));
    this.#again = setInterval(() => {
      for (const listener of this.#listeners.values()) listener.mustRead = true;
      this.#wake();
    }, READ_AGAIN_MS);
    this.#again.unref();
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    clearInterval(this.#again);
    clearTimeout(this.#timer);
    for (const line of [...this.#listeners.keys()]) this.ended(line);
    await this.#running;
  }

  mayRead(username: string, filter: string): boolean {
    return isOfAccount(username, filter);
  }

  isTold(topic: string): boolean {
    return isToldTopic(topic);
  }

  mayWrite(topic: string): boolean {
    return topic === STATUS_TOPIC;
  }

  subscribed(line: AccountLine, filters: readonly string[]): void {
    let listener = this.#listeners.get(line);
    if (listener === undefined) {
      const made: Listener = new Listener(line, (topic, payload) => this.#sent(made, topic, payload));
      listener = made;
      this.#listeners.set(line, made);
    }
    listener.ask(filters);
    this.#wake();
  }

  unsubscribed(line: AccountLine, filters: readonly string[]): void {
    const listener = this.#listeners.get(line);
    listener?.askNoMore(filters);
    if (listener?.isAsking === false) this.ended(line);
  }

  /** A Home Assistant that has started asks for everything anew. */
  heard(line: AccountLine, payload: string): void {
    if (payload !== 'online') return;
    this.#listeners.get(line)?.askAll();
    this.#wake();
  }

  ended(line: AccountLine): void {
    const listener = this.#listeners.get(line);
    if (listener === undefined) return;
    this.#listeners.delete(line);
    for (const key of listener.devices.keys()) this.#forget(key, listener);
  }

  #hear(news: LiveNews): void {
    if (this.#listeners.size === 0) return;
    if (news.tenancy || news.missed) {
      for (const listener of this.#listeners.values()) listener.mustList = true;
      void this.#parts.tenancyChanged().catch((error: unknown) => this.#warn(error));
    }
    for (const key of news.devices) for (const listener of this.#byKey.get(key) ?? []) listener.dirty.add(key);
    this.#wake();
  }

  #wake(): void {
    if (this.#timer !== undefined || this.#running !== undefined) return;
    if (![...this.#listeners.values()].some(({ isWaiting }) => isWaiting)) return;
    const pauseMs = Math.max(this.#parts.gatherMs ?? GATHER_MS, this.#restMs);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const startMs = performance.now();
      this.#running = this.#readAll().finally(() => {
        this.#restMs = REST_FACTOR * (performance.now() - startMs);
        this.#running = undefined;
        this.#wake();
      });
    }, pauseMs);
    this.#timer.unref();
  }

  async #readAll(): Promise<void> {
    const waiting = [...this.#listeners.values()].filter(({ isWaiting }) => isWaiting).values();
    const readNext = async () => {
      for (const listener of waiting) {
        await this.#read(listener).catch((error: unknown) => {
          listener.mustRead = true;
          this.#warn(error);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  }

  async #read(listener: Listener): Promise<void> {
    const isWhole = listener.mustList || listener.mustRead || listener.whom === undefined;
    const dirty = new Set(listener.dirty);
    listener.dirty.clear();
    if (isWhole && !(await this.#list(listener))) return;
    const { whom } = listener;
    if (whom === undefined || listener.line.closed) return;
    const keys = isWhole ? [...listener.devices.keys()] : [...dirty];
    const visible = await this.#tell(listener, whom, keys);
    if (isWhole) await this.#takeBack(listener, whom, visible);
    await this.#noteAnnounced(listener, whom);
    listener.sendFresh();
  }

  /** Finds out whose the connection is and what it may see; false where it is nobody's any more. */
  async #list(listener: Listener): Promise<boolean> {
    const { db, portal } = this.#parts;
    const { mustList } = listener;
    listener.mustList = false;
    listener.mustRead = false;
    try {
      const actor = await listener.line.actor();
      if (actor === undefined) {
        this.ended(listener.line);
        return false;
      }
      const scope = scopeOf(actor);
      const language = await languageOf(db, actor.accountId);
      const reader = {
        username: listener.line.username,
        language: isLanguage(language) ? language : DEFAULT_LANGUAGE,
        portal,
      };
      listener.whom = { accountId: actor.accountId, scope, reader };
      if (mustList || Date.now() - listener.listedMs > relistMs(scope)) {
        const devices = await devicesToTell(db, scope, MOST_TOLD_DEVICES);
        listener.listedMs = Date.now();
        this.#watch(listener, devices);
      }
      return true;
    } catch (error) {
      listener.mustList = mustList;
      throw error;
    }
  }

  #watch(listener: Listener, devices: readonly { id: string; key: number }[]): void {
    if (!this.#listeners.has(listener.line)) return;
    const now = new Map(devices.map(({ id, key }) => [key, id]));
    for (const key of listener.devices.keys()) {
      if (now.has(key)) continue;
      listener.devices.delete(key);
      this.#forget(key, listener);
    }
    for (const [key, id] of now) {
      listener.devices.set(key, id);
      const listeners = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, listeners.add(listener));
    }
  }

  #forget(key: number, listener: Listener): void {
    const listeners = this.#byKey.get(key);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#byKey.delete(key);
  }

  /** Tells what is now of these devices and their dataloggers; gives back the serial numbers of those that are in scope. */
  async #tell(listener: Listener, { scope, reader }: Whom, keys: readonly number[]): Promise<Set<string>> {
    const { db } = this.#parts;
    const turns = new Turns(1);
    const visible = new Set<string>();
    const dataloggers = new Set<string>();
    for (const part of partsOf(keys, READ_TOGETHER)) {
      const ids = part.flatMap((key) => listener.devices.get(key) ?? []);
      const rows = await devicesNow(db, scope, ids, Date.now());
      // What is no longer in scope is taken back by a reading of all.
      if (rows.length < ids.length) listener.mustList = true;
      for (const row of rows) {
        listener.tell(row.sn, deviceMessages(row, reader));
        visible.add(row.sn);
        dataloggers.add(row.logger_sn);
        if (turns.isOver) await turns.giveBack();
      }
    }
    if (dataloggers.size === 0) return visible;
    for (const row of await dataloggersNow(db, scope, [...dataloggers], Date.now())) {
      if (visible.has(row.sn)) continue;
      listener.tell(row.sn, dataloggerMessages(row, reader));
      visible.add(row.sn);
    }
    return visible;
  }

  async #takeBack(listener: Listener, { accountId }: Whom, visible: ReadonlySet<string>): Promise<void> {
    for (const sn of [...listener.sns, ...(await announcedTo(this.#parts.db, accountId))]) {
      if (!visible.has(sn)) listener.takeBack(sn);
    }
  }

  async #noteAnnounced(listener: Listener, { accountId }: Whom): Promise<void> {
    const sns = listener.announced.filter((sn) => !listener.noted.has(sn));
    if (sns.length === 0) return;
    await noteAnnounced(this.#parts.db, accountId, sns);
    for (const sn of sns) listener.noted.add(sn);
  }

  #sent(listener: Listener, topic: string, payload: string): void {
    const { whom } = listener;
    if (payload !== '' || whom === undefined) return;
    const sn = topic.split('/')[2] ?? '';
    if (topic !== discoveryTopic(sn)) return;
    forgetAnnounced(this.#parts.db, whom.accountId, sn).catch((error: unknown) => this.#warn(error));
  }

  #warn(error: unknown): void {
    this.#parts.logger.warn({ err: error }, 'what accounts are told of their devices could not be read');
  }
}

const relistMs = ({ kind }: Scope): number => (kind === 'owner' ? 0 : LIST_AGAIN_MS);
