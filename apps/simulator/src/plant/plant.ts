import { inverterOutput } from '@sonnenwarte/energy/physics/inverter';
import type { FaultBoard } from '../faults.ts';
import type { FleetCharger, FleetDevice, FleetMeter, FleetPlant, PlantSettings, WorkMode } from '../fleet.ts';
import { arrayDcW, type PlaneConditions, planeConditions } from './array.ts';
import { Consumption, chargeSession } from './consumption.ts';
import { wantedBatteryW } from './dispatch.ts';
import { Derating, InverterUnit } from './inverter-unit.ts';
import { LocalClock } from './local-time.ts';
import { wanderAt } from './noise.ts';
import { initialState, type PlantState } from './state.ts';
import { StorageUnit } from './storage-unit.ts';
import { type Conditions, Weather } from './weather.ts';

/** Powers at the AC bus, W: `pv + external + battery + grid = load + charger`. */
export interface PlantPowers {
  pvW: number;
  externalW: number;
  batteryW: number;
  gridW: number;
  loadW: number;
  chargerW: number;
}

/** Grid at the plant; `isPresent` false while it is lost. */
export interface GridReading {
  isPresent: boolean;
  voltageV: number;
  frequencyHz: number;
}

interface ExternalUnit {
  device: FleetMeter;
  array: number;
  ratedPowerW: number;
  powerW: number;
}

interface ChargerUnit {
  device: FleetCharger;
  powerW: number;
  vehicleSocPercent: number;
  isPlugged: boolean;
}

const STEP_MS = 60_000;
const YEAR_MS = 365.25 * 86_400_000;
const STREAM = { voltage: 41, frequency: 42 };
const SURPLUS_FOR_HEAT_PUMP_W = 1500;
const VOLTAGE_RISE_V = 3;
const VEHICLE_WH = 58_000;

/** A plant that is computed forward in steps. The same seed and times give the same series. */
export class Plant {
  readonly plant: FleetPlant;
  readonly state: PlantState;
  readonly clock: LocalClock;
  readonly faults: FaultBoard;
  readonly settings: PlantSettings;
  workMode: WorkMode;
  readonly inverters: readonly InverterUnit[];
  readonly storages: readonly StorageUnit[];
  readonly externals: readonly ExternalUnit[];
  readonly chargers: readonly ChargerUnit[];
  powers: PlantPowers = { pvW: 0, externalW: 0, batteryW: 0, gridW: 0, loadW: 0, chargerW: 0 };
  grid: GridReading;
  conditions: Conditions;
  planes: PlaneConditions[] = [];
  heatPumpW = 0;
  isSurplusOffered = false;
  /** What vehicles may draw, by the serial numbers of piles that somebody controls, W. */
  readonly offersW = new Map<string, number>();
  /** Load that islanded operation could not carry, W. */
  unservedW = 0;
  readonly #weather: Weather;
  readonly #consumption: Consumption;
  readonly #startYearMs: number;
  readonly #nominalV: number;
  readonly #nominalHz: number;
  readonly #gridMeterSn: string | undefined;
  readonly #stepMs: number;

