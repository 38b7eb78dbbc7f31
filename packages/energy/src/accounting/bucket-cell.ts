import type { EnergyChannel, PowerChannel } from './channels.ts';
import { ENERGY_CHANNELS, POWER_CHANNELS } from './channels.ts';
import type { Quality } from './quality.ts';

/** What a device did in one 5-minute bucket. Channels that are not known are absent, never 0. */
export interface DeviceBucket {
  bucketMs: number;
  energyWh: Partial<Record<EnergyChannel, number>>;
  /** Mean over the time that samples cover; the last sample where they cover none. Signed as `DevicePowers`. */
  powerW: Partial<Record<PowerChannel, number>>;
  /** The sample of largest magnitude, with its sign. */
  maxPowerW: Partial<Record<PowerChannel, number>>;
  socPercent?: number;
  samples: number;
  /** Worst of all energy channels. */
  quality: Quality;
  /** Channels whose energy is not plainly measured. */
  energyQuality?: Partial<Record<EnergyChannel, Quality>>;
  /** Channels whose energy somebody has corrected (see `correctedBucket`); one that has none then is left open. */
  corrected?: readonly EnergyChannel[];
}

const ENERGY_COUNT = ENERGY_CHANNELS.length;
const POWER_COUNT = POWER_CHANNELS.length;

/** A bucket while it grows: plain arrays by channel index, reused to spare the collector. */
export class BucketCell {
  bucketMs = 0;
  samples = 0;
  socPercent = Number.NaN;
  changed = false;
  energyMask = 0;
  correctedMask = 0;
  estimatedMask = 0;
  energyWh: number[] = new Array<number>(ENERGY_COUNT).fill(0.5);
  /** What the power of each energy channel gave, also where its counter is believed. */
  flowWh: number[] = new Array<number>(ENERGY_COUNT).fill(0.5);
  powerWms: number[] = new Array<number>(POWER_COUNT).fill(0.5);
  coveredMs: number[] = new Array<number>(POWER_COUNT).fill(0.5);
  lastW: number[] = new Array<number>(POWER_COUNT).fill(0.5);
  peakW: number[] = new Array<number>(POWER_COUNT).fill(0.5);

  constructor(bucketMs: number) {
    this.reset(bucketMs);
  }

  reset(bucketMs: number): void {
    this.bucketMs = bucketMs;
    this.samples = 0;
    this.socPercent = Number.NaN;
    this.changed = false;
    this.energyMask = 0;
    this.correctedMask = 0;
    this.estimatedMask = 0;
    this.energyWh.fill(0);
    this.flowWh.fill(0);
    this.powerWms.fill(0);
    this.coveredMs.fill(0);
    this.lastW.fill(Number.NaN);
    this.peakW.fill(Number.NaN);
  }

  addEnergy(channel: number, energyWh: number, quality: Quality): void {
    const bit = 1 << channel;
    this.energyMask |= bit;
    if (quality === 'estimated') this.estimatedMask |= bit;
    else if (quality === 'corrected') this.correctedMask |= bit;
    this.energyWh[channel] = (this.energyWh[channel] ?? 0) + energyWh;
    this.changed = true;
  }

  addPower(channel: number, meanW: number, durationMs: number): void {
    this.powerWms[channel] = (this.powerWms[channel] ?? 0) + meanW * durationMs;
    this.coveredMs[channel] = (this.coveredMs[channel] ?? 0) + durationMs;
    this.changed = true;
  }

  notePower(channel: number, powerW: number): void {
    this.lastW[channel] = powerW;
    const peakW = this.peakW[channel] ?? Number.NaN;
    if (!(Math.abs(powerW) <= Math.abs(peakW))) this.peakW[channel] = powerW;
  }

  toBucket(): DeviceBucket {
    const bucket: DeviceBucket = {
      bucketMs: this.bucketMs,
      energyWh: {},
      powerW: {},
      maxPowerW: {},
      samples: this.samples,
      quality: this.estimatedMask !== 0 ? 'estimated' : this.correctedMask !== 0 ? 'corrected' : 'measured',
    };
    if (!Number.isNaN(this.socPercent)) bucket.socPercent = this.socPercent;
    ENERGY_CHANNELS.forEach((channel, index) => {
      if ((this.energyMask & (1 << index)) !== 0) bucket.energyWh[channel] = this.energyWh[index] ?? 0;
    });
    POWER_CHANNELS.forEach((channel, index) => {
      const coveredMs = this.coveredMs[index] ?? 0;
      const powerW = coveredMs > 0 ? (this.powerWms[index] ?? 0) / coveredMs : this.lastW[index];
      if (powerW !== undefined && !Number.isNaN(powerW)) bucket.powerW[channel] = powerW;
      const peakW = this.peakW[index];
      if (peakW !== undefined && !Number.isNaN(peakW)) bucket.maxPowerW[channel] = peakW;
    });
    if ((this.estimatedMask | this.correctedMask) !== 0) bucket.energyQuality = this.qualities();
    return bucket;
  }

  private qualities(): Partial<Record<EnergyChannel, Quality>> {
    const qualities: Partial<Record<EnergyChannel, Quality>> = {};
    ENERGY_CHANNELS.forEach((channel, index) => {
      if ((this.estimatedMask & (1 << index)) !== 0) qualities[channel] = 'estimated';
      else if ((this.correctedMask & (1 << index)) !== 0) qualities[channel] = 'corrected';
    });
    return qualities;
  }
}

/** Index of the last cell that does not begin after a time, -1 if none. The newest cells are asked first: it is mostly one of them. */
export function lastNotAfter(cells: readonly BucketCell[], bucketMs: number): number {
  let high = cells.length - 1;
  for (const floor = Math.max(0, high - 3); high >= floor; high -= 1) {
    if ((cells[high] as BucketCell).bucketMs <= bucketMs) return high;
  }
  let low = 0;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((cells[middle] as BucketCell).bucketMs <= bucketMs) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}
