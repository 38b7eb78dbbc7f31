import type { DeviceBucket } from './bucket-cell.ts';
import { BucketCell, lastNotAfter } from './bucket-cell.ts';
import { BUCKET_MS, bucketStart } from './bucket-span.ts';
import { ChannelReach } from './channel-reach.ts';
import type { DeviceSample, EnergyChannel } from './channels.ts';
import { ENERGY_CHANNELS, NEGATIVE_ENERGY, POSITIVE_ENERGY, POWER_CHANNELS } from './channels.ts';
import { CounterMarks } from './counter-marks.ts';
import type { CounterEvent, CounterOptions, CounterReading, CounterState, CounterStep } from './counters.ts';
import {
  advanceCounter,
  DEFAULT_RESOLUTION_WH,
  isPast,
  isReading,
  LATCH_MS,
  openCounter,
  REGISTER_WIDTHS_WH,
  REJOIN_MS,
} from './counters.ts';
import { IdleTimes } from './idle-times.ts';
import { positiveTrapezoidWh } from './integration.ts';
import { forEachPowerShare } from './power-share.ts';
import type { Quality } from './quality.ts';
import { Standstills } from './standstills.ts';

export type { DeviceBucket } from './bucket-cell.ts';
export type { DeviceCounters, DevicePowers, DeviceSample, EnergyChannel, PowerChannel } from './channels.ts';

export interface LedgerOptions {
  /** What the channels of the device can carry; learns from what is added. */
  reach?: ChannelReach;
  /** Samples further apart are not joined. Default 20 minutes (the longest report interval is 15). */
  gapMs?: number;
  wrapWh?: readonly number[];
  resolutionWh?: number;
  /** Channels that the device is known to count: their power is not integrated before their first reading. */
  counted?: readonly EnergyChannel[];
  /** Where the series of its counters are known to begin: a reading past that is not taken for nonsense of a boot. */
  openings?: { readonly [channel in EnergyChannel]?: readonly [tsMs: number, wh: number] };
  /** Keeps all buckets until `settle`, so that energy finds its place however long its counter was silent. */
  keepsAll?: boolean;
}

/** Something unusual in a counter's series, to be logged. */
export interface LedgerEvent {
  /** Since when, and the reading that tells it. */
  fromMs: number;
  tsMs: number;
  channel: EnergyChannel;
  event: CounterEvent;
  energyWh: number;
  epoch: number;
  /** Power, W, of the channel that would let count what was left out. */
  neededW?: number;
}

type Span = readonly [fromMs: number, toMs: number];

export const DEFAULT_GAP_MS = 20 * 60_000;
/** What a counter gained while it was silent, but its device was not, is spread over no more than this. */
export const SILENCE_MS = 8 * 24 * 3_600_000;
const MAX_EVENTS = 200;

/** How far before the bucket of the newest sample a later one may still put energy, with the default gap. */
export const RETAIN_MS = retainOf(DEFAULT_GAP_MS);

function retainOf(gapMs: number): number {
  return Math.max(gapMs, LATCH_MS) + BUCKET_MS;
}

/** Counters of the sample that is being added. */
const readWh: number[] = ENERGY_CHANNELS.map(() => Number.NaN);

/**
 * Accounts the samples of one device into 5-minute buckets. A channel's energy comes from its counter from the first
 * reading of that counter on; a channel without a counter integrates its power (`estimated`).
 *
 * Memory is bounded: only the newest buckets that a later sample can still change are kept. What a counter gained that was
 * silent for longer, while the device went on reporting, is not put anywhere but owed (`takeOwed`): a ledger that keeps all
 * buckets has to account that time.
 */
