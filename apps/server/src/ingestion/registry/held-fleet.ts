import { isDeviceKind } from '@sonnenwarte/device-protocol/points/points';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import type { DataloggerRow, DeviceRow, FleetRows, SiteRow } from './fleet-rows.store.ts';
import { DataloggerEntry, DeviceEntry, SiteEntry } from './plant-model.ts';
import { hasOtherPrices, setPrices } from './site-prices.store.ts';

/** Devices that a reading has shown to be in a plant, or free for who claimed them, and whose rows do not say so yet. */
export interface Unlinked {
  devices: DeviceEntry[];
  orphans: string[];
}

interface Taken extends Unlinked {
  fresh: DeviceEntry[];
  /** In the place of entries whose device has another key now. */
  succeeded: DeviceEntry[];
}

/** Of a device under a new key. */
const NOTHING_RECORDED = {
  newestTsMs: Number.NaN,
  emptyFromMs: 0,
  emptyToMs: 0,
  doubts: [],
  todayWh: null,
  todayMarks: 0,
} as const satisfies Partial<DeviceEntry>;

/** Whether what a device that has recorded records goes elsewhere from now on. */
export const hasOtherKey = (device: DeviceEntry | undefined, row: Pick<DeviceRow, 'id' | 'key'>): boolean =>
  device !== undefined && device.id === row.id && device.key > 0 && device.key !== row.key;

/** Plants, dataloggers and devices in memory. A plant is here with all that is on it, or not at all. */
export class HeldFleet {
  readonly sitesById = new Map<string, SiteEntry>();
  readonly dataloggersBySn = new Map<string, DataloggerEntry>();
  readonly dataloggersById = new Map<string, DataloggerEntry>();
  readonly devicesBySn = new Map<string, DeviceEntry>();
  readonly devicesById = new Map<string, DeviceEntry>();
  /** Deleted plants of what is here; one may come back. */
  readonly lostSites = new Set<string>();
  readonly #moved: (device: DeviceEntry, from: SiteEntry | undefined) => void;
  /** Grows when a device comes to a site, or a site gets another zone. */
  placements = 0;

  constructor(moved: (device: DeviceEntry, from: SiteEntry | undefined) => void) {
    this.#moved = moved;
  }

  /** Takes rows in one go: nobody sees a plant without its devices. Those of which something is being born keep their logger. */
  take(rows: FleetRows, isBeingBorn: (device: DeviceEntry) => boolean): Taken {
    const nowMs = Date.now();
    for (const { site_id } of rows.dataloggers.values())
      if (site_id !== null && !rows.sites.has(site_id)) this.lose(site_id);
    for (const row of rows.sites.values()) this.#takeSite(row, rows, nowMs);
    for (const row of rows.dataloggers.values()) this.#takeDatalogger(row, nowMs);
    const taken: Taken = { devices: [], orphans: [], fresh: [], succeeded: [] };
    for (const row of rows.devices.values()) this.#takeDevice(row, taken, isBeingBorn);
    return taken;
  }

