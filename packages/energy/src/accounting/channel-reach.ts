import type { EnergyChannel, PowerChannel } from './channels.ts';
import { ENERGY_CHANNELS, POWER_CHANNELS, POWER_OF_ENERGY } from './channels.ts';
import type { DeviceKind } from './device-sample.ts';

/** What is told of a device and its plant. */
export interface ReachFacts {
  kind?: DeviceKind | undefined;
  /** Rated active power of the device, W. */
  ratedW?: number | undefined;
  /** Of a battery, Wh. */
  capacityWh?: number | undefined;
  /** Rated power of the plant's arrays, W. */
  plantW?: number | undefined;
}

/** What has been seen of a device. JSON-serialisable; powers in eighths of an octave above 1 W. */
export interface LearnedReach {
  powers?: { [channel in PowerChannel]?: readonly [best: number, bestTsMs: number, second: number] };
  rates?: { [channel in EnergyChannel]?: number };
}

/** A channel of which neither a power nor a rating is known: the connection of a house. */
export const UNKNOWN_REACH_W = 30_000;

/** What the smallest device carries: a balcony inverter, a circuit of 16 A. */
const SMALLEST_W: Record<PowerChannel, number> = {
  pv: 800,
  ac: 800,
  load: 3_680,
  battery: 800,
  grid: 3_680,
  external: 800,
  eps: 800,
  charger: 3_680,
};

/** Arrays are often larger than their inverter. */
const DC_SHARE = 1.5;
/** A smaller rating is one in kW by mistake. */
const LEAST_RATING_W = 100;
/** A power beyond so many ratings, or sizes of the plant, is a wrong reading. */
const MOST_RATINGS = 3;
const MOST_PLANTS = 10;
const MOST_W = 1e9;

const NEVER = -2;
const ONCE = -1;
const STEPS_PER_OCTAVE = 8;

const POWER_INDEX: readonly number[] = ENERGY_CHANNELS.map((channel) =>
  POWER_CHANNELS.indexOf(POWER_OF_ENERGY[channel].power),
);

/**
 * The most, W, that each channel of a device can carry: what its rating says, what its power has reached at two times, and where
 * neither is known the size of the plant. It depends on what was seen, not on the order in which that was told.
 */
export class ChannelReach {
  /** By energy channel. */
  readonly limitW: number[] = new Array<number>(ENERGY_CHANNELS.length).fill(0.5);
  /** By power channel: a power of smaller magnitude teaches nothing. */
  readonly teachesFromW: number[] = new Array<number>(POWER_CHANNELS.length).fill(0);
  /** Whether something was learned since it was last saved. */
  isUnsaved = false;
  readonly #best: number[] = POWER_CHANNELS.map(() => NEVER);
  readonly #bestTsMs: number[] = POWER_CHANNELS.map(() => 0);
  readonly #second: number[] = POWER_CHANNELS.map(() => NEVER);
  #rates: number[] | undefined;
  #risen = 0;
  #facts: ReachFacts;

  constructor(facts: ReachFacts = {}) {
    this.#facts = facts;
    this.#update();
    this.#risen = 0;
  }

  know(facts: ReachFacts): void {
    const known = this.#facts;
    if (
      facts.kind === known.kind &&
      facts.ratedW === known.ratedW &&
      facts.capacityWh === known.capacityWh &&
      facts.plantW === known.plantW
    )
      return;
    this.#facts = facts;
    this.#update();
  }

  /** Whether anything has been seen of the device. */
  get hasLearned(): boolean {
    return this.#rates !== undefined || this.#second.some((level) => level !== NEVER);
  }

