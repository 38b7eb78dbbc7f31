import { type DeviceBucket, DeviceLedger, type LedgerEvent } from '@sonnenwarte/energy/accounting/buckets';
import { localDay } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { inSlices } from '../in-slices.ts';
import type { Keyed } from '../ingestion/latest/latest.ts';
import type { IngestionMetrics } from '../ingestion/metrics.ts';
import { type DataloggerEntry, type DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Registry } from '../ingestion/registry/registry.ts';
import { deviceSampleOf, isAccounted, knownReach } from '../ingestion/registry/site-devices.ts';
import { isOfHistory, type Sample } from '../ingestion/samples/sample.ts';
import { nextVersion, RowBuffer } from '../stores/row-buffer.ts';
import type { Database } from '../stores/schema.ts';
import {
  type Account,
  accountOf,
  beginsWith,
  chunksOf,
  forgetLedger,
  takeTask,
  timesOf,
  turnOf,
  waitingMsOf,
} from './account.ts';
import { Backlogs, type WaitingMs } from './backlogs.ts';
import { DeviceEnergies } from './device-energies.ts';
import { writeDeviceEvents } from './device-events.ts';
import { DirtyAccounts } from './dirty-accounts.ts';
import { answeredDoubts, takeDoubts } from './doubts.ts';
import { Figures } from './figures-writer.ts';
import { readMark, unaccountedDevices, writeMark } from './high-water.ts';
import { Openings } from './openings.ts';
import type { Stretch } from './recalculation-steps.ts';
import { Recalculations } from './recalculations.ts';
import { ledgerOptions, recompute } from './recompute.ts';
import type { AccountedDevice, RecomputeTask } from './recompute-windows.ts';
import { DEVICE_5M_COLUMNS, putDeviceBucket } from './rollup-tables.ts';
import { SetAside } from './set-aside.ts';
import type { SumStores } from './site-rollups.ts';
import { isStoreAway, SiteWriter } from './site-writer.ts';
import { TurningDays } from './turning-days.ts';

export interface AccountingOptions extends SumStores {
  db: Kysely<Database>;
  registry: Registry;
  metrics: IngestionMetrics;
  logger: Logger;
  /** Receipt time of the oldest sample that is not stored, if any. */
  oldestUnstoredMs(): number | undefined;
  /** What was to be written is tried again. */
  failed(error: unknown): void;
  /** Running figures of sites and devices have been written. */
  changed(sites: readonly Keyed[], devices: readonly DeviceEntry[]): void;
}

const FLUSH_MS = 2_000;
const FLUSH_FACTOR = 4;
const LOOK_MS = 200;
const DAY_MS = 86_400_000;

/** Turns stored samples into energy: in-order ones at once, late ones by accounting their time anew from the raw rows. */
export class Accounting {
  readonly #options: AccountingOptions;
  /** For as long as their devices are held. */
  readonly #accounts = new WeakMap<DeviceEntry, Account>();
  readonly #changed = new Set<Account>();
  readonly #dirty = new DirtyAccounts();
  readonly #sites: SiteWriter;
  /** Devices whose time cannot be accounted, and those that were tried together with one such. */
  readonly #aside: SetAside<Account>;
  readonly #suspects = new Set<Account>();
  /** Devices whose buckets may have been written without those of their sites, before the process ended last. */
  readonly #unsure = new Set<DeviceEntry>();
  readonly #figures: Figures;
  readonly #energies: DeviceEnergies;
  readonly #openings: Openings;
  readonly #recalculations: Recalculations;
  readonly #backlogs: Backlogs;
  readonly #turning: TurningDays;
  #working: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #lastFlushMs = 0;
  #flushCostMs = 0;

