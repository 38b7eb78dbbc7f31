import type { MessageSource } from '../../broker/message-source.ts';
import type { LatestWriter } from '../latest/latest.ts';
import type { SampleWriter } from '../samples/writer.ts';
import type { AlarmBook } from '../sessions/alarm-book.ts';
import { DataloggerEntry, type SiteEntry } from './plant-model.ts';
import type { Registry } from './registry.ts';

export interface RestingPlantsParts {
  registry: Pick<Registry, 'forget'>;
  broker: Pick<MessageSource, 'connectionOf'>;
  writer: Pick<SampleWriter, 'oldestMs'>;
  latest: Pick<LatestWriter, 'waitsFor' | 'isFailing'>;
  alarms: Pick<AlarmBook, 'waitsFor'>;
  accounting: { isWorkingOn(entry: SiteEntry | DataloggerEntry): boolean };
}

/** A datalogger that is away for longer is read again when it comes back; its devices load their day again, as after a restart. */
const HELD_MS = 3_600_000;
/** What was read for somebody who has not come yet, or for work that is done. */
const ASKED_MS = 60_000;
const LOOK_MS = 30_000;

/** Lets go of plants of which nothing has been connected for a while, and nothing is waiting anywhere. */
export class RestingPlants {
  readonly #parts: RestingPlantsParts;
  readonly #heldMs: number;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: RestingPlantsParts, heldMs = HELD_MS) {
    this.#parts = parts;
    this.#heldMs = heldMs;
    this.#timer = setInterval(() => void this.#look().catch(() => undefined), Math.min(LOOK_MS, heldMs));
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { registry, writer, latest } = this.#parts;
    // What could not be written now is written again, by the entries that are held.
    if (latest.isFailing) return;
    const nowMs = Date.now();
    const oldestMs = writer.oldestMs ?? Number.POSITIVE_INFINITY;
    await registry.forget((entry) => this.#isInUse(entry, nowMs, oldestMs));
  }

  #isInUse(entry: SiteEntry | DataloggerEntry, nowMs: number, oldestMs: number): boolean {
    const { broker, latest, alarms, accounting } = this.#parts;
    if (nowMs - entry.askedMs < Math.min(ASKED_MS, this.#heldMs)) return true;
    if (entry instanceof DataloggerEntry) {
      const { sn, online, lastSeenMs, offlineMs, waitingHistory } = entry;
      if (online || broker.connectionOf(sn) !== 0 || nowMs - Math.max(lastSeenMs, offlineMs) < this.#heldMs)
        return true;
      if (waitingHistory > 0 || lastSeenMs >= oldestMs || alarms.waitsFor(entry)) return true;
    }
    return latest.waitsFor(entry) || accounting.isWorkingOn(entry);
  }
}
