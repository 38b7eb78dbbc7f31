import { EdgeNode } from './edge/edge-node.ts';
import { type OcppAccess, OcppPile } from './edge/ocpp-pile.ts';
import { pause, type Schedule, turn } from './edge/pause.ts';
import { SLOT_MS, type StoredSample } from './edge/sample-store.ts';
import type { OpenTransport } from './edge/transport.ts';
import { FaultBoard, isFaultName } from './faults.ts';
import { FleetError, type FleetPlant } from './fleet.ts';
import type { HistorySender } from './history-sender.ts';
import type { InStep } from './in-step.ts';
import { LocalClock } from './plant/local-time.ts';
import { Plant } from './plant/plant.ts';
import type { PlantState } from './plant/state.ts';
import { PlantPast } from './plant-past.ts';
import type { SavedPlant } from './state-file.ts';

export interface RunnerOptions {
  open: OpenTransport;
  /** Keeps the password with which a datalogger connects from now on. */
  keepPassword?: (sn: string, password: string) => void;
  group: string;
  intervalS: number;
  historyDays: number;
  /** Days before now that are told in quarters of an hour, as far as they lie before the history. */
  pastDays: number;
  /** Above 1, the days of history are lived through so much faster instead of being sent as stored ones. */
  speed: number;
  backoffMs: { low: number; high: number };
  schedule: Schedule;
  sender: HistorySender;
  /** With the other plants: who stores their histories has each day together. */
  inStep: InStep;
  /** Piles that speak OCPP themselves, by their serial numbers. */
  piles?: ReadonlyMap<string, OcppAccess>;
  onNote(note: string): void;
  /** Told now and then while history goes out; `done` and `all` count five-minute slots that were acknowledged. */
  onProgress(done: number, all: number): void;
}

const DAY_MS = 86_400_000;
const LONGEST_PAST_DAYS = 33;
const OVERLAP_MS = 2 * SLOT_MS;

/** One plant in operation: its physics, its loggers, its history. */
export class PlantRunner {
  readonly plant: Plant;
  readonly edges: readonly EdgeNode[];
  /** Number of five-minute slots that go out as history. */
  readonly historySlots: number;
  /** What was before the history. */
  readonly past: PlantPast;
  readonly #options: RunnerOptions;
  readonly #replay: Plant | undefined;
  #historyFromMs: number;
  readonly #endMs: number;
  readonly #bornMs: number;
  readonly #originMs: number;
  readonly #isOffline: boolean;
  readonly #startedMs: number;
  readonly #stopped = new AbortController();
  readonly #piles: readonly OcppPile[];
  readonly #running: Promise<void>[] = [];
  /** Until when all history has been acknowledged. */
  #toldUntilMs: number;