  #takeSite(row: SiteRow, { tariffs, books }: FleetRows, nowMs: number): void {
    let site = this.sitesById.get(row.id);
    if (site === undefined) {
      site = new SiteEntry(row.id, row.key, 'UTC');
      site.figuresDay = row.local_day ?? undefined;
      site.askedMs = nowMs;
      this.sitesById.set(row.id, site);
      this.lostSites.delete(row.id);
    }
    if (site.enteredZone !== row.time_zone) {
      site.enteredZone = row.time_zone;
      site.zone = isValidZone(row.time_zone) ? row.time_zone : 'UTC';
      this.placements += 1;
    }
    if (hasOtherPrices(site, row, books)) setPrices(site, row, books, tariffs.get(row.id));
    site.ratedPowerW = row.rated_power_w ?? undefined;
  }

  #takeDatalogger(row: DataloggerRow, nowMs: number): void {
    let datalogger = this.dataloggersBySn.get(row.sn);
    if (datalogger === undefined || datalogger.id !== row.id) {
      datalogger = new DataloggerEntry(row.id, row.key, row.sn);
      datalogger.reportIntervalS = row.report_interval_s;
      datalogger.askedMs = nowMs;
      this.dataloggersBySn.set(row.sn, datalogger);
      this.dataloggersById.set(row.id, datalogger);
    }
    datalogger.isQuarantined = row.quarantined;
    const site = this.#siteOf(row.site_id);
    if (datalogger.site === site) return;
    datalogger.site?.dataloggers.delete(datalogger);
    datalogger.site = site;
    site?.dataloggers.add(datalogger);
  }

  #siteOf(id: string | null): SiteEntry | undefined {
    if (id === null) return undefined;
    const site = this.sitesById.get(id);
    if (site === undefined) this.lostSites.add(id);
    return site;
  }

  #takeDevice(row: DeviceRow, taken: Taken, isBeingBorn: (device: DeviceEntry) => boolean) {
    const datalogger = this.dataloggersById.get(row.logger_id);
    if (datalogger === undefined || !isDeviceKind(row.kind)) return;
    let device = this.devicesById.get(row.id) ?? this.#bornAs(row.sn, datalogger);
    const isNew = device === undefined;
    if (device !== undefined && hasOtherKey(device, row)) {
      device = this.#succeed(device);
      taken.succeeded.push(device);
    }
    device ??= new DeviceEntry(row.sn, row.kind, datalogger);
    if (isNew) device.isKindGuessed = row.kind_guessed;
    if (device.id === '') taken.fresh.push(device);
    this.devicesById.set(row.id, device);
    this.rename(device, row.sn);
    device.id = row.id;
    device.key = row.key;
    if (!isBeingBorn(device) && device.datalogger !== datalogger) {
      device.datalogger.devices.delete(device.calledSn);
      device.datalogger = datalogger;
    }
    device.toldSn = row.told_sn ?? undefined;
    if (row.told_sn !== null && row.deleted_at !== null && row.claim === null) taken.orphans.push(row.id);
    device.isOfLostPlant = row.site_id !== null && this.#siteOf(row.site_id) === undefined;
    device.isBurntIn = row.burn_in === 'over';
    device.isClaim = row.claim === 'open' || row.claim === 'kept';
    if (row.claim !== null) device.refusedFor = row.claim === 'kept' ? 'device-of-another-logger' : undefined;
    device.datalogger.devices.set(device.calledSn, device);
    if (row.rated_power_w !== null) device.properties.ratedPowerW = row.rated_power_w;
    if (row.capacity_wh !== null) device.properties.capacityWh = row.capacity_wh;
    this.place(device, row.deleted_at === null ? row.site_id : null, row.role, isNew);
    if (row.site_id === null && row.deleted_at === null && datalogger.site !== undefined) taken.devices.push(device);
  }

  /**
   * What a device records goes under another key from now on: the entry that has the former one finishes there what was received before,
   * and another one takes its place, of which nothing is stored yet as far as is known.
   */
  #succeed(former: DeviceEntry): DeviceEntry {
    const device = Object.assign(new DeviceEntry(former.sn, former.kind, former.datalogger), former, NOTHING_RECORDED, {
      opening: {},
      firstReadMs: {},
    });
    if (this.devicesBySn.get(former.sn) === former) this.devicesBySn.set(former.sn, device);
    const { datalogger, site, calledSn } = former;
    if (datalogger.devices.get(calledSn) === former) datalogger.devices.set(calledSn, device);
    if (site?.devices.delete(former)) this.put(device, site);
    return device;
  }

  /** What was born here under a number is the device of that row, unless it is of another logger: when it is written that is decided. */
  #bornAs(sn: string, datalogger: DataloggerEntry): DeviceEntry | undefined {
    const device = this.devicesBySn.get(sn);
    return device !== undefined && (device.id !== '' || device.datalogger === datalogger) ? device : undefined;
  }

  /** A device has got its row, maybe that of one that was here for another logger. */
  replace(device: DeviceEntry): void {
    const before = this.devicesById.get(device.id);
    this.devicesById.set(device.id, device);
    if (before === undefined || before === device) return;
    before.site?.devices.delete(before);
    before.site = undefined;
    if (before.datalogger.devices.get(before.calledSn) === before) before.datalogger.devices.delete(before.calledSn);
    this.devicesBySn.set(device.sn, device);
  }

  rename(device: DeviceEntry, sn: string): void {
    if (device.sn !== sn && this.devicesBySn.get(device.sn) === device) this.devicesBySn.delete(device.sn);
    device.sn = sn;
    this.devicesBySn.set(sn, device);
  }

  place(device: DeviceEntry, siteId: string | null, role: string, isNew = false): void {
    const site = siteId === null ? undefined : this.sitesById.get(siteId);
    if (isNew) {
      device.role = role;
      device.site = site;
      if (site !== undefined) this.put(device, site);
      return;
    }
    const hasOtherRole = device.role !== role;
    device.role = role;
    if (siteId !== null && site === undefined) return;
    if (device.site !== site) this.move(device, site);
    else if (hasOtherRole && !Number.isNaN(device.newestTsMs)) this.#moved(device, site);
  }

  /** A plant was deleted: what is on it is in none until it comes back. */
  lose(siteId: string): void {
    const site = this.sitesById.get(siteId);
    if (site === undefined) return;
    this.sitesById.delete(siteId);
    this.lostSites.add(siteId);
    for (const datalogger of site.dataloggers) datalogger.site = undefined;
    site.dataloggers.clear();
    for (const device of [...site.devices]) {
      device.isOfLostPlant = true;
      this.move(device, undefined);
    }
  }

  put(device: DeviceEntry, site: SiteEntry): void {
    site.devices.add(device);
    this.placements += 1;
  }

  move(device: DeviceEntry, site: SiteEntry | undefined): void {
    const before = device.site;
    if (before === site) return;
    before?.devices.delete(device);
    device.site = site;
    if (site !== undefined) this.put(device, site);
    if (device.key > 0) this.#moved(device, before);
  }

  /** Lets go of all that hangs together and of which nothing is in use. */
  forget(isInUse: (entry: SiteEntry | DataloggerEntry) => boolean): void {
    const seen = new Set<SiteEntry | DataloggerEntry>();
    const lonely = [...this.sitesById.values()].filter(
      ({ dataloggers, devices }) => dataloggers.size + devices.size === 0,
    );
    for (const start of [...this.dataloggersBySn.values(), ...lonely]) {
      if (seen.has(start) || isInUse(start)) continue;
      const together = togetherWith(start);
      for (const entry of together) seen.add(entry);
      if ([...together].some(isInUse)) continue;
      for (const entry of together) this.#drop(entry);
    }
  }

  #drop(entry: SiteEntry | DataloggerEntry): void {
    if (entry instanceof SiteEntry) {
      this.sitesById.delete(entry.id);
      return;
    }
    if (this.dataloggersBySn.get(entry.sn) === entry) this.dataloggersBySn.delete(entry.sn);
    this.dataloggersById.delete(entry.id);
    for (const device of entry.devices.values()) {
      if (this.devicesBySn.get(device.sn) === device) this.devicesBySn.delete(device.sn);
      if (device.id !== '') this.devicesById.delete(device.id);
    }
  }
}

/** A plant with its dataloggers and those of its devices, and the plants where their devices are. */
function togetherWith(start: SiteEntry | DataloggerEntry): Set<SiteEntry | DataloggerEntry> {
  const together = new Set([start]);
  for (const entry of together) {
    if (entry instanceof SiteEntry) for (const datalogger of entry.dataloggers) together.add(datalogger);
    else if (entry.site !== undefined) together.add(entry.site);
    for (const { datalogger, site } of entry.devices.values()) {
      together.add(datalogger);
      if (site !== undefined) together.add(site);
    }
  }
  return together;
}