  /** @param stepMs longest step: the minute of what is watched closely, more for what is long past. */
  constructor(plant: FleetPlant, startMs: number, faults: FaultBoard, saved?: PlantState, stepMs = STEP_MS) {
    this.plant = plant;
    this.#stepMs = stepMs;
    this.faults = faults;
    this.clock = new LocalClock(plant.timeZone);
    const { climate } = plant;
    this.state =
      saved === undefined ? initialState(plant, climate, startMs, this.clock.day(startMs)) : structuredClone(saved);
    this.settings = structuredClone(plant.settings);
    this.workMode = plant.workMode;
    const { latitude, longitude, altitudeM, seed, region } = plant;
    const place = { latitude, longitude, altitudeM, seed, climate, ...(region !== undefined && { region }) };
    this.#weather = new Weather(place, this.state.tsMs, saved?.clouds);
    this.#startYearMs = Date.parse(plant.commissionedOn);
    this.#nominalV = plant.country === 'KR' ? 220 : 230;
    this.#nominalHz = plant.country === 'KR' ? 60 : 50;
    const devices: FleetDevice[] = plant.loggers.flatMap((datalogger) => datalogger.devices);
    const fresh = initialState(plant, climate, startMs, this.state.localDay);
    // Files of before do not tell of it.
    this.state.heatPump ??= fresh.heatPump;
    const heatPumpW = devices.reduce((sum, each) => sum + (each.kind === 'gateway' ? each.params.heatPumpW : 0), 0);
    this.#consumption = new Consumption(plant.load, seed, plant.load.heatPump ? heatPumpW : 0);
    this.#gridMeterSn = devices.find((each) => each.kind === 'meter' && each.role === 'grid')?.sn;
    this.inverters = devices.flatMap((device) =>
      device.kind === 'inverter'
        ? [new InverterUnit(device, entry(this.state.inverters, fresh.inverters, device.sn), faults)]
        : [],
    );
    this.storages = devices.flatMap((device) =>
      device.kind === 'battery'
        ? [new StorageUnit(device, entry(this.state.batteries, fresh.batteries, device.sn), faults)]
        : [],
    );
    this.externals = devices.flatMap((device) => {
      if (device.kind !== 'meter' || device.params.array === undefined) return [];
      entry(this.state.externals, fresh.externals, device.sn);
      const ratedPowerW = device.params.ratedPowerW ?? (plant.arrays[device.params.array]?.kwp ?? 0) * 1000;
      return [{ device, array: device.params.array, ratedPowerW, powerW: 0 }];
    });
    this.chargers = devices.flatMap((device) => {
      if (device.kind !== 'pile') return [];
      entry(this.state.piles, fresh.piles, device.sn);
      return [{ device, powerW: 0, vehicleSocPercent: 50, isPlugged: false }];
    });
    this.conditions = this.#weather.at(this.state.tsMs);
    this.state.clouds = { ...this.#weather.state };
    this.planes = plant.arrays.map((array) => planeConditions(array, this.conditions));
    this.grid = this.#gridAt(this.state.tsMs, 0);
  }

  get tsMs(): number {
    return this.state.tsMs;
  }

  /** Computes the plant forward to a time; earlier times change nothing. */
  advanceTo(tsMs: number): void {
    while (this.state.tsMs < tsMs) {
      const nextMs = (Math.floor(this.state.tsMs / this.#stepMs) + 1) * this.#stepMs;
      this.#step(Math.min(nextMs, tsMs));
    }
    this.state.clouds = { ...this.#weather.state };
  }

  #step(endMs: number): void {
    const { state, plant, settings } = this;
    const startMs = state.tsMs;
    const durationMs = endMs - startMs;
    const middleMs = startMs + durationMs / 2;
    const day = this.clock.day(middleMs);
    if (day !== state.localDay) this.#newDay(day);
    const minute = this.clock.minuteOfDay(middleMs);
    const conditions = this.#weather.at(middleMs);
    this.conditions = conditions;
    this.planes = plant.arrays.map((array) => planeConditions(array, conditions));
    const ageYears = Math.max(0, (middleMs - this.#startYearMs) / YEAR_MS);
    this.grid = this.#gridAt(middleMs, this.powers.gridW);
    for (const unit of this.inverters) {
      unit.offer(middleMs, this.planes, conditions.solarHour, ageYears, this.grid.frequencyHz - this.#nominalHz);
    }
    for (const unit of this.externals) {
      const plane = this.planes[unit.array];
      const dcW = plane === undefined ? 0 : arrayDcW(plant.arrays[unit.array]?.kwp ?? 0, plane, ageYears);
      unit.powerW = this.grid.isPresent ? inverterOutput(dcW, unit.ratedPowerW).acW : 0;
    }
    const externalW = sum(this.externals, (unit) => unit.powerW);
    const offeredW = sum(this.inverters, (unit) => unit.pvAcW);
    // What the heat pump takes itself is part of the surplus that it is offered.
    const besideW = this.powers.loadW - this.heatPumpW;
    this.isSurplusOffered = offeredW + externalW - besideW > SURPLUS_FOR_HEAT_PUMP_W;
    this.heatPumpW = this.#consumption.heatPumpW(state.heatPump, middleMs, conditions.ambientC, this.isSurplusOffered);
    let loadW = this.#consumption.baseW(middleMs, day, minute) + this.heatPumpW;
    const chargerW = this.grid.isPresent ? this.#charge(middleMs, day, minute, durationMs) : this.#chargeNothing();
    const minSocPercent = this.grid.isPresent ? settings.minSocPercent : 0;
    const wantedW = this.#wantedBatteryW(offeredW + externalW - loadW - chargerW, middleMs, day, minute);
    const batteryW = this.#runStorages(wantedW, middleMs, durationMs, conditions.ambientC, minSocPercent);
    let gridW = loadW + chargerW - offeredW - externalW - batteryW;
    if (this.grid.isPresent) gridW += this.#throttleExport(-gridW, middleMs);
    else {
      const shedW = Math.max(0, gridW);
      this.unservedW = shedW;
      loadW -= shedW;
      this.#throttleBy(Math.max(0, -gridW), Derating.exportLimit);
      gridW = 0;
    }
    const pvW = sum(this.inverters, (unit) => unit.pvAcW);
    if (this.grid.isPresent) this.unservedW = 0;
    else loadW = pvW + externalW + batteryW - chargerW;
    this.powers = { pvW, externalW, batteryW, gridW, loadW, chargerW };
    const epsW = this.grid.isPresent ? 0 : loadW;
    this.inverters.forEach((unit, index) => {
      const own = sum(this.storages, (storage) =>
        storage.device.params.inverter === unit.device.sn ? storage.powerW : 0,
      );
      unit.settle(own, index === 0 ? epsW : 0, conditions.ambientC, durationMs, middleMs);
      const isReset =
        this.faults.happened(unit.device.sn, 'counter-reset', startMs, endMs) ||
        this.faults.happened(unit.device.sn, 'device-replaced', startMs, endMs);
      if (isReset) resetCounters(unit);
    });
    this.#count(durationMs / 3_600_000);
    state.tsMs = endMs;
  }

  #wantedBatteryW(surplusW: number, tsMs: number, localDay: number, localMinute: number): number {
    if (this.storages.length === 0) return 0;
    const { settings } = this;
    if (!this.grid.isPresent) return -surplusW;
    const limits = this.storages.map((unit) => unit.limits(tsMs, settings.minSocPercent));
    const capacityWh = sum(this.storages, (unit) => unit.device.capacityWh);
    return wantedBatteryW({
      mode: this.workMode,
      settings,
      surplusW,
      socPercent: sum(this.storages, (unit) => unit.socPercent * unit.device.capacityWh) / capacityWh,
      chargeLimitW: sum(limits, (limit) => limit.chargeW),
      dischargeLimitW: sum(limits, (limit) => limit.dischargeW),
      ratedW: sum(this.inverters, (unit) => unit.device.ratedPowerW),
      localDay,
      localMinute,
    });
  }

  /** Shares the wanted power among the batteries by what each can do; returns what flowed in all. */
  #runStorages(wantedW: number, tsMs: number, durationMs: number, ambientC: number, minSocPercent: number): number {
    const rooms = this.storages.map((unit) => {
      const limits = unit.limits(tsMs, minSocPercent);
      const room = this.inverters.find((each) => each.device.sn === unit.device.params.inverter)?.batteryRoomW;
      return wantedW > 0
        ? Math.min(limits.dischargeW, room?.dischargeW ?? 0)
        : Math.min(limits.chargeW, room?.chargeW ?? 0);
    });
    const roomW = sum(rooms, (each) => each);
    const share = roomW > 0 ? Math.min(1, Math.abs(wantedW) / roomW) : 0;
    const sign = Math.sign(wantedW);
    return sum(this.storages, (unit, index) =>
      unit.step(sign * share * (rooms[index] ?? 0), durationMs, ambientC, minSocPercent),
    );
  }

  /** Keeps the export limit; returns by how much PV was throttled, W. */
  #throttleExport(exportW: number, tsMs: number): number {
    const isMeterLost = this.#gridMeterSn !== undefined && this.faults.has(this.#gridMeterSn, 'meter-lost', tsMs);
    const limitW = isMeterLost ? 0 : this.settings.exportLimitW;
    if (limitW === null || exportW <= limitW) return 0;
    return this.#throttleBy(exportW - limitW, Derating.exportLimit);
  }

  #throttleBy(excessW: number, cause: number): number {
    const pvW = sum(this.inverters, (unit) => unit.pvAcW);
    if (excessW <= 0 || pvW <= 0) return 0;
    const keep = Math.max(0, 1 - excessW / pvW);
    for (const unit of this.inverters) unit.throttle(unit.pvAcW * keep, cause);
    return pvW - sum(this.inverters, (unit) => unit.pvAcW);
  }

  #charge(tsMs: number, day: number, minute: number, durationMs: number): number {
    for (const charger of this.chargers) {
      const state = this.state.piles[charger.device.sn];
      if (state === undefined) continue;
      const session = chargeSession(charger.device, this.plant.seed, day);
      const isStarted = session !== undefined && minute >= session.startMin;
      charger.isPlugged = isStarted;
      charger.powerW = 0;
      if (session === undefined || !isStarted) continue;
      if (state.sessionDay !== day) {
        state.sessionDay = day;
        state.sessionWh = 0;
      }
      const leftWh = session.energyWh - state.sessionWh;
      charger.vehicleSocPercent = Math.min(100, session.vehicleSocPercent + (100 * state.sessionWh) / VEHICLE_WH);
      if (leftWh <= 1 || this.faults.has(charger.device.sn, 'pile-fault', tsMs)) continue;
      const wantedW = Math.min(session.powerW, this.offersW.get(charger.device.sn) ?? session.powerW);
      charger.powerW = Math.min(wantedW, (leftWh * 3_600_000) / durationMs);
      const energyWh = (charger.powerW * durationMs) / 3_600_000;
      state.sessionWh += energyWh;
      state.energyWh += energyWh;
    }
    return sum(this.chargers, (charger) => charger.powerW);
  }

  #chargeNothing(): number {
    for (const charger of this.chargers) charger.powerW = 0;
    return 0;
  }

