import { UNMARKED_WH } from '@sonnenwarte/energy/accounting/site-energies';
import { dayBounds, localDay, monthBounds, type TimeBounds, yearBounds } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { Database } from '../stores/schema.ts';
import type { TelemetryHandle } from '../stores/telemetry-engine.ts';
import type { Backlogs } from './backlogs.ts';
import { correctedSums, type Generated, isCorrected } from './corrected-sums.ts';
import { type ListedEnergies, listedEnergies, writeListedEnergies } from './device-energies.store.ts';
import { orNone } from './running-figures.ts';
import type { WrittenDays } from './site-rollups.ts';

/** Inverters that are looked at in one turn, and those of them of which a whole year is summed: neither keeps what is of now waiting. */
const MOST_DEVICES = 2_000;
const MOST_WHOLE = 40;

interface DeviceEnergiesOptions {
  db: Kysely<Database>;
  telemetry: TelemetryHandle;
  backlogs: Pick<Backlogs, 'heldDay'>;
}

/** Plants of one zone and one local day, whose spans are the same. */
interface Together {
  readonly spans: Spans;
  readonly devices: Map<DeviceEntry, { site: SiteEntry; changedDay: string | undefined }>;
}

interface Spans {
  readonly today: TimeBounds;
  /** Before today. */
  readonly yesterday: TimeBounds & { readonly day: string };
  readonly month: TimeBounds;
  readonly year: TimeBounds;
  readonly isYesterdayOf: { readonly month: boolean; readonly year: boolean };
  readonly monthEndsMs: number;
  readonly yearEndsMs: number;
}

function spansOf(day: string, zone: string): Spans {
  const today = dayBounds(day, zone);
  const endMs = today.startMs;
  const lastDay = localDay(endMs - 1, zone);
  const month = monthBounds(day.slice(0, 7), zone);
  const year = yearBounds(Number(day.slice(0, 4)), zone);
  const yesterday = { day: lastDay, startMs: dayBounds(lastDay, zone).startMs, endMs };
  return {
    today,
    yesterday,
    month: { startMs: month.startMs, endMs },
    year: { startMs: year.startMs, endMs },
    isYesterdayOf: { month: yesterday.startMs >= month.startMs, year: yesterday.startMs >= year.startMs },
    monthEndsMs: month.endMs,
    yearEndsMs: year.endMs,
  };
}

/**
 * What inverters generated yesterday, and in the month and the year before today, for lists. It changes when a day turns and when
 * what was before is accounted anew; while only yesterday is concerned, month and year follow by what yesterday differs.
 */
export class DeviceEnergies {
  readonly #options: DeviceEnergiesOptions;
  /** Plants to look at, with the first day before today of which something was written. */
  readonly #pending = new Map<SiteEntry, string | undefined>();

  constructor(options: DeviceEnergiesOptions) {
    this.#options = options;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Takes the days of plants of which sums have been written. */
  note(days: WrittenDays, nowMs: number): void {
    const endOf = new Map<string, number>();
    for (const [site, written] of days) {
      const day = this.#options.backlogs.heldDay(site, nowMs);
      const endMs = entryOf(endOf, `${site.zone} ${day}`, () => dayBounds(day, site.zone).endMs);
      let first = this.#pending.get(site);
      for (const each of written) if (each < day && (first === undefined || each < first)) first = each;
      const isDue = [...site.devices].some((device) => hasEnergies(device) && device.energiesUntilMs !== endMs);
      if (first !== undefined || isDue) this.#pending.set(site, first);
    }
  }

  /** Looks at plants of which a new day may have begun, or whose history has come. */
  look(sites: readonly SiteEntry[], nowMs: number): void {
    const none: ReadonlySet<string> = new Set();
    this.note(new Map(sites.map((site) => [site, none])), nowMs);
  }

  /** Writes a bounded number of them; what is left waits for the next turn. */
  async write(nowMs: number): Promise<void> {
    const taken = new Map<SiteEntry, string | undefined>();
    let count = 0;
    for (const [site, first] of this.#pending) {
      if (count >= MOST_DEVICES) break;
      taken.set(site, first);
      count += site.devices.size;
    }
    for (const site of taken.keys()) this.#pending.delete(site);
    try {
      const left = await this.#writeSome(taken, nowMs);
      for (const site of left) this.#wait(site, taken.get(site));
    } catch (error) {
      for (const [site, first] of taken) this.#wait(site, first);
      throw error;
    }
  }

  #wait(site: SiteEntry, first: string | undefined): void {
    const other = this.#pending.get(site);
    this.#pending.set(site, first === undefined || (other !== undefined && other < first) ? other : first);
  }

