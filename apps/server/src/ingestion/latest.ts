import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../stores/schema.ts';
import { type AlarmBook, deviceState } from './alarm-book.ts';
import { partsOf } from './in-slices.ts';
import { writeDevices, writeFigures, writeLoggers, writeSites, writeValues } from './latest.store.ts';
import type { IngestionMetrics } from './metrics.ts';
import type { DeviceEntry, LoggerEntry, SiteEntry } from './plant-model.ts';
import { noteRatings } from './properties.ts';
import type { Registry } from './registry.ts';
import type { Sample } from './sample.ts';

export interface LatestOptions {
  db: Kysely<Database>;
  bus: { publish(changed: { sites: readonly number[]; devices: readonly number[] }): Promise<void> };
  registry: Registry;
  alarms: AlarmBook;
  metrics: IngestionMetrics;
  logger: Logger;
}

const PAUSE_MS = 150;
/** The pause grows with the time that writing takes: that the store is slow must not make what is new wait much longer. */
const PAUSE_FACTOR = 1;
const LONGEST_PAUSE_MS = 500;
const MOST_AT_ONCE = 2_000;
const MOST_VALUES_AT_ONCE = 250;
/** Of the texts that the catalogue does not know, for each device and for all of a logger. */
const MOST_OTHERS = 200;
const MOST_TEXTS_OF_LOGGER = 2_000;

/** Keeps the newest values and states of devices, loggers and sites in Postgres, and tells the live hub what changed. */
export class LatestWriter {
  readonly #options: LatestOptions;
  /** Devices with newer values. */
  readonly #devices = new Set<DeviceEntry>();
  /** Devices of which no more than the state or a running figure may have changed. */
  readonly #touched = new Set<DeviceEntry>();
  readonly #loggers = new Set<LoggerEntry>();
  readonly #sites = new Set<SiteEntry>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #lastMs = 0;

  constructor(options: LatestOptions) {
    this.#options = options;
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
      if (device.isLogger) continue;
      this.#devices.add(device);
      if (device.site !== undefined) this.#sites.add(device.site);
    }
    this.#wake();
  }

  touchState(device: DeviceEntry): void {
    if (device.isLogger || device.isRefused) return;
    device.state = deviceState(device);
    this.#touched.add(device);
    if (device.site !== undefined) this.#sites.add(device.site);
    this.#wake();
  }

  /**
   * A logger has been heard: written with what it said. Its site has nothing new yet; telling it now would make the values
   * wait until it may be told again.
   */
  noteSeen(logger: LoggerEntry): void {
    this.#loggers.add(logger);
  }

  /** Writes when loggers were heard last, also where nothing that they said was new. */
  writeSeen(): void {
    if (this.#loggers.size > 0) this.#wake();
  }

  touchLogger(logger: LoggerEntry): void {
    this.#loggers.add(logger);
    if (logger.site !== undefined) this.#sites.add(logger.site);
    this.#wake();
  }

  touchSite(site: SiteEntry): void {
    this.#sites.add(site);
    this.#wake();
  }

  touchDevice(device: DeviceEntry): void {
    this.#touched.add(device);
    this.#wake();
  }

  /** Learns how new the values in Postgres are. With nobody connected yet, what was online before is offline until it speaks. */
  async start(isNobodyConnected: boolean): Promise<void> {
    const { db, registry } = this.#options;
    const rows = await db
      .selectFrom('device_latest')
      .innerJoin('devices', 'devices.id', 'device_latest.device_id')
      .select(['devices.sn', 'device_latest.ts'])
      .execute();
    for (const { sn, ts } of rows) {
      const device = registry.deviceBySn(sn);
      if (device !== undefined) device.latestMs = ts.getTime();
    }
    if (!isNobodyConnected) return;
    await sql`update loggers set online = false where online`.execute(db);
    await sql`update devices set online = false, state = 'offline' where online or state <> 'offline'`.execute(db);
    await sql`update site_latest set state = 'offline' where state <> 'offline'`.execute(db);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#running;
    await this.#flush().catch((error: unknown) =>
      this.#options.logger.warn({ err: error }, 'newest values not written'),
    );
  }

  /** Writes what is there and waits for it. */
  async drain(): Promise<void> {
    await this.#running;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#flush();
  }

  #wake(): void {
    if (this.#timer !== undefined || this.#running !== undefined || this.#isStopping) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_FACTOR * this.#lastMs));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const startMs = performance.now();
      const stopTimer = this.#options.metrics.latestSeconds.startTimer();
      this.#running = this.#flush()
        .catch((error: unknown) => this.#options.logger.warn({ err: error }, 'newest values not written'))
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
    const devices = [...this.#devices].filter(isKnown);
    const touched = [...this.#touched].filter((device) => !this.#devices.has(device) && isKnown(device));
    const loggers = [...this.#loggers];
    const sites = [...this.#sites];
    this.#devices.clear();
    this.#touched.clear();
    this.#loggers.clear();
    this.#sites.clear();
    const all = [...devices, ...touched];
    // What comes while this is written is written the next time.
    const newest = devices.map((device) => [device, device.latestMs] as const);
    if (all.length === 0 && loggers.length === 0 && sites.length === 0) return;
    try {
      await alarms.flush();
      // Each statement takes a part: to write down a fleet that came back at once must not keep the loop.
      await db.transaction().execute(async (transaction) => {
        for (const part of partsOf(loggers, MOST_AT_ONCE)) await writeLoggers(transaction, part);
        for (const part of partsOf(all, MOST_AT_ONCE)) await writeDevices(transaction, part);
        for (const part of partsOf(devices, MOST_VALUES_AT_ONCE)) await writeValues(transaction, part);
        for (const part of partsOf(touched, MOST_AT_ONCE)) await writeFigures(transaction, part);
        for (const part of partsOf(sites, MOST_VALUES_AT_ONCE)) await writeSites(transaction, part);
      });
    } catch (error) {
      for (const device of devices) this.#devices.add(device);
      for (const device of touched) this.#touched.add(device);
      for (const logger of loggers) this.#loggers.add(logger);
      for (const site of sites) this.#sites.add(site);
      throw error;
    }
    for (const [device, latestMs] of newest) device.latestWrittenMs = latestMs;
    await bus.publish({ sites: sites.map((site) => site.key), devices: all.map((device) => device.key) });
  }

  get #hasNews(): boolean {
    return [this.#devices, this.#touched, this.#loggers, this.#sites].some(({ size }) => size > 0);
  }
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
  const { held } = device.logger;
  device.latestTexts ??= new Map();
  const known = device.latestTexts.get(name);
  if (known === undefined) {
    if (device.latestTexts.size >= MOST_OTHERS || held.texts >= MOST_TEXTS_OF_LOGGER) return false;
    held.texts += 1;
  }
  if (known === undefined || known[1] <= tsMs) device.latestTexts.set(name, [text, tsMs]);
  return true;
}
