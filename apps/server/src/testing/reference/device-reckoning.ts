import { type CounterReading, type Growth, readCounter } from './counter-reading.ts';
import { addTo, bucketOf, type PowerReading, powerBounds, powerPieces, spreadEvenly } from './power-reading.ts';

/** What a device told at a time, by the names of the protocol. */
export interface Telling {
  readonly tsMs: number;
  readonly values: Readonly<Record<string, number>>;
}

export type Port = 'pv' | 'acOut' | 'acIn' | 'load' | 'charge' | 'discharge' | 'import' | 'export' | 'charger';
export type Kind = 'inverter' | 'battery' | 'meter' | 'pile';

export interface ReferenceDevice {
  readonly sn: string;
  readonly kind: Kind;
  readonly role?: 'grid' | 'load';
  readonly ratedW?: number;
}

interface Channel {
  readonly port: Port;
  readonly counters: readonly string[];
  readonly power: string;
  readonly sign: 1 | -1;
  /** Flows one way only: its magnitude counts, or what is above nought. */
  readonly oneWay?: 'magnitude' | 'above';
  readonly smallestW: number;
}

const INVERTER: readonly Channel[] = [
  { port: 'pv', counters: ['Energy/PvTotal'], power: 'DC/Power', sign: 1, oneWay: 'above', smallestW: 800 },
  { port: 'acOut', counters: ['Energy/AcOutTotal'], power: 'AC/ActivePower', sign: 1, smallestW: 800 },
  { port: 'acIn', counters: ['Energy/AcInTotal'], power: 'AC/ActivePower', sign: -1, smallestW: 800 },
  { port: 'load', counters: ['Energy/LoadTotal'], power: 'Load/Power', sign: 1, oneWay: 'above', smallestW: 3_680 },
];
const BATTERY: readonly Channel[] = [
  { port: 'charge', counters: ['Bat/ChargeTotal'], power: 'Bat/Power', sign: -1, smallestW: 800 },
  { port: 'discharge', counters: ['Bat/DischargeTotal'], power: 'Bat/Power', sign: 1, smallestW: 800 },
];
const GRID: readonly Channel[] = [
  { port: 'import', counters: ['Meter/ImportTotal'], power: 'Meter/ActivePower', sign: 1, smallestW: 3_680 },
  { port: 'export', counters: ['Meter/ExportTotal'], power: 'Meter/ActivePower', sign: -1, smallestW: 3_680 },
];
const LOAD: readonly Channel[] = [
  {
    port: 'load',
    counters: ['Meter/ImportTotal', 'Meter/ExportTotal'],
    power: 'Meter/ActivePower',
    sign: 1,
    oneWay: 'magnitude',
    smallestW: 3_680,
  },
];
const PILE: readonly Channel[] = [
  { port: 'charger', counters: ['Pile/EnergyTotal'], power: 'Pile/Power', sign: 1, oneWay: 'above', smallestW: 3_680 },
];

function channelsOf({ kind, role }: ReferenceDevice): readonly Channel[] {
  if (kind === 'meter') return role === 'load' ? LOAD : GRID;
  return { inverter: INVERTER, battery: BATTERY, pile: PILE }[kind];
}

export interface DeviceReckoning {
  readonly device: ReferenceDevice;
  /** By port: energy of each bucket of which anything is known. */
  readonly ports: ReadonlyMap<Port, ReadonlyMap<number, bigint>>;
  readonly openings: ReadonlyMap<Port, bigint>;
}

const GAP_MS = 20 * 60_000;
const LONGEST_MS = 8 * 24 * 3_600_000;
const UNKNOWN_W = 30_000;