  constructor(options: AccountingOptions) {
    this.#options = options;
    this.#openings = new Openings(options.db);
    this.#backlogs = new Backlogs(options.db);
    this.#figures = new Figures({ ...options, openings: this.#openings, backlogs: this.#backlogs });
    this.#energies = new DeviceEnergies({ ...options, backlogs: this.#backlogs });
    const daysWritten: SumStores['daysWritten'] = async (days) => {
      this.#energies.note(days, Date.now());
      await options.daysWritten?.(days);
    };
    this.#sites = new SiteWriter({
      ...options,
      daysWritten,
      changed: (sites, devices) => {
        this.#energies.look(sites, Date.now());
        options.changed(sites, devices);
      },
      figures: this.#figures,
      openings: this.#openings,
      backlogs: this.#backlogs,
    });
    this.#aside = new SetAside({
      isOfAll: isStoreAway,
      resting({ device: { sn, key } }, error, pauseMs) {
        options.logger.error({ err: error, device: key, sn, againInMs: pauseMs }, 'time of a device is not accounted');
        options.failed(error);
      },
    });
    this.#turning = new TurningDays({ ...options, changed: (sites) => options.changed(sites, []) });
    this.#recalculations = new Recalculations({
      ...options,
      daysWritten,
      turn: (step) => this.#next(step),
      account: (stretches) => this.#accountAnew(stretches),
      settle: (devices) => this.#settle(devices),
      forget: this.#forget,
      write: (sites) => this.#next(() => this.#writeFigures(sites)),
    });
  }

  get dirtyDays(): number {
    return this.#dirty.days;
  }

  /** Plants and devices that cannot be accounted and are tried again after a while. */
  get setAside(): number {
    return this.#sites.aside + this.#aside.size;
  }

  /** Finds what was stored but not accounted when the process ended last, and begins. */
  async start(): Promise<void> {
    const { db, telemetry, registry } = this.#options;
    await this.#backlogs.start();
    const mark = await readMark(db);
    if (mark !== undefined) {
      for (const { device, fromMs, toMs } of await unaccountedDevices(telemetry, registry, mark)) {
        this.#unsure.add(device);
        this.#dirty.mark(this.#account(device), fromMs, true);
        this.#dirty.mark(this.#account(device), toMs, true);
      }
    }
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
    this.#recalculations.start();
    this.#turning.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turning.stop();
    await this.#recalculations.stop();
    await this.#working;
    await this.#next(() => this.#flush()).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'the last rollups are left to the next start');
    });
    this.#isStopped = true;
  }

  /** Something has changed on which figures may depend. */
  lookForRecalculations(): void {
    this.#recalculations.look();
  }

  /** Accounts everything that has been taken, and what is to be made anew, and waits for it. */
  async drain(): Promise<void> {
    await this.#recalculations.run();
    await this.#turning.run();
    await this.#working;
    await this.#next(async () => {
      // What is learned while accounting may have to be accounted in turn.
      do {
        while (this.#dirty.size > 0) await this.#recompute([...this.#dirty], Number.POSITIVE_INFINITY);
        await this.#flush();
      } while (this.#dirty.size > 0 || this.#energies.hasPending);
    });
  }

  /** Takes samples that have been stored. */
  take(samples: readonly Sample[]): void {
    const nowMs = Date.now();
    for (const sample of samples) {
      const { device } = sample;
      if (!isAccounted(device)) continue;
      const isHistory = isOfHistory(sample);
      if (isHistory) this.#backlogs.note(device, sample.tsMs, nowMs);
      const account = this.#account(device);
      const reading = deviceSampleOf(device, sample.tsMs, sample.values);
      this.#openings.note(device, reading);
      if (account.isLoading) {
        account.pending.push(reading);
        continue;
      }
      if (beginsWith(account, sample.tsMs)) account.ledger = new DeviceLedger(ledgerOptions(device));
      account.isNew = false;
      if (account.ledger?.add(reading) === true) {
        this.#changed.add(account);
      } else this.#dirty.mark(account, sample.tsMs, isHistory);
    }
  }

  /** Accounts stretches anew from the stored samples. */
  async #accountAnew(stretches: readonly Stretch[]): Promise<void> {
    const accounts = new Set<Account>();
    for (const { device, fromMs, toMs } of stretches) {
      const account = this.#account(device);
      accounts.add(account);
      this.#dirty.mark(account, fromMs, false);
      this.#dirty.mark(account, toMs, false);
    }
    for (let dirty = [...accounts]; dirty.length > 0; dirty = dirty.filter((account) => this.#dirty.has(account))) {
      await this.#recompute(dirty, Number.POSITIVE_INFINITY);
    }
    await this.#flush();
  }

  /** Accounts what waits of devices, without waiting for what follows of a history. */
  async #settle(devices: readonly DeviceEntry[]): Promise<void> {
    const waiting = devices
      .flatMap((device) => this.#accounts.get(device) ?? [])
      .filter((each) => this.#dirty.has(each));
    if (waiting.length > 0) await this.#recompute(waiting, Number.POSITIVE_INFINITY);
    await this.#flush();
  }

  /** Writes the running figures of sites. */
  async #writeFigures(sites: readonly SiteEntry[]): Promise<void> {
    for (const site of sites) this.#sites.touch(site, []);
    await this.#flush();
    const missed = sites.find((site) => this.#sites.isAside(site));
    if (missed !== undefined) throw new Error(`the figures of the plant ${missed.key} could not be written`);
  }

  /** Whether something of a site, or of a logger's devices, is under way here. */
  isWorkingOn(entry: SiteEntry | DataloggerEntry): boolean {
    if (this.#recalculations.isWorkingOn(entry)) return true;
    if (entry instanceof SiteEntry && (this.#sites.has(entry) || this.#backlogs.sites.has(entry))) return true;
    for (const device of entry.devices.values()) {
      if (this.#openings.has(device) || this.#unsure.has(device)) return true;
      const account = this.#accounts.get(device);
      if (account && (this.#changed.has(account) || this.#dirty.has(account) || account.working)) return true;
    }
    return false;
  }

  /** What comes from a device next is accounted anew, with what it is now. */
  readonly #forget = (device: DeviceEntry): void => forgetLedger(this.#accounts.get(device));

  readonly #waitingMs: WaitingMs = (device, sinceMs, untilMs) =>
    waitingMsOf(this.#accounts.get(device), sinceMs, untilMs);

  /** Whether the written figures of a site are of today; if not they will be. */
  #isComplete(site: SiteEntry, nowMs: number): boolean {
    const isWritten = this.#figures.isOf(site, localDay(nowMs, site.zone));
    if (!isWritten) this.#sites.touch(site, []);
    return isWritten;
  }

  #account(device: AccountedDevice): Account {
    return accountOf(this.#accounts, device);
  }

  /** What has been learned of a device, and is told only now, may change what was accounted before. */
  #askAnew(account: Account): void {
    const { device, ledger } = account;
    knownReach(device);
    if (ledger !== undefined) this.#openings.take(device, ledger);
    for (const tsMs of answeredDoubts(device)) this.#dirty.mark(account, tsMs, false);
    const owedFromMs = ledger?.takeOwed();
    const toMs = ledger?.lastTsMs;
    if (owedFromMs === undefined || toMs === undefined) return;
    for (let tsMs = owedFromMs; tsMs < toMs; tsMs += DAY_MS) this.#dirty.mark(account, tsMs, false);
    this.#dirty.mark(account, toMs, false);
  }

  #look(): void {
    const nowMs = Date.now();
    this.#backlogs
      .tell(
        (...span) => (this.#isBusy ? 1 : this.#waitingMs(...span)),
        nowMs,
        (site) => this.#isComplete(site, nowMs),
        (sites) => this.#options.changed(sites, []),
      )
      .catch((error: unknown) => this.#options.logger.warn({ err: error }, 'progress of histories not written'));
    if (this.#isBusy || this.#isStopped) return;
    const due = turnOf(
      [...this.#dirty].filter((account) => !this.#aside.isResting(account, nowMs)),
      nowMs,
    );
    const isFlushDue = nowMs - this.#lastFlushMs >= Math.max(FLUSH_MS, FLUSH_FACTOR * this.#flushCostMs);
    const hasNews =
      this.#changed.size > 0 ||
      this.#openings.hasNews ||
      this.#sites.hasDue(nowMs) ||
      this.#energies.hasPending ||
      this.#figures.isDue(nowMs);
    if (due.length === 0 && !(isFlushDue && hasNews)) return;
    this.#next(async () => {
      const recomputed = this.#recompute(due);
      // What of it fails keeps the others' figures from nothing.
      await recomputed.catch(() => undefined);
      await this.#flush();
      await recomputed;
    }).catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'rollups not written, trying again');
      this.#options.failed(error);
    });
  }

  #isBusy = false;

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#working.then(async () => {
      this.#isBusy = true;
      const startMs = performance.now();
      const stopTimer = this.#options.metrics.accountingSeconds.startTimer();
      try {
        await work();
      } finally {
        this.#isBusy = false;
        this.#lastFlushMs = Date.now();
        this.#flushCostMs = performance.now() - startMs;
        stopTimer();
      }
    });
    this.#working = done.catch(() => undefined);
    return done;
  }

  /** Writes the buckets of devices that in-order samples have changed. */
  async #flushDevices(): Promise<void> {
    const out = new RowBuffer();
    const events: [DeviceEntry, LedgerEvent][] = [];
    const taken: [AccountedDevice, DeviceBucket[]][] = [];
    // Those that change meanwhile come next time.
    await inSlices([...this.#changed], (account) => {
      this.#changed.delete(account);
      const { device, ledger } = account;
      if (ledger === undefined) return;
      const buckets = ledger.takeChanged();
      taken.push([device, buckets]);
      for (const bucket of buckets) putDeviceBucket(out, device.key, bucket, nextVersion());
      const found = ledger.takeEvents();
      for (const event of found) events.push([device, event]);
      takeDoubts(device, found);
      this.#askAnew(account);
    });
    try {
      if (out.rows > 0) await this.#options.telemetry.insertRowBinary('device_5m', DEVICE_5M_COLUMNS, out.body());
      await writeDeviceEvents(this.#options.db, events);
    } catch (error) {
      for (const [device, buckets] of taken) {
        for (const bucket of buckets) this.#dirty.mark(this.#account(device), bucket.bucketMs, false);
      }
      throw error;
    }
    for (const [{ site }, buckets] of taken) if (site !== undefined) this.#sites.touch(site, timesOf(buckets));
  }

  async #flush(): Promise<void> {
    const { db, oldestUnstoredMs } = this.#options;
    const startedMs = Date.now();
    const summable = this.#backlogs.summable(this.#waitingMs);
    await this.#flushDevices();
    await this.#sites.write(summable, startedMs);
    if (this.#energies.hasPending) await this.#energies.write(startedMs);
    // The next start finds what is set aside by the mark from before.
    if (this.#sites.aside > 0) return;
    await writeMark(db, Math.min(startedMs, oldestUnstoredMs() ?? startedMs, this.#dirty.sinceMs ?? startedMs));
  }

  async #recompute(accounts: readonly Account[], nowMs = Date.now()): Promise<void> {
    if (accounts.length === 0) return;
    // First what the ledgers hold: it is older than what is made anew now, and must not be written over it.
    await this.#flushDevices();
    const byKind = new Map<string, { account: Account; task: RecomputeTask }[]>();
    for (const account of accounts) {
      const task = takeTask(account, nowMs);
      if (account.dirty.size === 0) this.#dirty.delete(account);
      if (task === undefined) continue;
      account.working = task;
      account.isLoading = !task.isOpen;
      const list = byKind.get(account.device.kind);
      if (list === undefined) byKind.set(account.device.kind, [{ account, task }]);
      else list.push({ account, task });
    }
    // One that fails keeps the others from nothing.
    let failure: unknown;
    for (const list of byKind.values()) {
      const [alone = [], together = []] = [true, false].map((isAlone) =>
        list.filter(({ account }) => this.#suspects.has(account) === isAlone),
      );
      for (const chunk of [...chunksOf(together), ...alone.map((one) => [one])]) {
        await this.#recomputeChunk(chunk).catch((error: unknown) => {
          failure ??= error;
        });
      }
    }
    if (failure !== undefined) throw failure;
  }

  async #recomputeChunk(chunk: readonly { account: Account; task: RecomputeTask }[]): Promise<void> {
    const { db, telemetry } = this.#options;
    const accountOf = new Map(chunk.map(({ account, task }) => [task, account]));
    const openings = chunk.map(({ task: { device } }) => ({ device, opening: { ...device.opening } }));
    try {
      const out = new RowBuffer();
      const events: [DeviceEntry, LedgerEvent][] = [];
      const results = await recompute(
        { db, telemetry },
        chunk.map(({ task }) => task),
        this.#openings,
        ({ key }, bucket) => putDeviceBucket(out, key, bucket, nextVersion()),
      );
      for (const { task, ledger, events: found, fromMs, toMs } of results) {
        const account = accountOf.get(task);
        for (const event of found) events.push([task.device, event]);
        takeDoubts(task.device, found, fromMs, toMs);
        if (account === undefined) continue;
        if (ledger !== undefined) account.ledger = ledger;
        this.#askAnew(account);
      }
      if (out.rows > 0) await telemetry.insertRowBinary('device_5m', DEVICE_5M_COLUMNS, out.body());
      for (const { task, changedMs, reckonedMs } of results) {
        const { site } = task.device;
        if (site !== undefined) this.#sites.touch(site, this.#unsure.has(task.device) ? reckonedMs : changedMs);
      }
      await writeDeviceEvents(this.#options.db, events);
      // The joint with what is still to come.
      for (const { account, task } of chunk) {
        this.#suspects.delete(account);
        this.#aside.forget(account);
        if (task.isOpen) this.#dirty.mark(account, task.toMs, true);
        else if (account.dirty.size === 0) this.#unsure.delete(task.device);
      }
    } catch (error) {
      // Time that depends on where a counter begins is known as accounted from there once it has been.
      for (const { device, opening } of openings) this.#openings.restore(device, opening);
      for (const { account, task } of chunk) {
        this.#dirty.markSpan(account, task, account.isHistory);
        if (isStoreAway(error)) continue;
        if (chunk.length > 1) this.#suspects.add(account);
        else this.#aside.rest(account, error, Date.now());
      }
      throw error;
    } finally {
      for (const { account } of chunk) this.#resume(account);
    }
  }

  /** Goes on with the samples that came while the account was being made anew. */
  #resume(account: Account): void {
    account.isLoading = false;
    account.working = undefined;
    const pending = account.pending.splice(0);
    for (const reading of pending) {
      if (account.ledger?.add(reading) === true) this.#changed.add(account);
      else this.#dirty.mark(account, reading.tsMs, false);
    }
  }
}