export class DeviceLedger {
  readonly #options: CounterOptions;
  readonly #reach: ChannelReach;
  readonly #openings: NonNullable<LedgerOptions['openings']>;
  #retainMs: number;
  #owedFromMs = Number.POSITIVE_INFINITY;
  readonly #silences: Span[] = [];
  /** Index of the channel whose counter is being advanced. */
  #advancing = 0;
  readonly #marks = new CounterMarks();
  readonly #idle = new IdleTimes();
  readonly #standstills = new Standstills();
  #opened: Map<EnergyChannel, CounterReading> | undefined;
  #beganMs = Number.POSITIVE_INFINITY;
  #lastTsMs = Number.NEGATIVE_INFINITY;
  #floorMs = Number.NEGATIVE_INFINITY;
  #countedMask = 0;
  readonly #counters: (CounterState | undefined)[] = ENERGY_CHANNELS.map(() => undefined);
  readonly #openedTsMs: number[] = ENERGY_CHANNELS.map(() => Number.POSITIVE_INFINITY);
  readonly #powerTsMs: number[] = POWER_CHANNELS.map(() => Number.NEGATIVE_INFINITY);
  readonly #powerW: number[] = POWER_CHANNELS.map(() => 0);
  /** Kept buckets, ascending. */
  readonly #cells: BucketCell[] = [];
  #evicted: DeviceBucket[] = [];
  #events: LedgerEvent[] = [];
  #spare: BucketCell | undefined;

