import type { Scope } from '../access/scope.ts';
import type { AccountLine } from '../broker/account-told.ts';
import type { Messages, Reader } from './messages.ts';
import { discoveryTopic, hasWildcard, isDiscoveryTopic, matches } from './topics.ts';

export interface Whom {
  readonly accountId: string;
  readonly scope: Scope;
  readonly reader: Reader;
}

interface Waiting {
  readonly payload: string;
  readonly retain: boolean;
}

/** A connection that is told of devices: what it asked for, what it was told, and what waits to be sent to it. */
export class Listener {
  readonly line: AccountLine;
  /** Known after the first reading. */
  whom: Whom | undefined;
  listedMs = Number.NEGATIVE_INFINITY;
  /** Ids of the devices that it is told of, by the keys of the bus. */
  readonly devices = new Map<number, string>();
  readonly dirty = new Set<number>();
  /** Serial numbers that are written down as announced. */
  readonly noted = new Set<string>();
  mustList = true;
  mustRead = true;
  readonly #exact = new Set<string>();
  readonly #patterns = new Set<string>();
  /** Filters whose topics are yet to be sent as they are. */
  #fresh = new Set<string>();
  /** By serial number. */
  readonly #told = new Map<string, Messages>();
  /** Only the newest message of a topic waits: there are never more than there are topics. */
  readonly #waiting = new Map<string, Waiting>();
  #isSending = false;
  readonly #sent: (topic: string, payload: string) => void;

  constructor(line: AccountLine, sent: (topic: string, payload: string) => void) {
    this.line = line;
    this.#sent = sent;
  }

  get isWaiting(): boolean {
    return this.mustList || this.mustRead || this.dirty.size > 0 || this.#fresh.size > 0;
  }

  get isAsking(): boolean {
    return this.#exact.size + this.#patterns.size > 0;
  }

  get sns(): string[] {
    return [...this.#told.keys()];
  }

  ask(filters: readonly string[]): void {
    for (const filter of filters) {
      (hasWildcard(filter) ? this.#patterns : this.#exact).add(filter);
      this.#fresh.add(filter);
    }
  }

  askNoMore(filters: readonly string[]): void {
    for (const filter of filters) for (const set of [this.#exact, this.#patterns, this.#fresh]) set.delete(filter);
  }

  /** All is sent again, as to somebody who knows nothing yet. */
  askAll(): void {
    this.#fresh = new Set([...this.#exact, ...this.#patterns]);
  }

  /** Takes what is now to be told of a device, and sends what is new of it. */
  tell(sn: string, messages: Messages): void {
    const before = this.#told.get(sn);
    this.#told.set(sn, messages);
    for (const [topic, payload] of messages) {
      if (before?.get(topic) !== payload && this.#asksFor(topic)) this.#send(topic, payload, false);
    }
    for (const topic of before?.keys() ?? []) if (!messages.has(topic)) this.#waiting.delete(topic);
  }

  /** Takes a device back: an empty announcement removes it, and nothing more is said of it. */
  takeBack(sn: string): void {
    for (const topic of this.#told.get(sn)?.keys() ?? []) this.#waiting.delete(topic);
    this.#told.delete(sn);
    this.noted.delete(sn);
    const topic = discoveryTopic(sn);
    if (this.#asksFor(topic)) this.#send(topic, '', true);
  }

  /** Sends what stands on the topics that were asked for since the last time. */
  sendFresh(): void {
    const fresh = this.#fresh;
    this.#fresh = new Set();
    if (fresh.size === 0) return;
    const patterns = [...fresh].filter(hasWildcard);
    for (const messages of this.#told.values()) {
      for (const [topic, payload] of messages) {
        if (fresh.has(topic) || patterns.some((pattern) => matches(pattern, topic))) this.#send(topic, payload, true);
      }
    }
  }

  /** Serial numbers of what it has been announced. */
  get announced(): string[] {
    return this.sns.filter((sn) => this.#asksFor(discoveryTopic(sn)));
  }

  #asksFor(topic: string): boolean {
    if (this.#exact.has(topic)) return true;
    for (const pattern of this.#patterns) if (matches(pattern, topic)) return true;
    return false;
  }

  #send(topic: string, payload: string, retain: boolean): void {
    this.#waiting.set(topic, { payload, retain });
    if (!this.#isSending) void this.#sendAll();
  }

  /** One after the other: who reads slowly holds up no more than itself. */
  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (const [topic, { payload, retain }] of this.#waiting) {
      if (this.line.closed) break;
      this.#waiting.delete(topic);
      await this.line.send(topic, payload, retain);
      if (!this.line.closed && isDiscoveryTopic(topic)) this.#sent(topic, payload);
    }
    this.#isSending = false;
  }
}
