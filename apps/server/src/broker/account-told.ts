import type { Actor } from '../access/actor.ts';

/** A connection of an account to the broker, as who tells it something sees it. */
export interface AccountLine {
  readonly username: string;
  readonly closed: boolean;
  /** Whose it is; undefined where that no longer holds. */
  actor(): Promise<Actor | undefined>;
  /** Sends to this connection alone; resolves when it can take the next message, or is closed. */
  send(topic: string, payload: string, retain: boolean): Promise<void>;
}

/** What accounts are told beside the messages of their dataloggers. Nothing of it goes through the broker's topics. */
export interface AccountTold {
  /** Whether a filter matches nothing but what is told to the account of this name. */
  mayRead(username: string, filter: string): boolean;
  /** Whether a topic is one on which such messages stand. */
  isTold(topic: string): boolean;
  /** Whether an account may say something on a topic: it is heard, and goes to nobody else. */
  mayWrite(topic: string): boolean;
  subscribed(line: AccountLine, filters: readonly string[]): void;
  unsubscribed(line: AccountLine, filters: readonly string[]): void;
  heard(line: AccountLine, payload: string): void;
  ended(line: AccountLine): void;
}
