import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { partsOf } from '../../in-slices.ts';
import { inTransaction } from '../../stores/in-transaction.ts';
import type { Database } from '../../stores/schema.ts';
import type { IngestionMetrics } from '../metrics.ts';
import { type DataloggerEntry, type DeviceEntry, SiteEntry } from '../registry/plant-model.ts';
import type { Registry } from '../registry/registry.ts';
import type { Sample } from '../samples/sample.ts';
import { type AlarmBook, deviceState } from '../sessions/alarm-book.ts';
import { noteRatings } from '../sessions/properties.ts';
import { writeDataloggers, writeDevices, writeFigures, writeSites, writeValues } from './latest.store.ts';
import { OfflineAtStart } from './offline-at-start.ts';

export interface LatestOptions {
  db: Kysely<Database>;
  bus: { publish(changed: { sites: readonly number[]; devices: readonly number[] }): Promise<void> };
  registry: Pick<Registry, 'hasUnsettled' | 'settle' | 'noteDeviceBirth'>;
  alarms: Pick<AlarmBook, 'flush'>;
  metrics: IngestionMetrics;
  logger: Pick<Logger, 'warn'>;
}

/** A site, be it held or not. */
export type Keyed = Pick<SiteEntry, 'key'>;

const PAUSE_MS = 150;
/** The pause grows with the time that writing takes: that the store is slow must not make what is new wait much longer. */
const PAUSE_FACTOR = 1;
const LONGEST_PAUSE_MS = 500;
/** Of each kind in one writing: when a whole fleet has something new at once, what comes meanwhile does not wait for all of it. */
const MOST_AT_ONCE = 1_000;
const MOST_VALUES_AT_ONCE = 250;
/** Of the texts that the catalogue does not know, for each device and for all of a logger. */
const MOST_OTHERS = 200;
const MOST_TEXTS_OF_DATALOGGER = 2_000;

/** Keeps the newest values and states of devices, loggers and sites in Postgres, and tells the live hub what changed. */
export class LatestWriter {
  readonly #options: LatestOptions;
  readonly #offline: OfflineAtStart;
  /** Devices with newer values. */
  readonly #devices = new Set<DeviceEntry>();
  /** Devices of which no more than the state may have changed. */
  readonly #touched = new Set<DeviceEntry>();
  /** Devices of which no more than a running figure may have changed. */
  readonly #figures = new Set<DeviceEntry>();
  readonly #dataloggers = new Set<DataloggerEntry>();
  readonly #sites = new Set<SiteEntry>();
  /** Sites whose sums are written already, and of which the live streams are still to be told. */
  readonly #summed = new Set<Keyed>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #lastMs = 0;
  /** The last writing failed. */
  isFailing = false;

  constructor(options: LatestOptions) {
    this.#options = options;
    this.#offline = new OfflineAtStart(options.db, options.logger);
  }

  /** Takes stored samples. Historical ones, and values older than the current, change nothing but what a device is rated for. */
  take(samples: readonly Sample[]): void {
    for (const sample of samples) {
      const { device, tsMs } = sample;
      if (noteRatings(device, sample.values)) this.#options.registry.noteDeviceBirth(device);
      if (sample.historical) continue;
      const left = setCurrent(device, sample);
      if (left > 0) this.#options.metrics.rejected.inc({ reason: 'too-many-others' }, left);
      if (tsMs > device.latestMs) device.latestMs = tsMs;
      if (sample.receivedMs > device.latestReceivedMs) device.latestReceivedMs = sample.receivedMs;
      if (device.isDatalogger) continue;
      this.#devices.add(device);
      if (device.site !== undefined) this.#sites.add(device.site);
    }
    this.#wake();
  }

  touchState(device: DeviceEntry): void {
    if (device.isDatalogger || device.isRefused) return;
    device.state = deviceState(device);
    this.#touched.add(device);
    if (device.site !== undefined) this.#sites.add(device.site);
    this.#wake();
  }

  /**
   * A logger has been heard: written with what it said. Its site has nothing new yet; telling it now would make the values
   * wait until it may be told again.
   */
  noteSeen(datalogger: DataloggerEntry): void {
    this.#dataloggers.add(datalogger);
  }

