import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Held } from './held.ts';
import type { OpenCommand } from './open-command.ts';

const OPEN_STATES = ['queued', 'sent', 'acknowledged'];

/** What Prometheus gets to know of commands. */
export class CommandMetrics {
  readonly #ended: Counter<'state'>;
  readonly #seconds: Histogram;

  constructor(registry: Registry, held: Held) {
    const registers = [registry];
    this.#ended = new Counter({
      name: 'commands_ended_total',
      help: 'Commands that came to an end, by which; one that is corrected later counts again.',
      labelNames: ['state'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'commands_confirmed_seconds',
      help: 'Time from order to confirmation.',
      buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600],
      registers,
    });
    new Gauge({
      name: 'commands_open',
      help: 'Commands that wait, or are under way, by state.',
      labelNames: ['state'],
      registers,
      collect() {
        const { counts } = held.summary;
        for (const state of OPEN_STATES) this.set({ state }, counts.get(state) ?? 0);
      },
    });
    new Gauge({
      name: 'commands_oldest_seconds',
      help: 'Age of the oldest command that is open.',
      registers,
      collect() {
        const { oldestMs } = held.summary;
        this.set(oldestMs === undefined ? 0 : Math.max(0, (Date.now() - oldestMs) / 1_000));
      },
    });
  }

  ended({ state, createdMs, doneMs }: OpenCommand): void {
    this.#ended.inc({ state });
    if (state === 'confirmed' && doneMs !== null) this.#seconds.observe(Math.max(0, (doneMs - createdMs) / 1_000));
  }
}