  /** Whether the power of an energy channel has ever been told. */
  hasPower(energy: number): boolean {
    return (this.#second[POWER_INDEX[energy] as number] as number) !== NEVER;
  }

  /** Notes a power that was seen. A time that is noted again changes nothing. */
  notePower(power: number, tsMs: number, powerW: number): void {
    const level = levelOf(Math.min(MOST_W, Math.abs(powerW)));
    const best = this.#best[power] as number;
    if (best === NEVER) {
      this.#best[power] = level;
      this.#bestTsMs[power] = tsMs;
      this.#second[power] = ONCE;
    } else if (tsMs === this.#bestTsMs[power]) {
      if (level <= best) return;
      this.#best[power] = level;
    } else if (level > best) {
      this.#second[power] = best;
      this.#best[power] = level;
      this.#bestTsMs[power] = tsMs;
    } else if (level > (this.#second[power] as number)) this.#second[power] = level;
    else return;
    this.isUnsaved = true;
    this.#update();
  }

  /** Notes how fast a counter without a power has grown twice in succession. */
  noteRate(energy: number, rateW: number): void {
    if (this.hasPower(energy)) return;
    this.#rates ??= ENERGY_CHANNELS.map(() => NEVER);
    const level = levelOf(Math.min(MOST_W, rateW));
    if (level <= (this.#rates[energy] as number)) return;
    this.#rates[energy] = level;
    this.isUnsaved = true;
    this.#update();
  }

  /** Bits of the energy channels that may carry more than when this was last asked. */
  takeRisen(): number {
    const risen = this.#risen;
    this.#risen = 0;
    return risen;
  }

  learned(): LearnedReach {
    const learned: LearnedReach = {};
    POWER_CHANNELS.forEach((channel, index) => {
      const best = this.#best[index] as number;
      if (best === NEVER) return;
      learned.powers ??= {};
      learned.powers[channel] = [best, this.#bestTsMs[index] as number, this.#second[index] as number];
    });
    ENERGY_CHANNELS.forEach((channel, index) => {
      const rate = this.#rates?.[index] ?? NEVER;
      if (rate === NEVER) return;
      learned.rates ??= {};
      learned.rates[channel] = rate;
    });
    return learned;
  }

  restore({ powers = {}, rates = {} }: LearnedReach): void {
    POWER_CHANNELS.forEach((channel, index) => {
      const known = powers[channel];
      if (known === undefined) return;
      [this.#best[index], this.#bestTsMs[index], this.#second[index]] = known;
    });
    for (const [channel, level] of Object.entries(rates)) {
      this.#rates ??= ENERGY_CHANNELS.map(() => NEVER);
      this.#rates[ENERGY_CHANNELS.indexOf(channel as EnergyChannel)] = level;
    }
    this.#update();
  }

  #update(): void {
    for (let power = 0; power < POWER_CHANNELS.length; power += 1) {
      const second = this.#second[power] as number;
      this.teachesFromW[power] = second === NEVER ? 0 : 2 ** ((second + 1) / STEPS_PER_OCTAVE);
    }
    for (let energy = 0; energy < ENERGY_CHANNELS.length; energy += 1) {
      const limitW = this.#limitOf(energy);
      if (limitW > (this.limitW[energy] as number)) this.#risen |= 1 << energy;
      this.limitW[energy] = limitW;
    }
  }

  #limitOf(energy: number): number {
    const { kind, ratedW, capacityWh, plantW } = this.#facts;
    const power = POWER_CHANNELS[POWER_INDEX[energy] as number] as PowerChannel;
    const isPv = power === 'pv' || power === 'ac';
    const hasPower = this.hasPower(energy);
    const taughtW = hasPower
      ? upperW(this.#second[POWER_INDEX[energy] as number] as number)
      : upperW(this.#rates?.[energy] ?? NEVER);
    const isRated = kind !== 'inverter' || isPv || power === 'eps';
    if (ratedW !== undefined && ratedW >= LEAST_RATING_W && isRated) {
      return Math.max(power === 'pv' ? DC_SHARE * ratedW : ratedW, Math.min(taughtW, MOST_RATINGS * ratedW));
    }
    const sizeW = isPv ? plantW : hasPower || power !== 'battery' ? undefined : capacityWh;
    const mostW = isPv && plantW !== undefined ? Math.max(MOST_PLANTS * plantW, UNKNOWN_REACH_W) : MOST_W;
    const leastW = sizeW ?? (hasPower ? 0 : UNKNOWN_REACH_W);
    return Math.max(SMALLEST_W[power], leastW, Math.min(taughtW, mostW));
  }
}

function levelOf(powerW: number): number {
  return powerW < 1 ? ONCE : Math.floor(STEPS_PER_OCTAVE * Math.log2(powerW));
}

/** Upper edge of a level. */
function upperW(level: number): number {
  return level < 0 ? 0 : 2 ** ((level + 1) / STEPS_PER_OCTAVE);
}