/** A decimal as it is written, in parts of a power of ten; what is beyond them is cut off. */
function scaled(value: number, digits: number): bigint {
  const [whole = '0', fraction = ''] = value.toFixed(12).split('.');
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

function countersOf(tellings: readonly Telling[], { counters }: Channel): CounterReading[] {
  return tellings.flatMap(({ tsMs, values }) => {
    const told = counters.flatMap((name) => values[name] ?? []).filter((kwh) => kwh >= 0);
    return told.length === 0 ? [] : [{ tsMs, nanoWh: scaled(Math.max(...told), 12) }];
  });
}

function powersOf(tellings: readonly Telling[], { power, sign, oneWay }: Channel): PowerReading[] {
  return tellings.flatMap(({ tsMs, values }) => {
    const told = values[power];
    if (told === undefined) return [];
    const watts = oneWay === 'magnitude' ? Math.abs(told) : oneWay === 'above' ? Math.max(0, told) : sign * told;
    return [{ tsMs, microW: scaled(watts, 6) }];
  });
}

/** Most that a channel carries: by its rating, or by the second greatest power that it ever had. */
function carriesW(device: ReferenceDevice, channel: Channel, powers: readonly PowerReading[]): number {
  const seen = powers.map(({ microW }) => Math.abs(Number(microW)) / 1e6).sort((one, other) => other - one);
  const second = seen[1] ?? 0;
  const { ratedW } = device;
  if (ratedW !== undefined && channel.port !== 'load') {
    return Math.max(channel.port === 'pv' ? 1.5 * ratedW : ratedW, Math.min(second, 3 * ratedW));
  }
  return seen.length === 0 ? UNKNOWN_W : Math.max(channel.smallestW, second);
}

/** Puts what a counter grew by where the power was, or evenly where nothing was told between. */
function place(
  sums: Map<number, bigint>,
  { fromMs, toMs, nanoWh }: Growth,
  heardMs: readonly number[],
  powers: readonly PowerReading[],
  resting: readonly Stretch[],
): void {
  const isHeard = toMs - fromMs > GAP_MS && heardMs.some((tsMs) => tsMs > fromMs && tsMs < toMs);
  if (!isHeard) {
    spreadWhereBusy(sums, { fromMs, toMs, nanoWh }, resting);
    return;
  }
  const startMs = Math.max(fromMs, toMs - LONGEST_MS);
  const pieces = powerPieces(powers, startMs, toMs);
  const told = pieces.reduce((sum, piece) => sum + piece.nanoWh, 0n);
  if (told < 1_000_000n) {
    spreadEvenly(sums, startMs, toMs, nanoWh);
    return;
  }
  const bare = bareStretches(pieces, startMs, toMs);
  const bareMs = bare.reduce((sum, [from, to]) => sum + to - from, 0);
  const rest = bareMs > GAP_MS && nanoWh > told ? nanoWh - told : 0n;
  for (const piece of pieces) addTo(sums, bucketOf(piece.fromMs), (piece.nanoWh * (nanoWh - rest)) / told);
  for (const [from, to] of bare) spreadEvenly(sums, from, to, (rest * BigInt(to - from)) / BigInt(bareMs || 1));
}

type Stretch = readonly [fromMs: number, toMs: number];

/** When a power that was told gave nothing, ascending; where only one of two readings is none, for half of the time between. */
function restingStretches(powers: readonly PowerReading[]): Stretch[] {
  return powers.flatMap((to, index): Stretch[] => {
    const from = powers[index - 1];
    if (from === undefined || to.tsMs - from.tsMs > GAP_MS) return [];
    const middleMs = Math.floor((from.tsMs + to.tsMs) / 2);
    const [rested, rests] = [from.microW <= 0n, to.microW <= 0n];
    if (rested && rests) return [[from.tsMs, to.tsMs]];
    if (rested) return [[from.tsMs, middleMs]];
    return rests ? [[middleMs, to.tsMs]] : [];
  });
}

/** The stretches of a growth in which its power did not rest each have of it by their length; if it rested throughout, all of the time has. */
function spreadWhereBusy(
  sums: Map<number, bigint>,
  { fromMs, toMs, nanoWh }: Growth,
  resting: readonly Stretch[],
): void {
  let [low, high] = [0, resting.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((resting[middle]?.[1] ?? 0) > fromMs) high = middle;
    else low = middle + 1;
  }
  const within: { fromMs: number; toMs: number }[] = [];
  for (let at = low; at < resting.length && (resting[at]?.[0] ?? 0) < toMs; at += 1) {
    const [restMs = 0, wakeMs = 0] = resting[at] ?? [];
    within.push({ fromMs: Math.max(restMs, fromMs), toMs: Math.min(wakeMs, toMs) });
  }
  const busy = bareStretches(within, fromMs, toMs);
  const busyMs = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  if (busyMs === 0 || nanoWh === 0n) {
    spreadEvenly(sums, fromMs, toMs, nanoWh);
    return;
  }
  // Of the buckets in which it rested throughout it is known that nothing was counted.
  spreadEvenly(sums, fromMs, toMs, 0n);
  let [given, passedMs] = [0n, 0];
  for (const [from, to] of busy) {
    passedMs += to - from;
    const upTo = (nanoWh * BigInt(passedMs)) / BigInt(busyMs);
    spreadEvenly(sums, from, to, upTo - given);
    given = upTo;
  }
}

function bareStretches(pieces: readonly { fromMs: number; toMs: number }[], startMs: number, endMs: number) {
  const bare: [fromMs: number, toMs: number][] = [];
  let atMs = startMs;
  for (const { fromMs, toMs } of pieces) {
    if (fromMs > atMs) bare.push([atMs, fromMs]);
    atMs = toMs;
  }
  if (atMs < endMs) bare.push([atMs, endMs]);
  return bare;
}

/** A power that is told more rarely than its counter is not asked; one without a counter is integrated. */
function reckonChannel(device: ReferenceDevice, channel: Channel, tellings: readonly Telling[]) {
  const sums = new Map<number, bigint>();
  const powers = powersOf(tellings, channel);
  const readings = countersOf(tellings, channel);
  const firstMs = readings[0]?.tsMs ?? Number.POSITIVE_INFINITY;
  for (const { fromMs, nanoWh } of powerPieces(powers, Number.NEGATIVE_INFINITY, firstMs)) {
    if (readings.length === 0) addTo(sums, bucketOf(fromMs), nanoWh);
  }
  const { growths, opening } = readCounter(readings, {
    carriesW: carriesW(device, channel, powers),
    powerNanoWh: (fromMs, toMs) =>
      powers.length < 1 ? undefined : powerPieces(powers, fromMs, toMs).reduce((sum, piece) => sum + piece.nanoWh, 0n),
    boundsNanoWh: (fromMs, toMs) => powerBounds(powers, fromMs, toMs),
  });
  const heardMs = tellings.map(({ tsMs }) => tsMs);
  const resting = restingStretches(powers);
  for (const growth of growths) place(sums, growth, heardMs, powers, resting);
  return { sums, opening };
}

/** @param tellings in whatever order, doubled or not. */
export function reckonDevice(device: ReferenceDevice, tellings: readonly Telling[]): DeviceReckoning {
  const byTime = new Map(tellings.map((telling) => [telling.tsMs, telling]));
  const ordered = [...byTime.values()].sort((one, other) => one.tsMs - other.tsMs);
  const ports = new Map<Port, ReadonlyMap<number, bigint>>();
  const openings = new Map<Port, bigint>();
  for (const channel of channelsOf(device)) {
    const { sums, opening } = reckonChannel(device, channel, ordered);
    if (sums.size > 0) ports.set(channel.port, sums);
    if (opening !== undefined) openings.set(channel.port, opening.nanoWh);
  }
  return { device, ports, openings };
}
