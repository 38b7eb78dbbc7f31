import { isLoggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { Registry } from '../registry/registry.ts';

const MOST_ASKED = 100;
const ASK_AGAIN_AFTER_MS = 5_000;

/** Loggers that are not known may have been added a moment ago: their messages wait until the loggers are read again. */
export class UnknownLoggers {
  readonly #registry: Registry;
  readonly #asked = new Map<string, Promise<void>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Answers in the order in which it was asked. */
  learn(sn: string, answer: (isKnown: boolean) => void): void {
    let asked = this.#asked.get(sn);
    if (asked === undefined) {
      if (!isLoggerSn(sn) || this.#asked.size >= MOST_ASKED) {
        answer(false);
        return;
      }
      asked = this.#registry.learn(sn).catch(() => undefined);
      this.#asked.set(sn, asked);
      setTimeout(() => this.#asked.delete(sn), ASK_AGAIN_AFTER_MS).unref();
    }
    asked.then(() => answer(this.#registry.loggerBySn(sn) !== undefined));
  }
}
