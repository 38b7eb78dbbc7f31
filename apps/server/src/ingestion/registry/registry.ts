import type { Kysely } from 'kysely';
import type { ChangeFeed, Changes } from '../../changes/change-feed.ts';
import { Gathered } from '../../gathered.ts';
import { partsOf } from '../../in-slices.ts';
import { inTransaction } from '../../stores/in-transaction.ts';
import type { Database } from '../../stores/schema.ts';
import type { RefusalReason } from '../sessions/reasons.ts';
import { correctionsOf } from './corrections.store.ts';
import {
  type DeviceRow,
  type FleetRows,
  MOST_TOGETHER,
  NO_ROWS,
  placesOfDataloggers,
  readFleet,
  readMemories,
  rowsOfDevices,
  type Sought,
  soughtInParts,
} from './fleet-rows.store.ts';
import { HeldFleet, hasOtherKey } from './held-fleet.ts';
import {
  type DataloggerEntry,
  DeviceEntry,
  NO_CORRECTIONS,
  type SiteEntry,
  type StandingAlarm,
} from './plant-model.ts';
import {
  freeClaims,
  insertClaims,
  insertDevices,
  isRowRefused,
  linkToSites,
  numbersGivenUp,
  updateDataloggers,
} from './registry.store.ts';
import { beginAnew, remember } from './remember.ts';
import { givesNumberUp, mayTakeOver } from './take-over.ts';

export interface RegistryListeners {
  /** A device is measured for another site, or another role, than before: what both show now changes. */
  moved(device: DeviceEntry, from: SiteEntry | undefined): void;
  refused(reason: RefusalReason, datalogger: DataloggerEntry, detail: string): void;
  /** Gives claimants the numbers of devices that give theirs up; answers who has got one. */
  giveUp?(claimantIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** A logger names a serial number that a device of another one has. */
  claimed(device: DeviceEntry): void;
  /** Alarms of a device that has been read. */
  standing(device: DeviceEntry, alarms: readonly StandingAlarm[]): void;
}

/** Serial numbers of others that one logger may claim. */
const MOST_CLAIMS = 20;
const MOST_WRITTEN_AT_ONCE = 500;
/** Rows that have changed, of which it is looked whether they come to what is held. */
const MOST_LOOKED_AT_ONCE = 1_000;

/**
 * What dataloggers are and where they belong: read when they connect, followed in Postgres while they are held, and what is
 * born is registered. Of everything else nothing is known here.
 */
export class Registry {
  readonly #db: Kysely<Database>;
  readonly #feed: Pick<ChangeFeed, 'listen' | 'read'>;
  readonly #listeners: RegistryListeners;
  readonly #held: HeldFleet;
  readonly #asked: Gathered<DataloggerEntry>;
  readonly #bornDataloggers = new Set<DataloggerEntry>();
  readonly #bornDevices = new Set<DeviceEntry>();
  #working: Promise<void> = Promise.resolve();
  #isSettling = false;

