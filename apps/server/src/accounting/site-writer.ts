import type { Logger } from 'pino';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import type { Backlogs, Summable } from './backlogs.ts';
import type { Figures } from './figures-writer.ts';
import type { Openings } from './openings.ts';
import { SetAside } from './set-aside.ts';
import { rollUpSites, type SumStores } from './site-rollups.ts';

export interface SiteWriterOptions extends SumStores {
  figures: Pick<Figures, 'take' | 'write'>;
  openings: Pick<Openings, 'flush'>;
  backlogs: Pick<Backlogs, 'summed'>;
  logger: Logger;
  /** What was to be written is tried again. */
  failed(error: unknown): void;
  /** Running figures of sites and devices have been written. */
  changed(sites: readonly SiteEntry[], devices: readonly DeviceEntry[]): void;
}

/** Whether a store cannot be reached, whatever it is asked. */
export const isStoreAway = (error: unknown): boolean => isTelemetryUnavailable(error) || isDatabaseUnavailable(error);

/** Sums and figures of the sites of which something has changed. One that cannot be written stops no other. */
export class SiteWriter {
  readonly #options: SiteWriterOptions;
  readonly #touched = new Map<SiteEntry, Set<number>>();
  readonly #aside: SetAside<SiteEntry>;

  constructor(options: SiteWriterOptions) {
    this.#options = options;
    this.#aside = new SetAside({
      isOfAll: isStoreAway,
      resting({ id, key }, error, pauseMs) {
        options.logger.error({ err: error, site: key, id, againInMs: pauseMs }, 'figures of a plant are not written');
        options.failed(error);
      },
    });
  }

  /** Sites that could not be written. */
  get aside(): number {
    return this.#aside.size;
  }

  touch(site: SiteEntry, buckets: Iterable<number>): void {
    const set = entryOf(this.#touched, site, () => new Set<number>());
    for (const bucketMs of buckets) set.add(bucketMs);
  }

  has(site: SiteEntry): boolean {
    return this.#touched.has(site);
  }

  isAside(site: SiteEntry): boolean {
    return this.#aside.has(site);
  }

  /** Whether there is any that may be written now. */
  hasDue(nowMs: number): boolean {
    for (const site of this.#touched.keys()) if (!this.#aside.isResting(site, nowMs)) return true;
    return false;
  }

  /** @param summable what of histories is in the sums once these have been written. */
  async write(summable: Summable, nowMs: number): Promise<void> {
    const { figures, openings, backlogs, changed } = this.#options;
    const touched = this.#take(nowMs);
    try {
      const sites = [...touched.keys()];
      const summed = await this.#aside.each(sites, nowMs, (part) =>
        rollUpSites(this.#options, new Map(part.map((site) => [site, touched.get(site) ?? new Set()]))),
      );
      backlogs.summed(this.#ofWritten(summable));
      const opened = await openings.flush();
      const due = await figures.take([...summed, ...opened], nowMs);
      const written = await this.#aside.each(
        due.filter((site) => !this.#aside.isResting(site, nowMs)),
        nowMs,
        async (part) => changed(part, await figures.write(part, nowMs)),
      );
      for (const site of written) this.#aside.forget(site);
      for (const site of [...sites, ...due]) if (this.#aside.has(site)) this.touch(site, touched.get(site) ?? []);
    } catch (error) {
      for (const [site, buckets] of touched) this.touch(site, buckets);
      throw error;
    }
  }

  #take(nowMs: number): Map<SiteEntry, Set<number>> {
    const taken = new Map([...this.#touched].filter(([site]) => !this.#aside.isResting(site, nowMs)));
    for (const site of taken.keys()) this.#touched.delete(site);
    return taken;
  }

  #ofWritten(summable: Summable): Summable {
    if (this.#aside.size === 0) return summable;
    return new Map(
      [...summable].filter(
        ([
          {
            device: { site },
          },
        ]) => site === undefined || !this.#aside.has(site),
      ),
    );
  }
}
