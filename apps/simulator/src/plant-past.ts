import type { EdgeNode } from './edge/edge-node.ts';
import type { StoredSample } from './edge/sample-store.ts';
import type { FaultBoard } from './faults.ts';
import type { FleetPlant } from './fleet.ts';
import { Plant } from './plant/plant.ts';

/** Values of what a logger keeps for long, by device. */
type Readings = Record<string, number[]>;

/** What is still to be told of a plant's past: what lies before a time, at which its counters stood so. */
export interface SavedPast {
  untilMs: number;
  readings: Readings;
}

/** Two weeks of a plant's past, oldest first, and what is to be told after it. */
export interface PastSpan {
  fromMs: number;
  untilMs: number;
  samples: ReadonlyMap<EdgeNode, readonly StoredSample[]>;
  before: SavedPast;
}

export interface PastOptions {
  plant: FleetPlant;
  faults: FaultBoard;
  edges: readonly EdgeNode[];
  fromMs: number;
  /** When the series that follows begins. */
  untilMs: number;
}

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
const SPAN_MS = 14 * DAY_MS;
/** After so long a battery's charge no longer depends on what it was. */
const SETTLING_MS = 2 * DAY_MS;

/**
 * What a plant did before the series that it goes on with: in quarters of an hour, the newest two weeks first. Each two are
 * computed by itself, then its counters are moved to end where the time after it begins.
 */
export class PlantPast {
  readonly #options: PastOptions;
  readonly #fromMs: number;
  /** What is to be told after what was computed last, and after what was told last. */
  #next: SavedPast;
  #left: SavedPast;

  constructor(options: PastOptions, saved?: SavedPast) {
    this.#options = options;
    const connectedMs = Date.parse(options.plant.gridConnectedOn);
    this.#fromMs = Math.ceil(Math.max(options.fromMs, connectedMs) / QUARTER_MS) * QUARTER_MS;
    this.#left = saved ?? { untilMs: options.untilMs, readings: {} };
    this.#next = this.#left;
  }

  /** What is still to be told, to be kept between two runs. */
  get left(): SavedPast {
    return this.#left;
  }

  get leftMs(): number {
    const leftMs = this.#left.untilMs - this.#fromMs;
    return leftMs < QUARTER_MS ? 0 : leftMs;
  }

  /** Computes the two weeks before those that were computed last; it may be left off after each day. */
  *span(): Generator<void, PastSpan | undefined> {
    const { plant: described, faults, edges } = this.#options;
    const { untilMs } = this.#next;
    if (untilMs - this.#fromMs < QUARTER_MS) return undefined;
    const fromMs = Math.max(this.#fromMs, untilMs - SPAN_MS);
    const plant = new Plant(described, fromMs - SETTLING_MS, faults, undefined, QUARTER_MS);
    plant.advanceTo(fromMs);
    const begun = readingsOf(edges, plant);
    const samples = new Map<EdgeNode, StoredSample[]>(edges.map((edge) => [edge, []]));
    for (let tsMs = fromMs + QUARTER_MS; tsMs <= untilMs; tsMs += QUARTER_MS) {
      plant.advanceTo(tsMs);
      for (const [edge, kept] of samples) kept.push(...archivedOf(edge, plant, tsMs));
      if (tsMs % DAY_MS === 0) yield;
    }
    const wanted = this.#wantedReadings();
    const shifts = shiftsOf(edges, wanted, readingsOf(edges, plant));
    for (const kept of samples.values()) for (const { device, values } of kept) shift(values, shifts[device] ?? []);
    for (const [device, values] of Object.entries(begun)) shift(values, shifts[device] ?? []);
    this.#next = { untilMs: fromMs, readings: begun };
    return { fromMs, untilMs, samples, before: this.#next };
  }

  /** What was computed has been told. */
  told({ before }: PastSpan): void {
    this.#left = before;
  }

  #wantedReadings(): Readings {
    const { plant, faults, edges } = this.#options;
    const { untilMs, readings } = this.#next;
    if (Object.keys(readings).length > 0) return readings;
    return readingsOf(edges, new Plant(plant, untilMs, faults));
  }
}

function archivedOf(edge: EdgeNode, plant: Plant, tsMs: number): StoredSample[] {
  const slots = edge.devices.filter(({ layout }) => layout.archived.length > 0);
  return slots.map((slot) => slot.archivedOf(plant, tsMs));
}

function readingsOf(edges: readonly EdgeNode[], plant: Plant): Readings {
  const samples = edges.flatMap((edge) => archivedOf(edge, plant, plant.tsMs));
  return Object.fromEntries(samples.map(({ device, values }) => [device, [...values]]));
}

/** By how much the counters of each device are moved; what is no counter stays. */
function shiftsOf(edges: readonly EdgeNode[], wanted: Readings, ended: Readings): Readings {
  const slots = edges.flatMap(({ devices }) => devices);
  return Object.fromEntries(
    slots.map(({ device: { sn }, layout }) => [
      sn,
      layout.archived.map(({ isLifetime }, at) => (isLifetime ? (wanted[sn]?.[at] ?? 0) - (ended[sn]?.[at] ?? 0) : 0)),
    ]),
  );
}

/** No counter is below nought. */
function shift(values: number[] | Float64Array, by: readonly number[]): void {
  for (const [at, step] of by.entries()) if (step !== 0) values[at] = Math.max(0, (values[at] ?? 0) + step);
}