  constructor(options: LedgerOptions = {}) {
    const gapMs = options.gapMs ?? DEFAULT_GAP_MS;
    this.#reach = options.reach ?? new ChannelReach();
    this.#openings = options.openings ?? {};
    this.#options = {
      maxPowerW: 0,
      gapMs,
      wrapWh: options.wrapWh ?? REGISTER_WIDTHS_WH,
      resolutionWh: options.resolutionWh ?? DEFAULT_RESOLUTION_WH,
      powerWh: (fromMs, toMs) => this.#powerWh(fromMs, toMs),
      isLate: (state, tsMs, wh) => this.#standstills.isLate(this.#advancing, state, tsMs, wh),
      learn: (powerW) => this.#learn(powerW),
    };
    this.#retainMs = options.keepsAll === true ? Number.POSITIVE_INFINITY : retainOf(gapMs);
    for (const channel of options.counted ?? []) this.#countedMask |= 1 << ENERGY_CHANNELS.indexOf(channel);
  }

  /** Spans of which a ledger that keeps all buckets was told, by the reading at their end, what a silent counter did. */
  get silences(): readonly Span[] {
    return this.#silences;
  }

  /** Time of the first accounted sample, epoch ms. */
  get beganMs(): number | undefined {
    return Number.isFinite(this.#beganMs) ? this.#beganMs : undefined;
  }

  /** Time of the newest accounted sample, epoch ms. */
  get lastTsMs(): number | undefined {
    return Number.isFinite(this.#lastTsMs) ? this.#lastTsMs : undefined;
  }

  /** Start of the oldest bucket that is kept, epoch ms: from here on a bucket may still be written anew. */
  get keptFromMs(): number | undefined {
    return Number.isFinite(this.#floorMs) ? this.#floorMs : undefined;
  }

  /**
   * A sample that is missing from this time on (epoch ms) would have led to another state than the present one: the
   * start of the kept buckets, or the last reading of a counter that has been silent for longer, or the reset that it
   * may still recover from.
   */
  get dependsFromMs(): number | undefined {
    if (!Number.isFinite(this.#floorMs)) return undefined;
    let fromMs = this.#floorMs;
    for (const state of this.#counters) {
      if (state === undefined) continue;
      fromMs = Math.min(fromMs, state.lastTsMs);
      const { before } = state;
      if (before !== undefined && this.#lastTsMs - before.tsMs <= REJOIN_MS) fromMs = Math.min(fromMs, before.tsMs);
    }
    return fromMs;
  }

  /** Time of the last believed reading, epoch ms, of the counter whose newest one has been held back for longest. */
  get undecidedFromMs(): number | undefined {
    let fromMs: number | undefined;
    for (const state of this.#counters)
      if (state?.candidate !== undefined) fromMs = Math.min(fromMs ?? state.lastTsMs, state.lastTsMs);
    return fromMs;
  }

  /** Whether a counter's newest reading is believed because it follows from another one. */
  isSure(channel: EnergyChannel): boolean {
    const index = ENERGY_CHANNELS.indexOf(channel);
    const state = this.#counters[index];
    return state !== undefined && state.candidate === undefined && state.lastTsMs > (this.#openedTsMs[index] as number);
  }

  /**
   * Accounts one sample. Returns false, and changes nothing, for one that is not later than the newest accounted one.
   * Never throws; non-finite values count as not measured.
   */
  add(sample: DeviceSample): boolean {
    const { tsMs } = sample;
    if (!(tsMs > this.#lastTsMs) || !Number.isFinite(tsMs)) return false;
    const cell = this.#cellAt(bucketStart(tsMs));
    cell.samples += 1;
    cell.changed = true;
    const { socPercent } = sample;
    if (socPercent !== undefined && Number.isFinite(socPercent)) cell.socPercent = socPercent;
    this.#openCounters(sample);
    this.#addPowers(sample, cell);
    this.#addCounters(tsMs, cell);
    if (tsMs < this.#beganMs) this.#beganMs = tsMs;
    this.#lastTsMs = tsMs;
    this.#evict(cell.bucketMs - this.#retainMs);
    return true;
  }

  /** Buckets that changed since the last call, each with its full content so far, in ascending order. */
  takeChanged(): DeviceBucket[] {
    return [...this.eachChanged()];
  }

  /** As `takeChanged`, one at a time: a month of buckets need not be held at once. Nothing is to be added meanwhile. */
  *eachChanged(): Generator<DeviceBucket, void> {
    const evicted = this.#evicted;
    this.#evicted = [];
    yield* evicted;
    for (const cell of this.#cells) {
      if (!cell.changed) continue;
      cell.changed = false;
      yield cell.toBucket();
    }
  }

  /** From when on (epoch ms) energy was left out since the last call, because its time is not kept any more. */
  takeOwed(): number | undefined {
    const fromMs = this.#owedFromMs;
    this.#owedFromMs = Number.POSITIVE_INFINITY;
    return Number.isFinite(fromMs) ? fromMs : undefined;
  }

  /** Readings at which counters begin, as far as they were confirmed or moved since the last call. */
  takeOpened(): ReadonlyMap<EnergyChannel, CounterReading> | undefined {
    const opened = this.#opened;
    this.#opened = undefined;
    return opened;
  }

  /** Keeps from now on only what a ledger keeps that runs. */
  settle(): void {
    this.#retainMs = retainOf(this.#options.gapMs);
    if (this.lastTsMs !== undefined) this.#evict(bucketStart(this.#lastTsMs) - this.#retainMs);
  }

  /** Events since the last call, oldest first; at most the newest 200. */
  takeEvents(): LedgerEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #openCounters({ tsMs, counters }: DeviceSample): void {
    for (let index = 0; index < ENERGY_CHANNELS.length; index += 1) {
      const counterWh = counters[ENERGY_CHANNELS[index] as EnergyChannel];
      if (!isReading(counterWh)) {
        readWh[index] = Number.NaN;
        continue;
      }
      readWh[index] = counterWh;
      if (this.#counters[index] !== undefined) continue;
      const state = openCounter(tsMs, counterWh);
      if (isPast(state, this.#openings[ENERGY_CHANNELS[index] as EnergyChannel])) state.first = undefined;
      this.#counters[index] = state;
      this.#openedTsMs[index] = tsMs;
      this.#countedMask |= 1 << index;
    }
  }

  #addCounters(tsMs: number, cell: BucketCell): void {
    for (let index = 0; index < ENERGY_CHANNELS.length; index += 1) {
      const counterWh = readWh[index] as number;
      const state = this.#counters[index];
      if (Number.isNaN(counterWh) || state === undefined) continue;
      this.#advancing = index;
      this.#options.maxPowerW = this.#reach.limitW[index] as number;
      this.#marks.read(index, tsMs, this.#lastTsMs, cell);
      const step = advanceCounter(state, tsMs, counterWh, this.#options);
      if (step !== undefined) {
        if (step.earlier !== undefined) this.#account(index, step.earlier, state);
        this.#account(index, step, state);
        if (step.opened !== undefined) {
          this.#opened ??= new Map();
          this.#opened.set(ENERGY_CHANNELS[index] as EnergyChannel, step.opened);
        }
      }
      this.#marks.advanced(index, state);
      if (state.lastTsMs === tsMs) this.#standstills.accepted(index, tsMs, state.changedTsMs === tsMs);
    }
  }

  #account(index: number, step: CounterStep, { epoch }: CounterState) {
    const { fromMs, toMs, energyWh, quality, event } = step;
    if (event !== undefined) this.#note(step, event, ENERGY_CHANNELS[index] as EnergyChannel, epoch);
    if (step.isHeld === true) {
      if (this.#isSilent(index, fromMs, toMs)) this.#noteSilence(fromMs, toMs);
      return;
    }
    // A counter that stands where it stood before a gap says of each moment between that nothing was counted.
    this.#spreadEnergy(index, fromMs, toMs, energyWh, energyWh === 0 ? 'measured' : quality);
  }

  #learn(powerW: number): void {
    this.#reach.noteRate(this.#advancing, powerW);
    this.#options.maxPowerW = this.#reach.limitW[this.#advancing] as number;
  }

  /** What the power of the channel whose counter is advanced gave up to its last reading. */
  #powerWh(fromMs: number, toMs: number): number | undefined {
    const index = this.#advancing;
    if (!this.#reach.hasPower(index)) return undefined;
    const firstMs = bucketStart(fromMs);
    const lastMs = bucketStart(toMs);
    const grownWh = this.#marks.grownFlowWh(index, fromMs);
    let wh = 0;
    for (const { bucketMs, flowWh } of this.#cells) {
      if (bucketMs < firstMs || bucketMs > lastMs) continue;
      const toWh = bucketMs === lastMs ? this.#marks.acceptedFlowWh(index) : (flowWh[index] as number);
      if (bucketMs > firstMs) wh += toWh;
      else if (grownWh !== undefined) wh += toWh - grownWh;
      else wh += (toWh * (firstMs + BUCKET_MS - fromMs)) / BUCKET_MS;
    }
    return wh;
  }

  #addPowers({ tsMs, powers }: DeviceSample, cell: BucketCell): void {
    const { teachesFromW } = this.#reach;
    for (let index = 0; index < POWER_CHANNELS.length; index += 1) {
      const powerW = powers[POWER_CHANNELS[index] as (typeof POWER_CHANNELS)[number]];
      if (powerW === undefined || !Number.isFinite(powerW)) continue;
      if (Math.abs(powerW) >= (teachesFromW[index] as number)) this.#reach.notePower(index, tsMs, powerW);
      const lastTsMs = this.#powerTsMs[index] as number;
      if (tsMs - lastTsMs <= this.#options.gapMs) this.#spreadPower(index, lastTsMs, tsMs, powerW);
      this.#powerTsMs[index] = tsMs;
      this.#powerW[index] = powerW;
      cell.notePower(index, powerW);
    }
  }

  #spreadEnergy(channel: number, fromMs: number, toMs: number, energyWh: number, quality: Quality): void {
    const isSilent = this.#isSilent(channel, fromMs, toMs);
    const startMs = isSilent ? Math.max(fromMs, toMs - SILENCE_MS) : fromMs;
    if (startMs < this.#floorMs) {
      this.#owedFromMs = Math.min(this.#owedFromMs, startMs);
      return;
    }
    const bucketMs = bucketStart(startMs);
    if (toMs <= bucketMs + BUCKET_MS && startMs < toMs) {
      this.#cellAt(bucketMs).addEnergy(channel, energyWh, quality);
      return;
    }
    const add = (shareBucketMs: number, shareWh: number) => {
      this.#cellAt(shareBucketMs).addEnergy(channel, shareWh, quality);
    };
    if (!isSilent) {
      this.#idle.forEachShare(channel, startMs, toMs, energyWh, add);
      return;
    }
    this.#noteSilence(startMs, toMs);
    const span = { fromMs: startMs, toMs, energyWh, leastGapMs: this.#options.gapMs };
    forEachPowerShare(span, this.#marks.flowsBetween(channel, startMs, toMs, this.#cells), add);
  }

  /** A device that was silent as a whole leaves nothing to spread by. */
  #isSilent(channel: number, fromMs: number, toMs: number): boolean {
    return toMs - fromMs > this.#options.gapMs && this.#marks.isHeardBetween(channel, fromMs, toMs);
  }

  #noteSilence(fromMs: number, toMs: number): void {
    if (this.#retainMs === Number.POSITIVE_INFINITY) this.#silences.push([Math.max(fromMs, toMs - SILENCE_MS), toMs]);
  }

  #spreadPower(channel: number, fromMs: number, toMs: number, toW: number): void {
    const fromW = this.#powerW[channel] ?? 0;
    const [positive, negative] = [POSITIVE_ENERGY[channel] as number, NEGATIVE_ENERGY[channel] as number];
    if (positive >= 0) this.#noteReadings(positive, fromMs, fromW, toMs, toW);
    if (negative >= 0) this.#noteReadings(negative, fromMs, -fromW, toMs, -toW);
    const slope = (toW - fromW) / (toMs - fromMs);
    let startMs = Math.max(fromMs, this.#floorMs);
    while (startMs < toMs) {
      const cell = this.#cellAt(bucketStart(startMs));
      const endMs = Math.min(cell.bucketMs + BUCKET_MS, toMs);
      const startW = fromW + slope * (startMs - fromMs);
      const endW = endMs === toMs ? toW : fromW + slope * (endMs - fromMs);
      cell.addPower(channel, (startW + endW) / 2, endMs - startMs);
      this.#integrate(cell, positive, startW, endW, endMs - startMs);
      this.#integrate(cell, negative, -startW, -endW, endMs - startMs);
      startMs = endMs;
    }
  }

  #noteReadings(energy: number, fromMs: number, fromW: number, toMs: number, toW: number): void {
    this.#idle.noteReadings(energy, fromMs, fromW, toMs, toW);
    this.#standstills.notePowers(energy, fromMs, fromW, toMs, toW);
  }

  #integrate(cell: BucketCell, energy: number, fromW: number, toW: number, durationMs: number): void {
    if (energy < 0) return;
    const energyWh = positiveTrapezoidWh(fromW, toW, durationMs);
    if (energyWh > 0) cell.flowWh[energy] = (cell.flowWh[energy] as number) + energyWh;
    if ((this.#countedMask & (1 << energy)) !== 0) return;
    // A power that never had this sign is a measured nothing.
    cell.addEnergy(energy, energyWh, energyWh > 0 ? 'estimated' : 'measured');
  }

  #cellAt(bucketMs: number): BucketCell {
    const cells = this.#cells;
    const index = lastNotAfter(cells, bucketMs);
    const found = cells[index];
    if (found !== undefined && found.bucketMs === bucketMs) return found;
    const cell = this.#spare ?? new BucketCell(bucketMs);
    this.#spare = undefined;
    cell.reset(bucketMs);
    cells.splice(index + 1, 0, cell);
    return cell;
  }

  #evict(beforeMs: number): void {
    if (beforeMs <= this.#floorMs) return;
    this.#floorMs = beforeMs;
    const cells = this.#cells;
    let count = 0;
    while (count < cells.length && (cells[count] as BucketCell).bucketMs < beforeMs) {
      const cell = cells[count] as BucketCell;
      if (cell.changed) this.#evicted.push(cell.toBucket());
      this.#spare = cell;
      count += 1;
    }
    if (count > 0) cells.splice(0, count);
    this.#idle.dropBefore(beforeMs);
  }

  #note({ fromMs, toMs, energyWh, neededW }: CounterStep, event: CounterEvent, channel: EnergyChannel, epoch: number) {
    if (this.#events.length >= MAX_EVENTS) this.#events.shift();
    this.#events.push({
      fromMs,
      tsMs: toMs,
      channel,
      event,
      energyWh,
      epoch,
      ...(neededW !== undefined && { neededW }),
    });
  }
}