  constructor(db: Kysely<Database>, feed: Pick<ChangeFeed, 'listen' | 'read'>, listeners: RegistryListeners) {
    this.#db = db;
    this.#feed = feed;
    this.#listeners = listeners;
    this.#held = new HeldFleet((device, from) => listeners.moved(device, from));
    this.#asked = new Gathered(async (sns) => {
      await this.#next(() => this.#read({ dataloggerSns: sns.filter((sn) => !this.#held.dataloggersBySn.has(sn)) }));
      return this.#held.dataloggersBySn;
    }, MOST_TOGETHER);
  }

  /** Follows what is held from now on. */
  start(): void {
    this.#feed.listen({
      changed: (changes) => this.#next(() => this.#readChanged(changes)),
      missed: () => this.#next(() => this.#readHeld()),
    });
  }

  async stop(): Promise<void> {
    await this.#working.catch(() => undefined);
  }

  get sites(): IterableIterator<SiteEntry> {
    return this.#held.sitesById.values();
  }

  get dataloggers(): IterableIterator<DataloggerEntry> {
    return this.#held.dataloggersBySn.values();
  }

  get devices(): IterableIterator<DeviceEntry> {
    return this.#held.devicesById.values();
  }

  get size(): number {
    return this.#held.dataloggersBySn.size;
  }

  /** Grows when a device comes to a site, or a site gets another zone. */
  get placements(): number {
    return this.#held.placements;
  }

  dataloggerBySn(sn: string): DataloggerEntry | undefined {
    return this.#held.dataloggersBySn.get(sn);
  }

  deviceBySn(sn: string): DeviceEntry | undefined {
    return this.#held.devicesBySn.get(sn);
  }

  deviceById(id: string): DeviceEntry | undefined {
    return this.#held.devicesById.get(id);
  }

  siteById(id: string): SiteEntry | undefined {
    return this.#held.sitesById.get(id);
  }

  /** Reads the plant of a logger that connects or speaks, with all that is on it; those of many that do so at once together. */
  async learn(sn: string): Promise<DataloggerEntry | undefined> {
    const datalogger = this.#held.dataloggersBySn.get(sn) ?? (await this.#asked.ask(sn));
    if (datalogger !== undefined) datalogger.askedMs = Date.now();
    return datalogger;
  }

  /** Reads plants and devices that are to be worked on. */
  learnPlants(sought: Pick<Sought, 'siteIds' | 'deviceIds' | 'deviceKeys'>): Promise<void> {
    return this.#next(async () => {
      const { sitesById, devicesById } = this.#held;
      await this.#read({
        ...sought,
        siteIds: sought.siteIds?.filter((id) => !sitesById.has(id)) ?? [],
        deviceIds: sought.deviceIds?.filter((id) => !devicesById.has(id)) ?? [],
      });
      const nowMs = Date.now();
      for (const id of sought.siteIds ?? []) {
        const site = sitesById.get(id);
        if (site !== undefined) site.askedMs = nowMs;
      }
    });
  }

  /** Lets go of plants with all that is on them of which nothing is in use. */
  forget(isInUse: (entry: SiteEntry | DataloggerEntry) => boolean): Promise<void> {
    return this.#next(async () => {
      if (this.hasUnsettled) return;
      this.#held.forget(isInUse);
    });
  }

  /** The device `sn` of a logger, made when it is seen for the first time; it gets its key with `settle`. */
  device(datalogger: DataloggerEntry, sn: string, kind: DeviceEntry['kind']): DeviceEntry {
    const own = datalogger.devices.get(sn);
    if (own !== undefined) return own;
    const known = this.#held.devicesBySn.get(sn);
    if (known === undefined) {
      // Another logger, which is not held, may have it: that shows when it is written.
      const device = new DeviceEntry(sn, kind, datalogger);
      device.site = datalogger.site;
      if (datalogger.site !== undefined) this.#held.put(device, datalogger.site);
      datalogger.devices.set(sn, device);
      this.#held.devicesBySn.set(sn, device);
      this.#bornDevices.add(device);
      return device;
    }
    if (mayTakeOver(datalogger, known)) {
      known.datalogger.devices.delete(known.calledSn);
      known.datalogger = datalogger;
      known.refusedFor = undefined;
      datalogger.devices.set(sn, known);
      this.#held.move(known, datalogger.site);
      this.#bornDevices.add(known);
      return known;
    }
    const claim = new DeviceEntry(sn, kind, datalogger);
    if (givesNumberUp(known) || hasRoomForClaim(datalogger)) this.#makeClaim(claim);
    else claim.refusedFor = 'too-many-claims';
    return claim;
  }

  /** What the logger tells of the number is recorded apart from the device that has it, until somebody decides. */
  #makeClaim(device: DeviceEntry): void {
    const { datalogger } = device;
    if (device.id !== '') this.#forgetRow(device);
    device.toldSn ??= device.sn;
    device.isClaim = true;
    device.refusedFor = undefined;
    this.#held.rename(device, `${device.toldSn}@${datalogger.sn}`);
    device.site?.devices.delete(device);
    device.site = undefined;
    datalogger.devices.set(device.toldSn, device);
    this.#bornDevices.add(device);
  }

  /** Its row is another logger's: it gets one of its own. */
  #forgetRow(device: DeviceEntry): void {
    this.#held.devicesById.delete(device.id);
    device.id = '';
    device.key = 0;
    device.newestTsMs = Number.NaN;
    device.opening = {};
  }

  noteDataloggerBirth(datalogger: DataloggerEntry): void {
    this.#bornDataloggers.add(datalogger);
  }

  noteDeviceBirth(device: DeviceEntry): void {
    if (!device.isRefused && !device.isDatalogger) this.#bornDevices.add(device);
  }

  /** Whether a birth is not in Postgres yet; also while it is being written. */
  get hasUnsettled(): boolean {
    return this.#isSettling || this.#bornDevices.size > 0 || this.#bornDataloggers.size > 0;
  }

  /** Writes births to Postgres; afterwards every device has its key, or is refused. */
  settle(): Promise<void> {
    return this.#next(async () => {
      this.#isSettling = true;
      try {
        if (this.#bornDataloggers.size > 0) await this.#writeDataloggers();
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

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#working.then(work, work);
    this.#working = done.catch(() => undefined);
    return done;
  }

  async #writeDataloggers(): Promise<void> {
    const dataloggers = [...this.#bornDataloggers];
    this.#bornDataloggers.clear();
    try {
      await updateDataloggers(this.#db, dataloggers);
    } catch (error) {
      for (const datalogger of dataloggers) this.#bornDataloggers.add(datalogger);
      throw error;
    }
  }

  async #writeDevices(devices: readonly DeviceEntry[]): Promise<void> {
    const notWritten: DeviceEntry[] = [];
    const found: DeviceEntry[] = [];
    try {
      const written = await inTransaction(this.#db, (tx) => insertDevices(tx, devices));
      const bySn = new Map(written.map((row) => [row.sn, row]));
      for (const device of devices) {
        const row = bySn.get(device.sn);
        if (row === undefined) {
          notWritten.push(device);
          continue;
        }
        if (device.refusedFor === 'bad-device') device.refusedFor = undefined;
        const isUnread = row.is_found && device.id === '';
        if (isUnread) found.push(device);
        if (row.kind !== device.kind) {
          device.isKindGuessed = true;
          device.accepts(row.kind);
        }
        if (isUnread) device.isKindGuessed = row.kind_guessed;
        // Under which key it goes on is followed with all else that changes.
        if (!hasOtherKey(device, row)) device.key = row.key;
        device.id = row.id;
        this.#held.replace(device);
        this.#held.place(device, device.isClaim ? null : row.site_id, row.role);
      }
      await this.#remember(found);
      await this.#writeClaims(devices.filter(({ isClaim }) => isClaim));
    } catch (error) {
      if (!isRowRefused(error)) {
        for (const device of devices) this.#bornDevices.add(device);
        throw error;
      }
      const [only] = devices;
      if (devices.length > 1) for (const device of devices) await this.#writeDevices([device]);
      else if (only !== undefined) this.#refuse(only, 'bad-device');
    }
    if (notWritten.length > 0) await this.#writeTaken(notWritten);
  }

  /** The number of these devices is another logger's, or was given to one meanwhile, or they were renamed. */
  async #writeTaken(devices: readonly DeviceEntry[]): Promise<void> {
    const before = new Map(devices.map((device) => [device, device.sn]));
    const ids = devices.map(({ datalogger }) => datalogger.id);
    await this.#read({ dataloggerIds: ids });
    const givenUp = await numbersGivenUp(this.#db, [...before.values()]);
    const toWrite: DeviceEntry[] = [];
    for (const [device, sn] of before) {
      if (device.sn === sn && !device.isClaim) {
        if (givenUp.has(sn) || hasRoomForClaim(device.datalogger)) this.#makeClaim(device);
        else this.#refuse(device, 'too-many-claims');
      }
      if (!device.isRefused) toWrite.push(device);
      this.#bornDevices.delete(device);
    }
    if (toWrite.length > 0) await this.#writeDevices(toWrite);
    for (const device of devices) this.#bornDevices.delete(device);
  }

  async #writeClaims(devices: readonly DeviceEntry[]): Promise<void> {
    if (devices.length === 0) return;
    const made = await insertClaims(this.#db, devices);
    const given = await this.#listeners.giveUp?.(devices.map(({ id }) => id));
    for (const device of devices)
      if (made.has(device.id) && given?.has(device.id) !== true) this.#listeners.claimed(device);
    // The next birth is told of the device under its number.
    if (given !== undefined && given.size > 0) await this.#read({ deviceIds: [...given] });
  }

  #refuse(device: DeviceEntry, reason: RefusalReason): void {
    device.refusedFor = reason;
    this.#listeners.refused(reason, device.datalogger, device.sn);
    device.site?.devices.delete(device);
    device.site = undefined;
    device.datalogger.devices.delete(device.calledSn);
    const { devicesBySn } = this.#held;
    if (reason === 'too-many-claims' && devicesBySn.get(device.sn) === device) devicesBySn.delete(device.sn);
  }

  /** Reads again all that is held: what has changed is not known. */
  async #readHeld(): Promise<void> {
    const { dataloggersById, sitesById } = this.#held;
    const siteIds = [...sitesById.values()].filter(({ dataloggers }) => dataloggers.size === 0).map(({ id }) => id);
    await this.#read({ dataloggerIds: [...dataloggersById.keys()], siteIds });
  }

  /** Of what has changed that alone is read which is held, or belongs to something that is. */
  async #readChanged(changes: Changes): Promise<void> {
    const { sitesById, dataloggersById, devicesById, lostSites } = this.#held;
    if (sitesById.size + dataloggersById.size === 0) return;
    const siteIds = [...changes.sites].filter((id) => sitesById.has(id) || lostSites.has(id));
    const dataloggerIds = [...changes.dataloggers.keys()].filter((id) => dataloggersById.has(id));
    const isHeld = (siteId: string | null): boolean => siteId !== null && sitesById.has(siteId);
    const otherDataloggers = [...changes.dataloggers.keys()].filter((id) => !dataloggersById.has(id));
    for (const part of partsOf(otherDataloggers, MOST_LOOKED_AT_ONCE)) {
      for (const { id, site_id } of await placesOfDataloggers(this.#db, part))
        if (isHeld(site_id)) dataloggerIds.push(id);
    }
    await this.#read({ siteIds, dataloggerIds });
    const movedIds: string[] = [];
    for (const part of partsOf([...changes.devices], MOST_LOOKED_AT_ONCE)) {
      const rows = await rowsOfDevices(this.#db, part);
      // What stays among what is held is taken as it is; where it comes from elsewhere, or goes there, that is read with it.
      const stays = ({ logger_id, site_id }: DeviceRow): boolean =>
        dataloggersById.has(logger_id) && (site_id === null || sitesById.has(site_id) || lostSites.has(site_id));
      const own = new Map(rows.filter(stays).map((row) => [row.id, row]));
      const fresh = [...own.keys()].filter((id) => !devicesById.has(id));
      await this.#take({ ...NO_ROWS, devices: own, memories: await readMemories(this.#db, fresh) });
      for (const row of rows) {
        if (own.has(row.id)) continue;
        if (devicesById.has(row.id) || dataloggersById.has(row.logger_id) || isHeld(row.site_id)) movedIds.push(row.id);
      }
    }
    await this.#read({ deviceIds: movedIds });
  }

  async #read(sought: Sought): Promise<void> {
    const isHeld = (id: string): boolean => this.#held.devicesById.has(id);
    for (const part of soughtInParts(sought)) {
      const rows = await readFleet(this.#db, part, isHeld);
      for (const id of part.siteIds ?? []) if (!rows.sites.has(id)) this.#held.lose(id);
      await this.#take(rows);
    }
  }

  async #take(rows: FleetRows): Promise<void> {
    const corrections = await correctionsOf(this.#db, [...rows.devices.keys()]);
    const rekeyed = [...rows.devices.values()].filter((row) => hasOtherKey(this.#held.devicesById.get(row.id), row));
    const begun = await readMemories(
      this.#db,
      rekeyed.map(({ id }) => id),
    );
    const born = new Map([...this.#bornDevices].map((device) => [device.id, device]));
    const { fresh, succeeded, orphans, devices } = this.#held.take(rows, (device) => this.#bornDevices.has(device));
    for (const device of succeeded) {
      const memory = begun.get(device.id);
      if (memory !== undefined) beginAnew(device, memory);
      const former = born.get(device.id);
      if (former === undefined) continue;
      this.#bornDevices.delete(former);
      this.#bornDevices.add(device);
    }
    for (const device of fresh) {
      const memory = rows.memories.get(device.id);
      if (memory === undefined) continue;
      remember(device, memory);
      this.#listeners.standing(device, memory.alarms);
    }
    for (const id of rows.devices.keys()) {
      const device = this.#held.devicesById.get(id);
      if (device !== undefined) device.corrections = corrections.get(id) ?? NO_CORRECTIONS;
    }
    if (orphans.length > 0) await freeClaims(this.#db, orphans);
    if (devices.length === 0) return;
    await linkToSites(this.#db, devices);
    for (const device of devices) this.#held.move(device, device.datalogger.site);
  }

  /** Devices that were born here and turn out to have been there before. */
  async #remember(devices: readonly DeviceEntry[]): Promise<void> {
    const ids = devices.map(({ id }) => id);
    const [memories, corrections] = await Promise.all([readMemories(this.#db, ids), correctionsOf(this.#db, ids)]);
    for (const device of devices) {
      device.corrections = corrections.get(device.id) ?? NO_CORRECTIONS;
      const memory = memories.get(device.id);
      if (memory === undefined) continue;
      remember(device, memory);
      this.#listeners.standing(device, memory.alarms);
    }
  }
}

function hasRoomForClaim(datalogger: DataloggerEntry): boolean {
  let claims = 0;
  for (const { isClaim } of datalogger.devices.values()) if (isClaim) claims += 1;
  return claims < MOST_CLAIMS;
}