  constructor(described: FleetPlant, saved: SavedPlant | undefined, options: RunnerOptions) {
    const nowMs = options.schedule.now();
    const fleetPlant =
      saved === undefined ? described : { ...described, settings: saved.settings, workMode: saved.workMode };
    this.#options = options;
    this.#startedMs = nowMs;
    this.#bornMs = saved?.bornMs ?? nowMs;
    // What a run before has lived through until it ended is followed by what its loggers kept since.
    const keptFromMs = saved === undefined ? nowMs : Math.min(nowMs, saved.state.tsMs);
    const wantedFromMs = nowMs - options.historyDays * DAY_MS;
    this.#historyFromMs = Math.max(Math.min(wantedFromMs, keptFromMs), nowMs - LONGEST_PAST_DAYS * DAY_MS);
    const { offlineSinceDaysAgo } = fleetPlant;
    this.#isOffline = offlineSinceDaysAgo !== undefined;
    this.#endMs = this.#isOffline ? this.#bornMs - (offlineSinceDaysAgo ?? 0) * DAY_MS : Number.POSITIVE_INFINITY;
    const board = new FaultBoard();
    for (const { device, fault, sinceDaysAgo, string } of fleetPlant.faults) {
      if (!isFaultName(fault)) throw new FleetError(fleetPlant.key, `names a fault ${fault}, which is not known`);
      board.inject(device, fault, this.#bornMs - sinceDaysAgo * DAY_MS, Number.POSITIVE_INFINITY, string);
    }
    const isHistoryWanted = this.#historyFromMs < nowMs;
    const start = chooseStart(fleetPlant, saved, isHistoryWanted ? this.#historyFromMs : undefined, nowMs);
    this.#originMs = start.originMs;
    this.#toldUntilMs = this.#historyFromMs;
    // What happens now goes on from where it was, however far back the history begins: it is not to wait for that.
    const isSameSeries = saved !== undefined && saved.originMs === start.originMs && saved.state.tsMs <= nowMs;
    this.plant = isSameSeries
      ? new Plant(fleetPlant, saved.state.tsMs, board, saved.state)
      : new Plant(fleetPlant, start.startMs, board, start.state);
    const isHistorySent = isHistoryWanted && options.speed === 1;
    this.#replay = isHistorySent ? new Plant(fleetPlant, start.startMs, board, start.state) : undefined;
    const lastMs = Math.min(this.#endMs, nowMs);
    // Where more is told of what was before, there is no hole between both.
    if (saved === undefined && options.pastDays > 0) this.#historyFromMs = start.startMs;
    const firstMs = Math.max(this.#historyFromMs, start.startMs);
    this.historySlots = isHistorySent ? Math.max(0, Math.floor(lastMs / SLOT_MS) - Math.floor(firstMs / SLOT_MS)) : 0;
    const { piles = new Map<string, OcppAccess>() } = options;
    this.edges = fleetPlant.loggers.map((datalogger) => {
      const devices = datalogger.devices.filter(({ sn }) => !piles.has(sn));
      return new EdgeNode({ ...options, plant: this.plant, datalogger: { ...datalogger, devices } });
    });
    this.#piles = this.plant.chargers.flatMap(({ device: { sn } }) => {
      const access = piles.get(sn);
      return access === undefined ? [] : [new OcppPile({ ...options, plant: this.plant, sn, access })];
    });
    const fromMs = options.pastDays === 0 ? Number.POSITIVE_INFINITY : nowMs - options.pastDays * DAY_MS;
    if (this.historySlots > 0) options.inStep.join(this);
    this.past = new PlantPast(
      { plant: fleetPlant, faults: board, edges: this.edges, fromMs, untilMs: start.originMs },
      saved?.past,
    );
  }

  get isOffline(): boolean {
    return this.#isOffline;
  }

  /** Until when the history is where it belongs; later than any time where there is none left to send. */
  get toldUntilMs(): number {
    return this.historySlots === 0 ? Number.POSITIVE_INFINITY : this.#toldUntilMs;
  }

  /** Begins to report what happens now. */
  start(delayMs: number): void {
    this.#advance();
    if (this.#isOffline && this.historySlots === 0 && this.past.leftMs === 0) return;
    for (const edge of this.edges) edge.start();
    for (const pile of this.#piles) this.#running.push(pile.run(this.#stopped.signal, () => this.#advance()));
    if (!this.#isOffline) for (const edge of this.edges) this.#running.push(this.#live(edge, delayMs));
  }

  /** Resolves once all its loggers have told what they are and what they measure now. */
  async isHeard(): Promise<void> {
    if (!this.#isOffline) await Promise.all(this.edges.map((edge) => edge.connected()));
  }

  /** Sends the history; resolves once all of it has been acknowledged. */
  async tellHistory(): Promise<void> {
    if (this.#replay === undefined || this.historySlots === 0) return;
    const sending = this.#sendHistory(this.#replay).finally(() => this.#options.inStep.leave(this));
    this.#running.push(sending);
    await sending;
  }

  /** All has been told: who is away falls silent. */
  async endHistory(): Promise<void> {
    if (this.#isOffline) await Promise.all(this.edges.map((edge) => edge.cut()));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#options.inStep.leave(this);
    await Promise.all(this.edges.map((edge) => edge.stop()));
    await Promise.all(this.#running);
  }

  save(): SavedPlant {
    const { state, settings, workMode } = this.plant;
    return { bornMs: this.#bornMs, originMs: this.#originMs, state, settings, workMode, past: this.past.left };
  }

  #simulatedNow(): number {
    const nowMs = this.#options.schedule.now();
    if (this.#options.speed === 1) return nowMs;
    const pastMs = this.#options.historyDays * DAY_MS;
    return Math.min(nowMs, this.#startedMs - pastMs + (nowMs - this.#startedMs) * this.#options.speed);
  }

  #advance(): number {
    const tsMs = this.#simulatedNow();
    this.plant.advanceTo(Math.min(tsMs, this.#endMs));
    return tsMs;
  }

  async #live(edge: EdgeNode, delayMs: number): Promise<void> {
    const { schedule } = this.#options;
    const { signal } = this.#stopped;
    await pause(schedule, delayMs, signal);
    while (!signal.aborted) {
      edge.report(this.#advance());
      const periodMs = edge.intervalS * 1000;
      await pause(schedule, periodMs - ((schedule.now() - delayMs) % periodMs), signal);
    }
  }

  async #sendHistory(replay: Plant): Promise<void> {
    const all = this.historySlots;
    let done = 0;
    let told = Promise.resolve();
    const { signal } = this.#stopped;
    let slotMs = (Math.floor(Math.max(this.#historyFromMs, replay.tsMs) / SLOT_MS) + 1) * SLOT_MS;
    const lastMs = Math.min(this.#endMs, this.#startedMs);
    for (let dayMs = (Math.floor(replay.tsMs / DAY_MS) + 1) * DAY_MS; dayMs < slotMs; dayMs += DAY_MS) {
      replay.advanceTo(dayMs);
      await turn();
    }
    while (slotMs <= lastMs && !signal.aborted) {
      const collected = new Map<EdgeNode, StoredSample[]>(this.edges.map((edge) => [edge, []]));
      const round: Promise<void>[] = [];
      let slots = 0;
      const dayEndMs = Math.min(lastMs, (Math.floor((slotMs - 1) / DAY_MS) + 1) * DAY_MS);
      await this.#options.inStep.reach(this, dayEndMs);
      for (; slotMs <= dayEndMs; slots += 1, slotMs += SLOT_MS) {
        replay.advanceTo(slotMs);
        for (const edge of this.edges) {
          for (const slot of edge.devices) {
            slot.record(replay);
            collected.get(edge)?.push(slot.sampleOf(replay, slotMs));
          }
        }
      }
      for (const [edge, samples] of collected) await this.#options.sender.send(edge, samples, round);
      const untilMs = slotMs - SLOT_MS;
      told = Promise.all([told, ...round]).then(() => {
        if (signal.aborted) return;
        this.#toldUntilMs = untilMs;
        done += slots;
        if (done < all) this.#options.onProgress(done, all);
      });
      await turn();
    }
    await told;
    if (signal.aborted) return;
    this.#toldUntilMs = Number.POSITIVE_INFINITY;
    this.#options.onProgress(all, all);
  }
}

interface Start {
  startMs: number;
  originMs: number;
  state?: PlantState;
}

/**
 * Goes on from the saved state where it reaches back as far as history is wanted; else computes the same series again from
 * its origin, or begins a new one at a local midnight.
 */
function chooseStart(
  plant: FleetPlant,
  saved: SavedPlant | undefined,
  historyFromMs: number | undefined,
  nowMs: number,
): Start {
  const oldestMs = nowMs - LONGEST_PAST_DAYS * DAY_MS;
  const neededMs = historyFromMs ?? nowMs;
  if (saved !== undefined) {
    const { state, originMs } = saved;
    const isOfflinePlant = plant.offlineSinceDaysAgo !== undefined;
    const isUsable = state.tsMs <= nowMs && state.tsMs <= neededMs + OVERLAP_MS;
    if (isUsable && (state.tsMs >= oldestMs || isOfflinePlant)) return { startMs: state.tsMs, originMs, state };
    if (isUsable) return { startMs: oldestMs, originMs: oldestMs, state: { ...state, tsMs: oldestMs } };
    if (originMs >= oldestMs && originMs <= neededMs + OVERLAP_MS) return { startMs: originMs, originMs };
  }
  const startMs = new LocalClock(plant.timeZone).startOfDay(historyFromMs ?? nowMs - DAY_MS);
  return { startMs, originMs: startMs };
}