  /** Writes when loggers were heard last, also where nothing that they said was new. */
  writeSeen(): void {
    if (this.#dataloggers.size > 0) this.#wake();
  }

  touchDatalogger(datalogger: DataloggerEntry): void {
    this.#dataloggers.add(datalogger);
    if (datalogger.site !== undefined) this.#sites.add(datalogger.site);
    this.#wake();
  }

  touchSite(site: SiteEntry): void {
    this.#sites.add(site);
    this.#wake();
  }

  /** Sums of sites have been written, and running figures of devices have changed. */
  noteFigures(sites: Iterable<Keyed>, devices: Iterable<DeviceEntry>): void {
    for (const site of sites) this.#summed.add(site);
    for (const device of devices) this.#figures.add(device);
    this.#wake();
  }

  /** With nobody connected yet, what was online before is offline until it speaks. */
  async start(isNobodyConnected: boolean): Promise<void> {
    if (isNobodyConnected) await this.#offline.start();
  }

  /** Whether something of a site or a logger waits to be written. */
  waitsFor(entry: SiteEntry | DataloggerEntry): boolean {
    if (entry instanceof SiteEntry) return this.#sites.has(entry) || this.#summed.has(entry);
    if (this.#dataloggers.has(entry)) return true;
    const waiting = [this.#devices, this.#touched, this.#figures];
    for (const device of entry.devices.values()) if (waiting.some((each) => each.has(device))) return true;
    return false;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#offline.stop();
    await this.#running;
    await this.#flushAll().catch((error: unknown) =>
      this.#options.logger.warn({ err: error }, 'newest values not written'),
    );
  }

  /** Writes what is there and waits for it. */
  async drain(): Promise<void> {
    await this.#offline.drain();
    await this.#running;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#flushAll();
  }

  async #flushAll(): Promise<void> {
    do await this.#flush();
    while (this.#hasNews);
  }

  #wake(): void {
    if (this.#timer !== undefined || this.#running !== undefined || this.#isStopping) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_FACTOR * this.#lastMs));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const startMs = performance.now();
      const stopTimer = this.#options.metrics.latestSeconds.startTimer();
      this.#running = this.#flush()
        .then(
          () => {
            this.isFailing = false;
          },
          (error: unknown) => {
            this.isFailing = true;
            this.#options.logger.warn({ err: error }, 'newest values not written');
          },
        )
        .finally(() => {
          stopTimer();
          this.#lastMs = performance.now() - startMs;
          this.#running = undefined;
          if (this.#hasNews) this.#wake();
        });
    }, pauseMs);
  }

  async #flush(): Promise<void> {
    const { db, registry, alarms, bus } = this.#options;
    if (registry.hasUnsettled) await registry.settle();
    const isKnown = (device: DeviceEntry) => device.id !== '' && !device.isRefused;
    const devices = takeSome(this.#devices).filter(isKnown);
    const touched = takeSome(this.#touched).filter((device) => !this.#devices.has(device) && isKnown(device));
    const figures = takeSome(this.#figures).filter((device) => !this.#devices.has(device) && isKnown(device));
    const dataloggers = takeSome(this.#dataloggers);
    const sites = takeSome(this.#sites);
    const summed = takeSome(this.#summed);
    const states = [...new Set([...devices, ...touched])];
    // What comes while this is written is written the next time.
    const newest = devices.map((device) => [device, device.latestMs] as const);
    const toldSites = new Set<Keyed>([...sites, ...summed]);
    const toldDevices = new Set([...states, ...figures]);
    if (toldDevices.size === 0 && dataloggers.length === 0 && toldSites.size === 0) return;
    try {
      await alarms.flush();
      await inTransaction(db, async (transaction) => {
        if (dataloggers.length > 0) await writeDataloggers(transaction, dataloggers);
        if (states.length > 0) await writeDevices(transaction, states);
        // Each statement takes a part: to write down a fleet that came back at once must not keep the loop.
        for (const part of partsOf(devices, MOST_VALUES_AT_ONCE)) await writeValues(transaction, part);
        if (figures.length > 0) await writeFigures(transaction, figures);
        for (const part of partsOf(sites, MOST_VALUES_AT_ONCE)) await writeSites(transaction, part);
      });
    } catch (error) {
      for (const device of devices) this.#devices.add(device);
      for (const device of touched) this.#touched.add(device);
      for (const device of figures) this.#figures.add(device);
      for (const datalogger of dataloggers) this.#dataloggers.add(datalogger);
      for (const site of sites) this.#sites.add(site);
      for (const site of summed) this.#summed.add(site);
      throw error;
    }
    for (const [device, latestMs] of newest) device.latestWrittenMs = latestMs;
    const keyOf = ({ key }: { key: number }) => key;
    await bus.publish({ sites: [...toldSites].map(keyOf), devices: [...toldDevices].map(keyOf) });
  }

  get #hasNews(): boolean {
    const waiting = [this.#devices, this.#touched, this.#figures, this.#dataloggers, this.#sites, this.#summed];
    return waiting.some(({ size }) => size > 0);
  }
}

/** Takes out those that have waited longest. */
function takeSome<T>(waiting: Set<T>): T[] {
  const taken: T[] = [];
  for (const each of waiting) {
    if (taken.length === MOST_AT_ONCE) break;
    waiting.delete(each);
    taken.push(each);
  }
  return taken;
}

/** How many texts had no room. */
function setCurrent(device: DeviceEntry, sample: Sample): number {
  let left = 0;
  const { values, tsMs } = sample;
  if (device.latestValues === undefined || device.latestTsMs === undefined) {
    device.latestValues = device.layout.emptyValues.slice();
    device.latestTsMs = new Array<number>(values.length).fill(device.latestMs);
  }
  const current = device.latestValues;
  const times = device.latestTsMs;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    if (Number.isNaN(value) || tsMs < (times[index] as number)) continue;
    current[index] = value;
    times[index] = tsMs;
  }
  sample.texts?.forEach((text, index) => {
    const name = device.layout.textNames[index];
    if (text !== undefined && name !== undefined && !setText(device, name, text, tsMs)) left += 1;
  });
  const { other } = sample;
  if (other === undefined) return left;
  for (let at = 0; at + 1 < other.length; at += 2) {
    if (!setText(device, other[at] ?? '', other[at + 1] ?? '', tsMs)) left += 1;
  }
  return left;
}

function setText(device: DeviceEntry, name: string, text: string, tsMs: number): boolean {
  const { held } = device.datalogger;
  device.latestTexts ??= new Map();
  const known = device.latestTexts.get(name);
  if (known === undefined) {
    if (device.latestTexts.size >= MOST_OTHERS || held.texts >= MOST_TEXTS_OF_DATALOGGER) return false;
    held.texts += 1;
  }
  if (known === undefined || known[1] <= tsMs) device.latestTexts.set(name, [text, tsMs]);
  return true;
}