  /** Answers the plants for which there was no time. */
  async #writeSome(sites: ReadonlyMap<SiteEntry, string | undefined>, nowMs: number): Promise<Set<SiteEntry>> {
    const left = new Set<SiteEntry>();
    let whole = MOST_WHOLE;
    for (const { spans, devices } of this.#together(sites, nowMs)) {
      const stored = await listedEnergies(
        this.#options.db,
        [...devices.keys()].map(({ id }) => id),
      );
      const written: [DeviceEntry, ListedEnergies][] = [];
      const short: DeviceEntry[] = [];
      const long: DeviceEntry[] = [];
      for (const [device, { site, changedDay }] of devices) {
        const before = stored.get(device.id);
        // The row comes with that of the device.
        if (before === undefined) continue;
        const isOfToday = before.dayEndsMs === spans.today.endMs;
        if (isOfToday && changedDay === undefined) device.energiesUntilMs = spans.today.endMs;
        else if (followsYesterday(before, spans, changedDay)) short.push(device);
        else if (whole > 0) {
          long.push(device);
          whole -= 1;
        } else left.add(site);
      }
      for (const [device, [yesterday]] of await this.#sums(short, [spans.yesterday])) {
        const before = stored.get(device.id);
        if (before === undefined || yesterday === undefined) continue;
        const after = following(before, yesterday, spans);
        // Of what no longer is estimated, the month and the year may hold other such.
        if (after === undefined) long.push(device);
        else written.push([device, after]);
      }
      const { yesterday, month, year } = spans;
      for (const [device, sums] of await this.#sums(long, [yesterday, month, year])) {
        const [ofYesterday = NONE, ofMonth = NONE, ofYear = NONE] = sums;
        written.push([device, { dayEndsMs: spans.today.endMs, yesterday: ofYesterday, month: ofMonth, year: ofYear }]);
      }
      await writeListedEnergies(this.#options.db, spans, written);
      for (const [device] of written) device.energiesUntilMs = spans.today.endMs;
    }
    return left;
  }

  #together(sites: ReadonlyMap<SiteEntry, string | undefined>, nowMs: number): Iterable<Together> {
    const found = new Map<string, Together>();
    for (const [site, changedDay] of sites) {
      const day = this.#options.backlogs.heldDay(site, nowMs);
      const { devices } = entryOf(found, `${site.zone} ${day}`, () => ({
        spans: spansOf(day, site.zone),
        devices: new Map(),
      }));
      const before = changedDay !== undefined && changedDay < day ? changedDay : undefined;
      for (const device of site.devices) if (hasEnergies(device)) devices.set(device, { site, changedDay: before });
    }
    return found.values();
  }

  /** What devices generated in spans, each of them. */
  async #sums(devices: readonly DeviceEntry[], spans: readonly TimeBounds[]): Promise<Map<DeviceEntry, Generated[]>> {
    const found = new Map(devices.map((device) => [device, spans.map(() => NONE)]));
    const byKey = new Map(devices.map((device) => [device.key, device]));
    const startMs = Math.min(...spans.map((span) => span.startMs));
    const endMs = Math.max(...spans.map((span) => span.endMs));
    const columns = spans.map((span) => {
      const isIn = `ts >= ${inSeconds(span.startMs)}`;
      const isKnown = `NOT isNaN(pv_wh) AND ${isIn}`;
      return `if(countIf(${isKnown}) = 0, nan, sumIf(pv_wh, ${isKnown})),
        toUInt32(groupBitOrIf(bitAnd(qualities, 3), pv_wh >= ${UNMARKED_WH} AND ${isIn}))`;
    });
    await eachRowOf(
      this.#options.telemetry.client,
      [...byKey.keys()],
      (keys) => `SELECT device, ${columns.join(', ')} FROM device_5m FINAL
        WHERE device IN (${keys}) AND ts >= ${inSeconds(startMs)} AND ts < ${inSeconds(endMs)} GROUP BY device`,
      (rows) => {
        const device = byKey.get(rows.uint32());
        const sums = spans.map(() => ({ wh: orNone(rows.float64()) ?? null, marks: rows.uint32() }));
        if (device !== undefined) found.set(device, sums);
      },
    );
    for (const device of devices) {
      if (!isCorrected(device, { startMs, endMs })) continue;
      found.set(device, await correctedSums(this.#options.telemetry, device, spans));
    }
    return found;
  }
}

const NONE: Generated = { wh: null, marks: 0 };
const inSeconds = (ms: number): number => Math.round(ms / 1_000);
const hasEnergies = ({ kind, key, id }: DeviceEntry): boolean => kind === 'inverter' && key > 0 && id !== '';

/** Whether what is written is of today or of yesterday, and all that changed since is of yesterday. */
function followsYesterday({ dayEndsMs }: ListedEnergies, spans: Spans, changedDay: string | undefined): boolean {
  if (changedDay !== undefined && changedDay < spans.yesterday.day) return false;
  return dayEndsMs === spans.today.endMs || dayEndsMs === spans.today.startMs;
}

/** Energies of today from those of today or yesterday, now that yesterday is known; undefined where all must be summed. */
function following(before: ListedEnergies, yesterday: Generated, spans: Spans): ListedEnergies | undefined {
  const isOfToday = before.dayEndsMs === spans.today.endMs;
  const known = isOfToday ? before.yesterday : NONE;
  if ((known.marks & ~yesterday.marks) !== 0 || (known.wh !== null && yesterday.wh === null)) return undefined;
  const withYesterday = (sum: Generated, isOfIt: boolean): Generated => {
    if (!isOfIt) return isOfToday ? sum : NONE;
    if (yesterday.wh === null) return sum;
    return { wh: (sum.wh ?? 0) + yesterday.wh - (known.wh ?? 0), marks: sum.marks | yesterday.marks };
  };
  return {
    dayEndsMs: spans.today.endMs,
    yesterday,
    month: withYesterday(before.month, spans.isYesterdayOf.month),
    year: withYesterday(before.year, spans.isYesterdayOf.year),
  };
}
