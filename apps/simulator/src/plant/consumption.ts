import { Random, seedFromText } from '@sonnenwarte/energy/random';
import type { FleetCharger, LoadProfile } from '../fleet.ts';
import { weekday } from './local-time.ts';
import { uniformAt, wanderAt } from './noise.ts';

interface Appliance {
  startMin: number;
  endMin: number;
  powerW: number;
}

export interface ChargeSession {
  startMin: number;
  powerW: number;
  energyWh: number;
  vehicleSocPercent: number;
}

/** A heat pump that runs, and since when it does or does not. */
export interface HeatPumpState {
  isOn: boolean;
  sinceMs: number;
}

const HOURS_PER_YEAR = 8760;
/** Mean of the shapes below over a week, found by summing them; appliances of a household add about 4 kWh a day. */
const HOUSEHOLD_MEAN = 0.74;
const HOUSEHOLD_APPLIANCE_WH = 3900;
const BUSINESS_MEAN = 0.555;
const STREAM = { flicker: 21, heatPump: 22 };
/** A compressor that was started runs for so long, and one that was stopped rests for so long. */
const LEAST_ON_MS = 600_000;
const LEAST_OFF_MS = 300_000;
/** It runs once in so long: where little is needed just about as long as it must. */
const TURN_MS = 7_200_000;

/** Consumption of a plant without its charging pile. */
export class Consumption {
  readonly #profile: LoadProfile;
  readonly #seed: number;
  readonly #scaleW: number;
  readonly #applianceScale: number;
  readonly #heatPumpW: number;
  #day = Number.NaN;
  #appliances: Appliance[] = [];

  constructor(profile: LoadProfile, seed: number, heatPumpW: number) {
    this.#profile = profile;
    this.#seed = seed;
    this.#heatPumpW = heatPumpW;
    const meanW = (profile.annualKwh * 1000) / HOURS_PER_YEAR;
    const isHousehold = profile.profile === 'household';
    const applianceW = isHousehold ? Math.min(HOUSEHOLD_APPLIANCE_WH / 24, meanW * 0.4) : 0;
    this.#applianceScale = isHousehold ? applianceW / (HOUSEHOLD_APPLIANCE_WH / 24) : 0;
    const businessMean = (BUSINESS_MEAN * (6 + profile.sundayPercent / 100)) / 7;
    this.#scaleW = (meanW - applianceW) / (isHousehold ? HOUSEHOLD_MEAN : businessMean);
  }

  /** Power of everything but the heat pump, W. */
  baseW(tsMs: number, day: number, minute: number): number {
    const flicker = 1 + 0.07 * wanderAt(this.#seed, STREAM.flicker, tsMs / 90_000);
    if (this.#profile.profile === 'business') return this.#scaleW * this.#businessShape(day, minute) * flicker;
    let powerW = this.#scaleW * householdShape(day, minute) * flicker;
    for (const each of this.#appliancesOf(day)) {
      if (minute >= each.startMin && minute < each.endMin) powerW += each.powerW * this.#applianceScale;
    }
    return powerW;
  }

  /** Power of the heat pump, W: it runs for part of each two hours by the cold, and longer where surplus is offered. */
  heatPumpW(state: HeatPumpState, tsMs: number, ambientC: number, isSurplusOffered: boolean): number {
    if (this.#heatPumpW === 0) return 0;
    const demand = Math.min(1, Math.max(0.08, (16 - ambientC) / 24) + (isSurplusOffered ? 0.35 : 0));
    const turn = Math.floor(tsMs / TURN_MS);
    const phase = tsMs / TURN_MS - turn;
    const start = uniformAt(this.#seed, STREAM.heatPump, turn) * (1 - demand);
    const isWanted = phase >= start && phase < start + demand;
    if (isWanted !== state.isOn && tsMs - state.sinceMs >= (state.isOn ? LEAST_ON_MS : LEAST_OFF_MS)) {
      state.isOn = isWanted;
      state.sinceMs = tsMs;
    }
    return state.isOn ? this.#heatPumpW * (0.9 + 0.1 * (ambientC < 0 ? 1 : 0)) : 0;
  }

  #businessShape(day: number, minute: number): number {
    const hour = minute / 60;
    const rise = 1 / (1 + Math.exp(-(hour - 6.5) * 2.2));
    const fall = 1 / (1 + Math.exp((hour - 18) * 1.6));
    const lunch = 1 - 0.18 * Math.exp(-((hour - 12.5) ** 2) / 0.5);
    const working = 0.16 + 0.84 * rise * fall * lunch;
    return weekday(day) === 6 ? working * (this.#profile.sundayPercent / 100) : working;
  }

  #appliancesOf(day: number): Appliance[] {
    if (day !== this.#day) {
      this.#day = day;
      this.#appliances = drawAppliances(new Random(seedFromText(`appliances ${this.#seed} ${day}`)), day);
    }
    return this.#appliances;
  }
}

function householdShape(day: number, minute: number): number {
  const hour = minute / 60;
  const isWeekend = weekday(day) >= 5;
  const morning = (isWeekend ? 0.5 : 0.8) * Math.exp(-((hour - (isWeekend ? 9 : 7.5)) ** 2) / 2);
  const midday = (isWeekend ? 0.7 : 0.25) * Math.exp(-((hour - 12.8) ** 2) / 3);
  const evening = 1.4 * Math.exp(-((hour - 19) ** 2) / 6);
  return 0.48 + morning + midday + evening;
}

function drawAppliances(random: Random, day: number): Appliance[] {
  const list: Appliance[] = [];
  const add = (startMin: number, minutes: number, powerW: number) =>
    list.push({ startMin, endMin: startMin + minutes, powerW });
  for (let cup = random.integer(3) + 2; cup > 0; cup -= 1) add(random.between(390, 1290), 3, 2000);
  if (random.chance(0.55)) add(random.normal(1110, 30), random.between(25, 60), 2100);
  if (weekday(day) >= 5 && random.chance(0.6)) add(random.normal(735, 25), 50, 2200);
  if (random.chance(0.6)) {
    const start = random.between(780, 1260);
    add(start, 22, 1900);
    add(start + 70, 18, 1800);
  }
  if (random.chance(0.4)) add(random.between(540, 1020), 30, 2000);
  return list;
}

/** The charging session that begins on a day, undefined where none does. */
export function chargeSession(charger: FleetCharger, seed: number, day: number): ChargeSession | undefined {
  const random = new Random(seedFromText(`charge ${seed} ${charger.sn} ${day}`));
  if (!random.chance(charger.params.sessionsPerWeek / 7)) return undefined;
  const isWeekend = weekday(day) >= 5;
  const energyWh = charger.params.sessionKwh * 1000 * random.between(0.5, 1.4);
  return {
    startMin: isWeekend ? random.between(600, 780) : random.between(990, 1110),
    powerW: Math.min(
      charger.ratedPowerW,
      isWeekend ? charger.ratedPowerW * 0.4 : charger.ratedPowerW * random.between(0.6, 0.98),
    ),
    energyWh,
    vehicleSocPercent: random.between(25, 60),
  };
}
