import { burnInEndpoints as calls } from '@sonnenwarte/contract/burn-in/burn-in';
import { afterAll, beforeAll } from 'vitest';
import { BurnInRack, type Told } from './burn-in-rack.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** An inverter that gives what is asked of it. */
export const whole: Told = { powerW: 9_900 };

/** Limits as plans usually have them. */
export const usualLimits = {
  minOutputPercent: 97,
  minEfficiencyPercent: 95,
  maxTemperatureC: 80,
  maxSilenceMinutes: 5,
  failLevel: 3,
};

type Plan = Parameters<BurnInRack['addPlan']>[0];
type More = Parameters<BurnInRack['run']>[2];

/** A rack of a test file's own with a plan; each test has hours of its own. */
export class OwnBurnIn {
  readonly startMs: number;
  readonly #plan: Plan;
  #rack: BurnInRack | undefined;
  #planID = '';
  /** From when a test tells. */
  fromMs: number;

  constructor(startMs: number, plan: Plan) {
    this.startMs = startMs;
    this.#plan = plan;
    this.fromMs = startMs;
  }

  get rack(): BurnInRack {
    if (this.#rack === undefined) throw new Error('the rack is not started');
    return this.#rack;
  }

  get planID(): string {
    return this.#planID;
  }

  async start(): Promise<void> {
    this.#rack = await BurnInRack.start(this.startMs);
    this.#planID = await this.#rack.addPlan(this.#plan);
  }

  async end(): Promise<void> {
    await this.#rack?.stop();
  }

  later(hours: number): void {
    this.fromMs += hours * HOUR_MS;
    this.rack.passUntil(this.fromMs);
  }

  /** Goes on to so many minutes after the test's own time began. */
  passMinutes(minutes: number): void {
    this.rack.passUntil(this.fromMs + minutes * MINUTE_MS);
  }

  /** A run of new inverters from now on. */
  async begun(sns: string[], more: More = {}, planID = this.planID) {
    this.later(4);
    const devices = [];
    for (const sn of sns) devices.push(await this.rack.addInverter(sn));
    return { runID: await this.rack.run(planID, sns, more), keys: devices.map(({ key }) => key), devices };
  }

  judge(): Promise<void> {
    return this.rack.judge(this.startMs - HOUR_MS);
  }

  boardOf(runID: string) {
    return this.rack.plants.read(calls.board, { runID }, this.rack.token);
  }

  /** How the run stands, and each of its units. */
  async statesOf(runID: string): Promise<string[]> {
    const { run, units } = await this.boardOf(runID);
    return [run.state, ...units.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`))];
  }
}

export function ownBurnIn(startMs: number, plan: Plan): OwnBurnIn {
  const own = new OwnBurnIn(startMs, plan);
  beforeAll(() => own.start());
  afterAll(() => own.end());
  return own;
}
