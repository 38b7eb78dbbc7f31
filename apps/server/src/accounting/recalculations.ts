import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { DataloggerEntry, DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { isAccounted } from '../ingestion/registry/site-devices.ts';
import { nextVersion } from '../stores/row-buffer.ts';
import type { Database } from '../stores/schema.ts';
import {
  correctedSlices,
  deviceSlices,
  hasFormerCalendar,
  joinedSpans,
  rebuildSlices,
  type Span,
  type Stretch,
  sampleDays,
  sweepCalendar,
} from './recalculation-steps.ts';
import {
  type Depth,
  isRecalculationDue,
  nextRecalculations,
  noteDoneKey,
  type Recalculation,
  removeRecalculations,
  sitesAfter,
} from './recalculations.store.ts';
import type { SumStores } from './site-rollups.ts';

export interface RecalculationParts extends SumStores {
  db: Kysely<Database>;
  registry: Registry;
  logger: Logger;
  /** Does a step while nothing else is accounted. */
  turn(step: () => Promise<void>): Promise<void>;
  /** Accounts stretches anew from the samples and rolls up what that changes. Within a turn. */
  account(stretches: readonly Stretch[]): Promise<void>;
  /** Accounts what waits of devices, so that their rows are whole. Within a turn. */
  settle(devices: readonly DeviceEntry[]): Promise<void>;
  /** A device is another one to its ledger, e.g. measures something else. */
  forget(device: DeviceEntry): void;
  failed(error: unknown): void;
  /** Writes the running figures of sites. */
  write(sites: readonly SiteEntry[]): Promise<void>;
  /** What is said of sites has changed. */
  changed(sites: readonly SiteEntry[], devices: readonly DeviceEntry[]): void;
}

/** What is to be done to one plant. */
interface Plan {
  site: SiteEntry;
  /** undefined: all of the plant. */
  devices: DeviceEntry[] | undefined;
  /** From the first to the last of what is due. */
  span: Span;
  /** What of it is due: ascending, apart from each other. */
  spans: readonly Span[];
}

const LOOK_MS = 2_000;
const NOTED_AFTER = 50;
const SWEPT_AT_ONCE = 50;
const depths: readonly Depth[] = ['samples', 'devices', 'corrected', 'calendar'];

/**
 * Makes figures anew whose basis has changed: zone, prices, place of a device, damage. What is to be done stands in PostgreSQL
 * until it is done, so that it outlives the process; a step is a month or less, and samples are accounted between steps.
 */
export class Recalculations {
  readonly #parts: RecalculationParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  /** Plants and devices of the step that is done now. */
  #inHand: ReadonlySet<string> = new Set();

  constructor(parts: RecalculationParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Begins with what is due. */
  look(): void {
    this.run().catch((error: unknown) => {
      this.#parts.logger.warn({ err: error }, 'figures are not made anew, trying again');
      this.#parts.failed(error);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  /** Does all that is due, and waits for it. */
  run(): Promise<void> {
    this.#running ??= this.#runAll().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #runAll(): Promise<void> {
    const { db, registry } = this.#parts;
    while (!this.#isStopped && (await isRecalculationDue(db))) {
      const due = await nextRecalculations(db);
      // What asked for it was committed with it: it is known from here on.
      await registry.refresh();
      for (const depth of depths) {
        const ofDepth = due.filter((one) => one.depth === depth);
        await this.#doSites(
          depth,
          ofDepth.filter(({ siteId }) => siteId !== null),
        );
        for (const one of ofDepth) if (one.siteId === null) await this.#doAll(one);
      }
    }
  }

  async #doSites(depth: Depth, due: readonly Recalculation[]): Promise<void> {
    const bySite = Map.groupBy(due, ({ siteId }) => siteId ?? '');
    const ids = [...bySite.keys()];
    for (let at = 0; at < ids.length && !this.#isStopped; at += SWEPT_AT_ONCE) {
      const chunk = ids.slice(at, at + SWEPT_AT_ONCE);
      const remove = async (siteIds: readonly string[]) => {
        const done = siteIds.flatMap((id) => bySite.get(id) ?? []);
        await removeRecalculations(
          this.#parts.db,
          done.map(({ id }) => id),
        );
        this.#tell(siteIds);
      };
      await this.#with(chunk, devicesOf(chunk.flatMap((id) => bySite.get(id) ?? [])), async () => {
        const { registry } = this.#parts;
        const gone = chunk.filter((id) => registry.siteById(id) === undefined);
        if (gone.length > 0) await remove(gone);
        const plans = chunk.flatMap((id) => this.#planOf(id, bySite.get(id) ?? []));
        return this.#do(depth, plans, (sites) => remove(sites.map(({ id }) => id)));
      });
      // Of plants between which something moved, each is told when both are done.
      this.#tell(chunk);
    }
  }

  #tell(ids: readonly string[]): void {
    const { registry, changed } = this.#parts;
    changed(
      ids.map((id) => registry.siteById(id)).filter((site) => site !== undefined),
      [],
    );
  }

  /** Does something with plants and devices that stay held meanwhile. */
  async #with(
    siteIds: readonly string[],
    deviceIds: readonly string[],
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    this.#inHand = new Set([...siteIds, ...deviceIds]);
    try {
      await this.#parts.registry.learnPlants({ siteIds, deviceIds });
      return await work();
    } finally {
      this.#inHand = new Set();
    }
  }

  /** Whether figures of a site, or a device of a logger, are being made anew. */
  isWorkingOn(entry: SiteEntry | DataloggerEntry): boolean {
    if (this.#inHand.size === 0) return false;
    if (this.#inHand.has(entry.id)) return true;
    for (const { id } of entry.devices.values()) if (this.#inHand.has(id)) return true;
    return false;
  }

  #planOf(siteId: string, due: readonly Recalculation[]): Plan[] {
    const { registry } = this.#parts;
    const site = registry.siteById(siteId);
    if (site === undefined) return [];
    const fromMs = Math.min(...due.map((one) => one.fromMs));
    const toMs = Math.max(...due.map((one) => one.toMs));
    const isOfAll = due.some(({ deviceId }) => deviceId === null);
    const named = devicesOf(due).map((id) => registry.deviceById(id));
    const devices = isOfAll ? undefined : named.filter((device) => device !== undefined);
    return [{ site, devices, span: { fromMs, toMs }, spans: joinedSpans(due) }];
  }

  async #doAll({ id, depth, fromMs, toMs, doneKey }: Recalculation): Promise<void> {
    const { registry, db } = this.#parts;
    for (let afterKey = doneKey; ; ) {
      const rows = await sitesAfter(db, afterKey, NOTED_AFTER);
      const ids = rows.map((row) => row.id);
      const isDone = await this.#with(ids, [], () => {
        const sites = ids.map((siteId) => registry.siteById(siteId)).filter((site) => site !== undefined);
        return this.#do(
          depth,
          sites.map((site) => ({ site, devices: undefined, span: { fromMs, toMs }, spans: [{ fromMs, toMs }] })),
        );
      });
      const last = rows.at(-1);
      if (!isDone || this.#isStopped) return;
      if (last === undefined) break;
      afterKey = last.key;
      await noteDoneKey(db, id, afterKey);
      this.#tell(ids);
    }
    await removeRecalculations(db, [id]);
  }

  /** Whether all of it has been done: not so where the process is to end. `done` is told of each site as soon as it is. */
  async #do(
    depth: Depth,
    plans: readonly Plan[],
    done?: (sites: readonly SiteEntry[]) => Promise<void>,
  ): Promise<boolean> {
    const { telemetry, turn, write, changed } = this.#parts;
    changed(
      plans.map(({ site }) => site),
      [],
    );
    let version = 0;
    await turn(async () => {
      version = nextVersion();
    });
    const swept: SiteEntry[] = [];
    const rest: SiteEntry[] = [];
    if (depth === 'devices' || depth === 'corrected')
      await turn(() => this.#parts.settle(plans.flatMap(devicesOfPlan)));
    for (const plan of plans) {
      for await (const step of this.#stepsOf(depth, plan)) {
        if (this.#isStopped) return false;
        await turn(step);
      }
      const { site, span } = plan;
      const isWhole = depth === 'calendar' && span.fromMs === Number.NEGATIVE_INFINITY;
      const isToSweep = isWhole && (await hasFormerCalendar(telemetry, site, version));
      if (isToSweep) swept.push(site);
      if (isToSweep || done === undefined) rest.push(site);
      else {
        // Before it is said that it is done.
        await write([site]);
        await done([site]);
      }
    }
    // A deletion costs seconds: one for all.
    if (swept.length > 0) await sweepCalendar(telemetry, swept, version);
    await write(rest);
    if (rest.length > 0) await done?.(rest);
    return true;
  }

  #stepsOf(depth: Depth, plan: Plan): AsyncIterable<() => Promise<void>> {
    const { site, devices, span, spans } = plan;
    const { telemetry, account, forget } = this.#parts;
    if (depth === 'calendar') return rebuildSlices(this.#parts, site, span);
    if (depth === 'corrected') return correctedSlices(this.#parts, site, spans);
    const own = devicesOfPlan(plan).filter(isAccounted);
    if (depth === 'devices') return deviceSlices(this.#parts, site, own, span);
    if (devices !== undefined) for (const device of devices) forget(device);
    return sampleDays(
      telemetry,
      Map.groupBy(own, ({ layout }) => layout.table),
      span,
      account,
    );
  }
}

const devicesOfPlan = ({ site, devices }: Plan): DeviceEntry[] => devices ?? [...site.devices];

const devicesOf = (due: readonly Recalculation[]): string[] => [
  ...new Set(due.flatMap(({ deviceId }) => deviceId ?? [])),
];