  #gridAt(tsMs: number, gridW: number): GridReading {
    const { seed } = this.plant;
    const ratedW = this.plant.ratedPowerW;
    const is = (name: Parameters<FaultBoard['has']>[1]) =>
      this.inverters.some((unit) => this.faults.has(unit.device.sn, name, tsMs));
    const exportShare = Math.max(0, -gridW) / ratedW;
    const wander = wanderAt(seed, STREAM.voltage, tsMs / 300_000);
    let voltageV = this.#nominalV + 1.5 * wander + VOLTAGE_RISE_V * exportShare;
    let frequencyHz = this.#nominalHz + 0.02 * wanderAt(seed, STREAM.frequency, tsMs / 60_000);
    if (is('grid-over-voltage')) voltageV += 26;
    if (is('grid-under-voltage')) voltageV -= 48;
    if (is('grid-over-frequency')) frequencyHz += 0.9;
    return { isPresent: !is('grid-lost'), voltageV, frequencyHz };
  }

  #newDay(day: number): void {
    const { state } = this;
    state.localDay = day;
    for (const each of Object.values(state.inverters)) {
      each.pvTodayWh = 0;
      each.acOutTodayWh = 0;
    }
    for (const each of Object.values(state.batteries)) {
      each.chargeTodayWh = 0;
      each.dischargeTodayWh = 0;
    }
    for (const each of Object.values(state.externals)) each.todayWh = 0;
    state.loadTodayWh = 0;
    state.importTodayWh = 0;
    state.exportTodayWh = 0;
  }

  #count(hours: number): void {
    const { state, powers } = this;
    const isReversed =
      this.#gridMeterSn !== undefined && this.faults.has(this.#gridMeterSn, 'meter-ct-reversed', this.tsMs);
    const meteredW = isReversed ? -powers.gridW : powers.gridW;
    const importWh = Math.max(0, meteredW) * hours;
    const exportWh = Math.max(0, -meteredW) * hours;
    state.loadWh += powers.loadW * hours;
    state.loadTodayWh += powers.loadW * hours;
    state.importWh += importWh;
    state.importTodayWh += importWh;
    state.exportWh += exportWh;
    state.exportTodayWh += exportWh;
    for (const unit of this.externals) {
      const external = state.externals[unit.device.sn];
      if (external === undefined) continue;
      external.energyWh += unit.powerW * hours;
      external.todayWh += unit.powerW * hours;
    }
  }
}

function resetCounters({ state }: InverterUnit): void {
  state.pvWh = 0;
  state.acOutWh = 0;
  state.acInWh = 0;
  state.epsWh = 0;
  state.operatingHours = 0;
}

/** The saved state of a device, or a fresh one where the fleet has grown since. */
function entry<T>(saved: Record<string, T>, fresh: Record<string, T>, sn: string): T {
  const found = saved[sn] ?? fresh[sn];
  if (found === undefined) throw new Error(`no state for device ${sn}`);
  saved[sn] = found;
  return found;
}

function sum<T>(items: readonly T[], value: (item: T, index: number) => number): number {
  let total = 0;
  for (let index = 0; index < items.length; index += 1) total += value(items[index] as T, index);
  return total;
}
