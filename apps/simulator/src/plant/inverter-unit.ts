import { dcForAcW, inverterOutput, NOMINAL_EFFICIENCY } from '@sonnenwarte/energy/physics/inverter';
import type { FaultBoard } from '../faults.ts';
import type { FleetInverter } from '../fleet.ts';
import { arrayDcW, mpptVoltageV, type PlaneConditions } from './array.ts';
import { coveredPlane } from './covering.ts';
import type { InverterState } from './state.ts';

export interface MpptReading {
  voltageV: number;
  currentA: number;
  powerW: number;
  /** Current of each string, A; their sum is `currentA`. */
  stringsA: number[];
}

/** SunSpec run states. */
export const Run = { off: 1, sleeping: 2, starting: 3, mppt: 4, throttled: 5, fault: 7, standby: 8 } as const;

/** Bits of `State/Derating`. */
export const Derating = { temperature: 1, exportLimit: 2, frequency: 4, command: 8, clipping: 16 } as const;

const THERMAL_TAU_S = 900;
const FULL_LOAD_RISE_K = 36;
const NO_FAN_RISE_K = 62;
const DERATE_FROM_C = 75;
const DERATE_PER_K = 0.04;
const RECONNECT_MS = 60_000;
const WEAK_STRING = 0.58;
const DROOP_PER_HZ = 0.4;
const DROOP_FROM_HZ = 0.2;
const STOPPING = [
  'grid-over-voltage',
  'grid-under-voltage',
  'insulation-low',
  'arc-fault',
  'internal-communication',
] as const;

/** One inverter with its arrays. `offer` first, then `settle` with the power that the plant lets it give. */
export class InverterUnit {
  readonly device: FleetInverter;
  readonly state: InverterState;
  readonly #faults: FaultBoard;
  readonly #strings: { mppt: number; factor: number }[];
  mppts: MpptReading[];
  offeredDcW = 0;
  /** PV power at the AC terminals, W. */
  pvAcW = 0;
  dcW = 0;
  acW = 0;
  batteryW = 0;
  epsW = 0;
  deratingBits = 0;
  run: number = Run.sleeping;
  isStopped = false;
  isReady = false;
  activePowerLimitPercent = 100;
  isSwitchedOn = true;
  #capW = 0;

