import { Gauge } from 'prom-client';
import type { Uses } from '../services.ts';
import { judgeRuns } from './round.ts';

/** So often what runs is judged while the server lives. */
const PAUSE_MS = 10_000;

type Used = Uses<'db' | 'telemetry' | 'nowMs' | 'commands' | 'liveClock' | 'logger' | 'metrics'>;

/** Judges runs again and again, one round after the other. */
export class Rounds {
  readonly #services: Used;
  readonly #ending = new AbortController();
  readonly #listeningSinceMs: number;
  #current: Promise<void> | undefined;
  readonly #seconds: Gauge;
  #cancel: (() => void) | undefined;

  constructor(services: Used) {
    this.#services = services;
    this.#listeningSinceMs = services.nowMs();
    this.#seconds = new Gauge({
      name: 'burn_in_round_seconds',
      help: 'How long the newest judging of burn-in runs took.',
      registers: [services.metrics],
    });
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
    this.#current ??= this.#round(ending).finally(() => {
      this.#current = undefined;
    });
    await this.#current;
  }

  async #round(ending: AbortSignal): Promise<void> {
    const beganMs = performance.now();
    await judgeRuns({ ...this.#services, listeningSinceMs: this.#listeningSinceMs }, ending);
    this.#seconds.set((performance.now() - beganMs) / 1_000);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#cancel?.();
    await this.#current?.catch(() => undefined);
  }
}
