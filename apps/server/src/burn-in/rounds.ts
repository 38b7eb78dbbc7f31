import type { Uses } from '../services.ts';
import { judgeRuns } from './round.ts';

/** So often what runs is judged while the server lives. */
const PAUSE_MS = 10_000;

/** Judges runs again and again, one round after the other. */
export class Rounds {
  readonly #services: Uses<'db' | 'telemetry' | 'nowMs' | 'commands' | 'liveClock' | 'logger'>;
  readonly #ending = new AbortController();
  readonly #listeningSinceMs: number;
  #current: Promise<void> | undefined;
  #cancel: (() => void) | undefined;

  constructor(services: Uses<'db' | 'telemetry' | 'nowMs' | 'commands' | 'liveClock' | 'logger'>) {
    this.#services = services;
    this.#listeningSinceMs = services.nowMs();
  }

  begin(): void {
    if (this.#ending.signal.aborted) return;
    this.#cancel = this.#services.liveClock.after(PAUSE_MS, () => {
      this.judge(this.#ending.signal)
        .catch((error: unknown) => this.#services.logger.warn({ err: error }, 'burn-in runs cannot be judged now'))
        .finally(() => this.begin());
    });
  }

  /** A round; one that is under way is waited for. */
  async judge(ending: AbortSignal): Promise<void> {
    this.#current ??= judgeRuns({ ...this.#services, listeningSinceMs: this.#listeningSinceMs }, ending).finally(() => {
      this.#current = undefined;
    });
    await this.#current;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#cancel?.();
    await this.#current?.catch(() => undefined);
  }
}