  constructor(device: FleetInverter, state: InverterState, faults: FaultBoard) {
    this.device = device;
    this.state = state;
    this.#faults = faults;
    this.#strings = device.params.mppts.flatMap(({ strings }, mppt) =>
      Array.from({ length: strings }, () => ({ mppt, factor: 1 })),
    );
    this.mppts = device.params.mppts.map(({ strings }) => ({
      voltageV: 0,
      currentA: 0,
      powerW: 0,
      stringsA: new Array<number>(strings).fill(0),
    }));
  }

  /** Number of strings over all trackers. */
  get stringCount(): number {
    return this.#strings.length;
  }

  /** Works out what the arrays offer and what the inverter could give at most. */
  offer(
    tsMs: number,
    open: readonly PlaneConditions[],
    solarHour: number,
    ageYears: number,
    frequencyOffsetHz: number,
  ): void {
    const { device, state } = this;
    this.#readStringFaults(tsMs);
    const planes = open.map((plane) => coveredPlane(plane, this.#faults, device.sn, tsMs, solarHour));
    let offeredDcW = 0;
    device.params.mppts.forEach((mppt, index) => {
      const plane = planes[mppt.array];
      const reading = this.mppts[index];
      if (plane === undefined || reading === undefined) return;
      reading.voltageV = mpptVoltageV(mppt, plane);
      reading.powerW = 0;
      if (reading.voltageV === 0) return;
      const stringW = arrayDcW(mppt.kwp / mppt.strings, plane, ageYears);
      for (const each of this.#strings) if (each.mppt === index) reading.powerW += stringW * each.factor;
      offeredDcW += reading.powerW;
    });
    this.isStopped = this.#isStopped(tsMs);
    if (this.isStopped) state.readyAtMs = tsMs + RECONNECT_MS;
    const isReady = !this.isStopped && tsMs >= state.readyAtMs;
    this.isReady = isReady && this.isSwitchedOn;
    this.offeredDcW = offeredDcW;
    this.deratingBits = 0;
    this.#capW = isReady ? this.#powerCapW(tsMs, frequencyOffsetHz) : 0;
    const output = inverterOutput(offeredDcW, device.ratedPowerW, NOMINAL_EFFICIENCY, this.#capW);
    this.pvAcW = output.acW;
    this.dcW = output.dcW;
    if (isReady && output.clippedW > 1 && this.#capW >= device.ratedPowerW) this.deratingBits |= Derating.clipping;
    if (this.isStopped) this.run = Run.fault;
    else if (!this.isSwitchedOn) this.run = Run.off;
    else if (!isReady && offeredDcW > 0) this.run = Run.starting;
    else if (offeredDcW <= 0) this.run = Run.sleeping;
    else this.run = this.deratingBits === 0 ? Run.mppt : Run.throttled;
  }

  /** Power that a battery may still draw (negative) or deliver through this inverter, W. */
  get batteryRoomW(): { chargeW: number; dischargeW: number } {
    const { ratedPowerW } = this.device;
    if (!this.isReady) return { chargeW: 0, dischargeW: 0 };
    return { chargeW: ratedPowerW + this.pvAcW, dischargeW: Math.max(0, ratedPowerW - this.pvAcW) };
  }

  /** Throttles PV to a power at the AC terminals, W. */
  throttle(pvAcW: number, cause: number): void {
    if (pvAcW >= this.pvAcW) return;
    this.pvAcW = Math.max(0, pvAcW);
    this.dcW = Math.min(this.dcW, dcForAcW(this.pvAcW, this.device.ratedPowerW));
    this.deratingBits |= cause;
    if (this.run === Run.mppt) this.run = Run.throttled;
  }

  /** Ends a step: divides the power among the strings, warms the heat sink, counts. */
  settle(batteryW: number, epsW: number, ambientC: number, durationMs: number, tsMs: number): void {
    const { state, device } = this;
    const hours = durationMs / 3_600_000;
    this.batteryW = batteryW;
    this.epsW = epsW;
    this.acW = this.pvAcW + batteryW;
    const share = this.offeredDcW > 0 ? this.dcW / this.offeredDcW : 0;
    this.mppts.forEach((reading, index) => {
      reading.powerW *= share;
      reading.currentA = reading.voltageV > 0 ? reading.powerW / reading.voltageV : 0;
      divide(
        reading,
        this.#strings.filter((each) => each.mppt === index).map((each) => each.factor),
      );
    });
    if (batteryW !== 0 && (this.run === Run.sleeping || this.run === Run.starting)) this.run = Run.mppt;
    const rise = this.#faults.has(device.sn, 'fan-failure', tsMs) ? NO_FAN_RISE_K : FULL_LOAD_RISE_K;
    const load = (Math.abs(this.pvAcW) + Math.abs(batteryW)) / device.ratedPowerW;
    const restC = ambientC + 4 + rise * Math.min(1.3, load);
    state.heatsinkC = restC + (state.heatsinkC - restC) * Math.exp(-durationMs / 1000 / THERMAL_TAU_S);
    state.pvWh += this.dcW * hours;
    state.pvTodayWh += this.dcW * hours;
    state.acOutWh += Math.max(0, this.acW) * hours;
    state.acOutTodayWh += Math.max(0, this.acW) * hours;
    state.acInWh += Math.max(0, -this.acW) * hours;
    state.epsWh += epsW * hours;
    if (this.acW !== 0) state.operatingHours += hours;
  }

  get heatsinkC(): number {
    return this.state.heatsinkC;
  }

  #readStringFaults(tsMs: number): void {
    for (const each of this.#strings) each.factor = 1;
    const open = this.#faults.find(this.device.sn, 'string-open', tsMs);
    const weak = this.#faults.find(this.device.sn, 'string-weak', tsMs);
    const openString = open === undefined ? undefined : this.#strings[open.string - 1];
    const weakString = weak === undefined ? undefined : this.#strings[weak.string - 1];
    if (weakString !== undefined) weakString.factor = WEAK_STRING;
    if (openString !== undefined) openString.factor = 0;
  }

  #isStopped(tsMs: number): boolean {
    return STOPPING.some((name) => this.#faults.has(this.device.sn, name, tsMs));
  }

  #powerCapW(tsMs: number, frequencyOffsetHz: number): number {
    const { ratedPowerW, sn } = this.device;
    if (!this.isSwitchedOn) return 0;
    let capW = ratedPowerW;
    const heatsinkC = this.#faults.has(sn, 'over-temperature', tsMs) ? 82 : this.state.heatsinkC;
    if (heatsinkC > DERATE_FROM_C) {
      capW = ratedPowerW * Math.max(0, 1 - (heatsinkC - DERATE_FROM_C) * DERATE_PER_K);
      this.deratingBits |= Derating.temperature;
    }
    if (frequencyOffsetHz > DROOP_FROM_HZ) {
      capW = Math.min(capW, ratedPowerW * Math.max(0, 1 - (frequencyOffsetHz - DROOP_FROM_HZ) * DROOP_PER_HZ));
      this.deratingBits |= Derating.frequency;
    }
    if (this.activePowerLimitPercent < 100) {
      capW = Math.min(capW, (ratedPowerW * this.activePowerLimitPercent) / 100);
      this.deratingBits |= Derating.command;
    }
    return capW;
  }
}

function divide(reading: MpptReading, factors: readonly number[]): void {
  const sum = factors.reduce((total, factor) => total + factor, 0);
  factors.forEach((factor, index) => {
    reading.stringsA[index] = sum > 0 ? (reading.currentA * factor) / sum : 0;
  });
}
