import { UNMARKED_WH } from '@sonnenwarte/energy/accounting/site-energies';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import { inSlices } from '../in-slices.ts';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import { Turns } from '../turns.ts';
import type { Backlogs } from './backlogs.ts';
import { correctedSums, type Generated, isCorrected } from './corrected-sums.ts';
import { type Openings, type SiteOpening, siteOpening } from './openings.ts';
import { orNone, runningOf, sumOfKnown, writeRunning } from './running-figures.ts';
import { runningMoney } from './running-money.ts';

const LOOK_AGAIN_MS = 5_000;
const SITES_AT_ONCE = 1_000;

/** Of what was seen when all sites that are held were looked at: it holds until somewhere a day turns. */
const NOT_LOOKED = { placements: Number.NaN, untilMs: Number.NEGATIVE_INFINITY };

/** Generation of the running day and month and since the beginning, of sites that are held and inverters, for lists and the live view. */
export class Figures {
  readonly #db: Kysely<Database>;
  readonly #telemetry: TelemetryHandle;
  readonly #openings: Openings;
  readonly #backlogs: Pick<Backlogs, 'heldDay' | 'sites'>;
  readonly #registry: Pick<Registry, 'sites' | 'placements'>;
  #looked = NOT_LOOKED;
  #lookedMs = 0;

  constructor(options: {
    db: Kysely<Database>;
    telemetry: TelemetryHandle;
    registry: Pick<Registry, 'sites' | 'placements'>;
    openings: Openings;
    backlogs: Pick<Backlogs, 'heldDay' | 'sites'>;
  }) {
    this.#db = options.db;
    this.#telemetry = options.telemetry;
    this.#registry = options.registry;
    this.#openings = options.openings;
    this.#backlogs = options.backlogs;
  }

  /** Whether a site's local day may have turned since its figures were written, or a device has come to one. */
  isDue(nowMs: number): boolean {
    if (nowMs - this.#lookedMs < LOOK_AGAIN_MS) return false;
    this.#lookedMs = nowMs;
    if (this.#mustLookAtAll(nowMs)) return true;
    for (const site of this.#backlogs.sites) if (this.#hasTurned(site, nowMs)) return true;
    return false;
  }

  /**
   * The sites whose figures are to be written: touched ones and those in which a new day has begun. All are looked at only when a
   * day turns somewhere or devices have come; else those alone whose day is held back.
   */
  async take(touched: Iterable<SiteEntry>, nowMs: number): Promise<SiteEntry[]> {
    const due = new Set(touched);
    const look = (site: SiteEntry): void => {
      if (this.#hasTurned(site, nowMs)) due.add(site);
    };
    if (this.#mustLookAtAll(nowMs)) {
      const { placements } = this.#registry;
      const turns = new Map<string, number>();
      await inSlices(this.#registry.sites, (site) => {
        look(site);
        entryOf(turns, site.zone, () => dayBounds(localDay(nowMs, site.zone), site.zone).endMs);
      });
      this.#looked = { placements, untilMs: Math.min(...turns.values()) };
    } else for (const site of this.#backlogs.sites) look(site);
    return [...due];
  }

  #mustLookAtAll(nowMs: number): boolean {
    return nowMs >= this.#looked.untilMs || this.#registry.placements !== this.#looked.placements;
  }

  #hasTurned(site: SiteEntry, nowMs: number): boolean {
    return site.devices.size > 0 && site.figuresDay !== this.#backlogs.heldDay(site, nowMs);
  }

  /** Whether the figures of a site that are written are those of a local day. */
  isOf(site: SiteEntry, day: string): boolean {
    return site.figuresDay === day;
  }

  /** Writes them and returns the devices whose own figures changed. */
  async write(sites: readonly SiteEntry[], nowMs: number): Promise<DeviceEntry[]> {
    const changed: DeviceEntry[] = [];
    const looked = this.#looked;
    this.#looked = NOT_LOOKED;
    for (let at = 0; at < sites.length; at += SITES_AT_ONCE) {
      changed.push(...(await this.#writeSome(sites.slice(at, at + SITES_AT_ONCE), nowMs)));
    }
    this.#looked = looked;
    return changed;
  }

  async #writeSome(sites: readonly SiteEntry[], nowMs: number): Promise<DeviceEntry[]> {
    const dayOf = new Map(sites.map((site) => [site, this.#backlogs.heldDay(site, nowMs)]));
    const running = await runningOf(this.#telemetry, dayOf);
    const openings = new Map<SiteEntry, SiteOpening>();
    await inSlices(sites, (site) => openings.set(site, siteOpening(site)), new Turns(1));
    const rows = sites.map((site) => {
      const figures = running.get(site.key);
      const totalWh = sumOfKnown(openings.get(site)?.pv, figures?.totalWh);
      const day = dayOf.get(site) ?? '';
      return { site, day, ...figures, totalWh, ...runningMoney(site.tariffs, { day, zone: site.zone }, figures ?? {}) };
    });
    await this.#openings.writeSites(openings);
    const changed = await this.#devicesToday(sites, nowMs);
    await writeRunning(this.#db, rows);
    for (const [site, day] of dayOf) site.figuresDay = day;
    return changed;
  }

  /** What inverters generated since their local day began, of those at a time in which it began at once. */
  async #devicesToday(sites: readonly SiteEntry[], nowMs: number): Promise<DeviceEntry[]> {
    const changed: DeviceEntry[] = [];
    const found = new Map<DeviceEntry, Generated>();
    const startOf = (site: SiteEntry): number =>
      Math.round(dayBounds(localDay(nowMs, site.zone), site.zone).startMs / 1_000);
    const startS = new Map<string, number>();
    for (const [start, together] of Map.groupBy(sites, (site) => entryOf(startS, site.zone, () => startOf(site)))) {
      const byKey = new Map<number, DeviceEntry>();
      for (const { devices } of together) {
        for (const device of devices) if (device.key > 0 && device.kind === 'inverter') byKey.set(device.key, device);
      }
      await eachRowOf(
        this.#telemetry.client,
        [...byKey.keys()],
        (
          keys,
        ) => `SELECT device, if(countIf(NOT isNaN(pv_wh)) = 0, nan, sumIf(pv_wh, NOT isNaN(pv_wh))), toUInt32(groupBitOrIf(bitAnd(qualities, 3), pv_wh >= ${UNMARKED_WH}))
         FROM device_5m FINAL WHERE device IN (${keys}) AND ts >= ${start} GROUP BY device`,
        (rows) => {
          const device = byKey.get(rows.uint32());
          const wh = orNone(rows.float64()) ?? null;
          const marks = rows.uint32();
          if (device !== undefined) found.set(device, { wh, marks });
        },
      );
      const sinceMs = { startMs: 1_000 * start, endMs: Number.POSITIVE_INFINITY };
      for (const device of byKey.values()) {
        if (!isCorrected(device, sinceMs)) continue;
        const [today] = await correctedSums(this.#telemetry, device, [sinceMs]);
        if (today !== undefined) found.set(device, today);
      }
    }
    for (const [device, { wh, marks }] of found) {
      if (device.todayWh === wh && device.todayMarks === marks) continue;
      device.todayWh = wh;
      device.todayMarks = marks;
      changed.push(device);
    }
    return changed;
  }
}
