import { isDeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { ChangeFeed, Changes } from '../../changes/change-feed.ts';
import type { Database } from '../../stores/schema.ts';
import { partsOf } from '../in-slices.ts';
import type { RefusalReason } from '../sessions/reasons.ts';
import { DeviceEntry, LoggerEntry, SiteEntry } from './plant-model.ts';
import {
  type DeviceChoice,
  devicePages,
  freeClaims,
  insertClaims,
  insertDevices,
  isRowRefused,
  type LoggerChoice,
  linkToSites,
  loggerPages,
  sitePages,
  updateLoggers,
} from './registry.store.ts';
import { hasOtherPrices, readPrices } from './site-prices.store.ts';
import { mayTakeOver } from './take-over.ts';

export interface RegistryListeners {
  /** A device is measured for another site, or another role, than before: what both show now changes. */
  moved(device: DeviceEntry, from: SiteEntry | undefined): void;
  refused(reason: RefusalReason, logger: LoggerEntry, detail: string): void;
  /** A logger names a serial number that a device of another one has. */
  claimed(device: DeviceEntry): void;
}

/** Serial numbers of others that one logger may claim. */
const MOST_CLAIMS = 20;
const MOST_WRITTEN_AT_ONCE = 500;

/** Knows all sites, loggers and devices, follows their rows in Postgres, and registers what is born. */
export class Registry {
  readonly #db: Kysely<Database>;
  readonly #feed: Pick<ChangeFeed, 'listen' | 'read'>;
  readonly #listeners: RegistryListeners;
  readonly #sitesById = new Map<string, SiteEntry>();
  readonly #loggersBySn = new Map<string, LoggerEntry>();
  readonly #loggersById = new Map<string, LoggerEntry>();
  readonly #devicesBySn = new Map<string, DeviceEntry>();
  readonly #devicesById = new Map<string, DeviceEntry>();
  readonly #bornLoggers = new Set<LoggerEntry>();
  readonly #bornDevices = new Set<DeviceEntry>();
  #working: Promise<void> = Promise.resolve();
  #placements = 0;
  #isSettling = false;

  constructor(db: Kysely<Database>, feed: Pick<ChangeFeed, 'listen' | 'read'>, listeners: RegistryListeners) {
    this.#db = db;
    this.#feed = feed;
    this.#listeners = listeners;
  }

  /** Reads all rows, and from then on those that change. */
  async start(): Promise<void> {
    await this.#next(() => this.#readAll());
    this.#feed.listen({
      changed: (changes) => this.#next(() => this.#readChanged(changes)),
      missed: () => this.#next(() => this.#readAll()),
    });
  }

  async stop(): Promise<void> {
    await this.#working.catch(() => undefined);
  }

  get sites(): IterableIterator<SiteEntry> {
    return this.#sitesById.values();
  }

  get loggers(): IterableIterator<LoggerEntry> {
    return this.#loggersBySn.values();
  }

  get devices(): IterableIterator<DeviceEntry> {
    return this.#devicesBySn.values();
  }

  /** Grows when a device comes to a site, or a site gets another zone. */
  get placements(): number {
    return this.#placements;
  }

  loggerBySn(sn: string): LoggerEntry | undefined {
    return this.#loggersBySn.get(sn);
  }

  deviceBySn(sn: string): DeviceEntry | undefined {
    return this.#devicesBySn.get(sn);
  }

  /** Reads the row of a logger that has just been added. */
  async learn(sn: string): Promise<void> {
    if (!this.#loggersBySn.has(sn)) await this.refresh();
  }

  /** The device `sn` of a logger, made when it is seen for the first time; it gets its key with `settle`. */
  device(logger: LoggerEntry, sn: string, kind: DeviceEntry['kind']): DeviceEntry {
    const own = logger.devices.get(sn);
    if (own !== undefined) return own;
    const known = this.#devicesBySn.get(sn);
    if (known === undefined) {
      const device = new DeviceEntry(sn, kind, logger);
      device.site = logger.site;
      if (logger.site !== undefined) this.#put(device, logger.site);
      logger.devices.set(sn, device);
      this.#devicesBySn.set(sn, device);
      this.#bornDevices.add(device);
      return device;
    }
    if (mayTakeOver(logger, known)) {
      known.logger.devices.delete(known.calledSn);
      known.logger = logger;
      known.refusedFor = undefined;
      logger.devices.set(sn, known);
      this.#move(known, logger.site);
      this.#bornDevices.add(known);
      return known;
    }
    const claim = new DeviceEntry(sn, kind, logger);
    const claims = [...logger.devices.values()].filter(({ isClaim }) => isClaim).length;
    if (claims >= MOST_CLAIMS) claim.refusedFor = 'too-many-claims';
    else this.#makeClaim(claim);
    return claim;
  }

  /** What the logger tells of the number is recorded apart from the device that has it, until somebody decides. */
  #makeClaim(device: DeviceEntry): void {
    const { logger } = device;
    if (device.id !== '') this.#forgetRow(device);
    device.toldSn ??= device.sn;
    device.isClaim = true;
    device.refusedFor = undefined;
    this.#rename(device, `${device.toldSn}@${logger.sn}`);
    device.site?.devices.delete(device);
    device.site = undefined;
    logger.devices.set(device.toldSn, device);
    this.#bornDevices.add(device);
  }

  /** Its row is another logger's: it gets one of its own. */
  #forgetRow(device: DeviceEntry): void {
    this.#devicesById.delete(device.id);
    device.id = '';
    device.key = 0;
    device.newestTsMs = Number.NaN;
    device.opening = {};
  }

  #rename(device: DeviceEntry, sn: string): void {
    if (device.sn !== sn && this.#devicesBySn.get(device.sn) === device) this.#devicesBySn.delete(device.sn);
    device.sn = sn;
    this.#devicesBySn.set(sn, device);
  }

  noteLoggerBirth(logger: LoggerEntry): void {
    this.#bornLoggers.add(logger);
  }

  noteDeviceBirth(device: DeviceEntry): void {
    if (!device.isRefused && !device.isLogger) this.#bornDevices.add(device);
  }

  /** Whether a birth is not in Postgres yet; also while it is being written. */
  get hasUnsettled(): boolean {
    return this.#isSettling || this.#bornDevices.size > 0 || this.#bornLoggers.size > 0;
  }

  /** Writes births to Postgres; afterwards every device has its key, or is refused. */
  settle(): Promise<void> {
    return this.#next(async () => {
      this.#isSettling = true;
      try {
        if (this.#bornLoggers.size > 0) await this.#writeLoggers();
        for (const part of partsOf([...this.#bornDevices], MOST_WRITTEN_AT_ONCE)) {
          for (const device of part) this.#bornDevices.delete(device);
          await this.#writeDevices(part);
        }
      } finally {
        this.#isSettling = false;
      }
    });
  }

  /** What was committed before is known afterwards. */
  refresh(): Promise<void> {
    return this.#feed.read();
  }

  siteById(id: string): SiteEntry | undefined {
    return this.#sitesById.get(id);
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#working.then(work, work);
    this.#working = done.catch(() => undefined);
    return done;
  }

  async #writeLoggers(): Promise<void> {
    const loggers = [...this.#bornLoggers];
    this.#bornLoggers.clear();
    try {
      await updateLoggers(this.#db, loggers);
    } catch (error) {
      for (const logger of loggers) this.#bornLoggers.add(logger);
      throw error;
    }
  }

  async #writeDevices(devices: readonly DeviceEntry[]): Promise<void> {
    const notWritten: DeviceEntry[] = [];
    try {
      const written = await insertDevices(this.#db, devices);
      const bySn = new Map(written.map((row) => [row.sn, row]));
      for (const device of devices) {
        const row = bySn.get(device.sn);
        if (row === undefined) {
          notWritten.push(device);
          continue;
        }
        if (device.refusedFor === 'bad-device') device.refusedFor = undefined;
        if (row.kind !== device.kind) {
          device.isKindGuessed = true;
          device.accepts(row.kind);
        }
        device.id = row.id;
        device.key = row.key;
        this.#devicesById.set(row.id, device);
        this.#place(device, device.isClaim ? null : row.site_id, row.role);
      }
      await this.#writeClaims(devices.filter(({ isClaim }) => isClaim));
    } catch (error) {
      if (!isRowRefused(error)) {
        for (const device of devices) this.#bornDevices.add(device);
        throw error;
      }
      const [only] = devices;
      if (devices.length > 1) for (const device of devices) await this.#writeDevices([device]);
      else if (only !== undefined) this.#refuse(only);
    }
    if (notWritten.length > 0) await this.#writeTaken(notWritten);
  }

  /** The number of these devices has been given to another logger's meanwhile, or they were renamed. */
  async #writeTaken(devices: readonly DeviceEntry[]): Promise<void> {
    const before = new Map(devices.map((device) => [device, device.sn]));
    await this.#readDevices({ sns: [...before.values()] });
    for (const [device, sn] of before) if (device.sn === sn) this.#makeClaim(device);
    await this.#writeDevices(devices);
    for (const device of devices) this.#bornDevices.delete(device);
  }

  async #writeClaims(devices: readonly DeviceEntry[]): Promise<void> {
    if (devices.length === 0) return;
    const made = await insertClaims(this.#db, devices);
    for (const device of devices) if (made.has(device.id)) this.#listeners.claimed(device);
  }

  #refuse(device: DeviceEntry): void {
    device.refusedFor = 'bad-device';
    this.#listeners.refused('bad-device', device.logger, device.sn);
    device.site?.devices.delete(device);
    device.site = undefined;
    device.logger.devices.delete(device.calledSn);
  }

  async #readAll(): Promise<void> {
    await this.#readSites();
    await this.#readLoggers();
    await this.#readDevices();
  }

  /** A plant is followed by its dataloggers, and these by their devices: where they are may hang on what was not known yet. */
  async #readChanged({ sites, loggers, devices }: Changes): Promise<void> {
    const siteIds = [...sites];
    const loggerIds = [...loggers.keys()];
    if (siteIds.length > 0) await this.#readSites(siteIds);
    if (siteIds.length + loggerIds.length > 0) await this.#readLoggers({ siteIds, ids: loggerIds });
    if (siteIds.length + loggerIds.length + devices.size > 0) {
      await this.#readDevices({ siteIds, loggerIds, ids: [...devices] });
    }
  }

  async #readSites(ids?: readonly string[]): Promise<void> {
    for await (const page of sitePages(this.#db, ids)) {
      const repriced: [SiteEntry, (typeof page)[number]][] = [];
      for (const row of page) {
        let site = this.#sitesById.get(row.id);
        if (site === undefined) {
          site = new SiteEntry(row.id, row.key, 'UTC');
          this.#sitesById.set(row.id, site);
        }
        if (site.enteredZone !== row.time_zone) {
          site.enteredZone = row.time_zone;
          site.zone = isValidZone(row.time_zone) ? row.time_zone : 'UTC';
          this.#placements += 1;
        }
        if (hasOtherPrices(site, row)) repriced.push([site, row]);
        const ratedPowerW = row.rated_power_w ?? undefined;
        // What is the same is not written: each value would outlive the reading, and the collector would have to move it.
        if (site.ratedPowerW !== ratedPowerW) site.ratedPowerW = ratedPowerW;
      }
      await readPrices(this.#db, repriced);
    }
  }

  async #readLoggers(only?: LoggerChoice): Promise<void> {
    for await (const page of loggerPages(this.#db, only)) {
      for (const row of page) {
        let logger = this.#loggersBySn.get(row.sn);
        if (logger === undefined) {
          logger = new LoggerEntry(row.id, row.key, row.sn);
          logger.reportIntervalS = row.report_interval_s;
          this.#loggersBySn.set(row.sn, logger);
          this.#loggersById.set(row.id, logger);
        }
        logger.isQuarantined = row.quarantined;
        const site = row.site_id === null ? undefined : this.#sitesById.get(row.site_id);
        // A plant that came after the plants were read is known next time.
        if (logger.site === site || (row.site_id !== null && site === undefined)) continue;
        logger.site?.loggers.delete(logger);
        logger.site = site;
        site?.loggers.add(logger);
      }
    }
  }

  async #readDevices(only?: DeviceChoice): Promise<void> {
    const unlinked: DeviceEntry[] = [];
    const orphans: string[] = [];
    for await (const page of devicePages(this.#db, only)) {
      for (const row of page) {
        const logger = this.#loggersById.get(row.logger_id);
        if (logger === undefined || !isDeviceKind(row.kind)) continue;
        let device = this.#devicesById.get(row.id) ?? this.#devicesBySn.get(row.sn);
        const isNew = device === undefined;
        device ??= new DeviceEntry(row.sn, row.kind, logger);
        if (isNew) device.isKindGuessed = row.kind_guessed;
        if (this.#devicesById.get(row.id) !== device) this.#devicesById.set(row.id, device);
        this.#rename(device, row.sn);
        if (device.id !== row.id) device.id = row.id;
        device.key = row.key;
        if (!this.#bornDevices.has(device) && device.logger !== logger) {
          device.logger.devices.delete(device.calledSn);
          device.logger = logger;
        }
        const toldSn = row.told_sn ?? undefined;
        if (device.toldSn !== toldSn) device.toldSn = toldSn;
        if (row.told_sn !== null && row.deleted_at !== null && row.claim === null) orphans.push(row.id);
        device.isOfLostPlant = row.site_id !== null && !this.#sitesById.has(row.site_id);
        device.isClaim = row.claim === 'open' || row.claim === 'kept';
        if (row.claim !== null) device.refusedFor = row.claim === 'kept' ? 'device-of-another-logger' : undefined;
        if (device.logger.devices.get(device.calledSn) !== device) device.logger.devices.set(device.calledSn, device);
        const { properties: told } = device;
        if (row.rated_power_w !== null && told.ratedPowerW !== row.rated_power_w) told.ratedPowerW = row.rated_power_w;
        if (row.capacity_wh !== null && told.capacityWh !== row.capacity_wh) told.capacityWh = row.capacity_wh;
        this.#place(device, row.deleted_at === null ? row.site_id : null, row.role, isNew);
        if (row.site_id === null && row.deleted_at === null && logger.site !== undefined) unlinked.push(device);
      }
    }
    if (orphans.length > 0) await freeClaims(this.#db, orphans);
    if (unlinked.length === 0) return;
    await linkToSites(this.#db, unlinked);
    for (const device of unlinked) this.#move(device, device.logger.site);
  }

  #place(device: DeviceEntry, siteId: string | null, role: string, isNew = false): void {
    const site = siteId === null ? undefined : this.#sitesById.get(siteId);
    if (isNew) {
      device.role = role;
      device.site = site;
      if (site !== undefined) this.#put(device, site);
      return;
    }
    const hasOtherRole = device.role !== role;
    device.role = role;
    if (siteId !== null && site === undefined) return;
    if (device.site !== site) this.#move(device, site);
    else if (hasOtherRole && !Number.isNaN(device.newestTsMs)) this.#listeners.moved(device, site);
  }

  #put(device: DeviceEntry, site: SiteEntry): void {
    site.devices.add(device);
    this.#placements += 1;
  }

  #move(device: DeviceEntry, site: SiteEntry | undefined): void {
    const before = device.site;
    if (before === site) return;
    before?.devices.delete(device);
    device.site = site;
    if (site !== undefined) this.#put(device, site);
    if (device.key > 0) this.#listeners.moved(device, before);
  }
}
