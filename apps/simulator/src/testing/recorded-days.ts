import {
  clearnessOf,
  type ExpectedDay,
  expectedDay,
  type PlantModel,
  SkyCache,
} from '@sonnenwarte/energy/insight/expected-power';
import type { PeerReference } from '@sonnenwarte/energy/insight/peers';
import { type AlarmSpan, BUCKET_MS, type InverterDay, type PlantDay } from '@sonnenwarte/energy/insight/plant-day';
import type { PlantProfile } from '@sonnenwarte/energy/insight/profile';
import { activeAlarms } from '../edge/alarm-list.ts';
import type { FaultBoard } from '../faults.ts';
import type { FleetPlant } from '../fleet.ts';
import { Plant } from '../plant/plant.ts';

export const DAY_BUCKETS = 288;
export const DAY_MS = DAY_BUCKETS * BUCKET_MS;

/** What a portal hears of a plant on a day, and what the plant gave in truth. */
export interface RecordedDay {
  told: Omit<PlantDay, 'expected' | 'neighbours' | 'profile'>;
  pvWh: number;
  /** What the arrays offered and the inverters did not take, at the AC bus. */
  heldBackWh: number;
}

/** Conversion at a good load. */
const TO_AC = 0.96;
const skies = new SkyCache();

export function modelOf({ latitude, longitude, altitudeM, arrays, commissionedOn, ...plant }: FleetPlant): PlantModel {
  const inverters = plant.loggers.flatMap(({ devices }) => devices.filter(({ kind }) => kind === 'inverter'));
  return {
    place: { latitude, longitude, altitudeM },
    arrays: arrays.map(({ kwp, inclinationDeg, azimuthDeg }) => ({
      ratedW: kwp * 1000,
      tiltDeg: inclinationDeg,
      azimuthDeg,
    })),
    ratedAcW: inverters.reduce((sum, { ratedPowerW = 0 }) => sum + ratedPowerW, 0),
    commissionedMs: Date.parse(commissionedOn),
  };
}

export function expectedOf(plant: FleetPlant, dayMs: number): ExpectedDay {
  const model = modelOf(plant);
  const expected = expectedDay(model, skies.of(model.place, dayMs, DAY_BUCKETS));
  if (expected === null) throw new Error(`plant ${plant.key} has no arrays`);
  return expected;
}

/** Runs a healthy plant through a day: the light that its power tells, as its neighbours hear of it. */
export function clearnessOfDay(plant: Plant): Float64Array {
  const startMs = plant.tsMs;
  const pvW = Float64Array.from({ length: DAY_BUCKETS }, (_, at) => {
    plant.advanceTo(startMs + (at + 1) * BUCKET_MS);
    return plant.powers.pvW;
  });
  return clearnessOf(expectedOf(plant.plant, startMs), pvW);
}

export function judged(
  plant: FleetPlant,
  day: RecordedDay,
  neighbours: PeerReference | null,
  profile: PlantProfile | null,
): PlantDay {
  return { ...day.told, expected: expectedOf(plant, day.told.startMs), neighbours, profile };
}

/** Runs a plant through a day, in steps of five minutes, and writes down what its logger told of it. */
export function recordDay(plant: Plant, faults: FaultBoard): RecordedDay {
  const startMs = plant.tsMs;
  const described = plant.plant;
  const series = () => new Float64Array(DAY_BUCKETS).fill(Number.NaN);
  const day = {
    pvW: series(),
    gridW: series(),
    loadW: series(),
    batteryW: series(),
    socPercent: series(),
    ambientC: series(),
  };
  const inverters = plant.inverters.map((unit) => ({
    unit,
    heard: new Uint8Array(DAY_BUCKETS),
    acW: series(),
    dcW: series(),
    strings: unit.device.params.mppts.flatMap(({ strings }) => Array.from({ length: strings }, series)),
  }));
  const alarms = new Map<string, AlarmSpan>();
  const loggerSn = described.loggers[0]?.sn ?? '';
  const meterSn = described.loggers[0]?.devices.find(({ kind }) => kind === 'meter')?.sn ?? '';
  let trueW = 0;
  let heldBackW = 0;
  for (let at = 0; at < DAY_BUCKETS; at += 1) {
    plant.advanceTo(startMs + (at + 1) * BUCKET_MS);
    const nowMs = plant.tsMs - 1;
    const { pvW, gridW, loadW, batteryW } = plant.powers;
    trueW += pvW;
    for (const unit of plant.inverters) heldBackW += (unit.offeredDcW - unit.dcW) * TO_AC;
    if (faults.has(loggerSn, 'silent-logger', nowMs)) continue;
    day.pvW[at] = pvW;
    day.loadW[at] = loadW;
    if (!faults.has(meterSn, 'meter-lost', nowMs))
      day.gridW[at] = faults.has(meterSn, 'meter-ct-reversed', nowMs) ? -gridW : gridW;
    const [battery] = plant.storages;
    if (battery !== undefined && !faults.has(battery.device.sn, 'bms-lost', nowMs)) {
      day.batteryW[at] = batteryW;
      day.socPercent[at] = battery.socPercent;
    }
    for (const each of inverters) {
      each.heard[at] = 1;
      each.acW[at] = each.unit.acW;
      each.dcW[at] = each.unit.dcW;
      const powers = each.unit.mppts.flatMap(({ voltageV, stringsA }) =>
        stringsA.map((currentA) => currentA * voltageV),
      );
      each.strings.forEach((string, index) => {
        string[at] = powers[index] as number;
      });
    }
    noteAlarms(alarms, plant, at, startMs);
  }
  const [battery] = plant.storages;
  return {
    pvWh: (trueW * BUCKET_MS) / 3_600_000,
    heldBackWh: (heldBackW * BUCKET_MS) / 3_600_000,
    told: {
      startMs,
      kwp: described.systemSizeKwp,
      pvW: day.pvW,
      gridW: day.gridW,
      loadW: day.loadW,
      batteryW: day.batteryW,
      battery: battery === undefined ? null : { capacityWh: battery.device.capacityWh, socPercent: day.socPercent },
      inverters: inverters.map(({ unit, heard, acW, dcW, strings }): InverterDay => {
        // Which string lies where nobody tells a portal; only where all modules face the same way does it follow.
        const planes = unit.device.params.mppts.flatMap(({ array, kwp, strings: count }) =>
          Array.from({ length: count }, () =>
            described.arrays.length === 1 ? { array, kwp: kwp / count } : { array: null, kwp: null },
          ),
        );
        return {
          key: unit.device.sn,
          ratedAcW: unit.device.ratedPowerW,
          kwp: null,
          heard,
          acW,
          dcW,
          strings: planes.map((plane, index) => ({
            key: `String${index + 1}`,
            ...plane,
            powerW: strings[index] as Float64Array,
          })),
        };
      }),
      alarms: [...alarms.values()],
      exportLimitW: plant.settings.exportLimitW,
      sensor: null,
      ambientC: null,
    },
  };
}

function noteAlarms(alarms: Map<string, AlarmSpan>, plant: Plant, at: number, startMs: number): void {
  const fromMs = startMs + at * BUCKET_MS;
  for (const device of plant.plant.loggers.flatMap(({ devices }) => devices)) {
    for (const { code, level } of activeAlarms(plant, device)) {
      const key = `${device.sn} ${code}`;
      const known = [...alarms.entries()].filter(([name]) => name.startsWith(key)).at(-1)?.[1];
      if (known !== undefined && known.untilMs === fromMs) known.untilMs = fromMs + BUCKET_MS;
      else {
        const span: AlarmSpan = {
          device: device.sn,
          code,
          level: level as AlarmSpan['level'],
          fromMs,
          untilMs: fromMs + BUCKET_MS,
        };
        alarms.set(`${key} ${at}`, span);
      }
    }
  }
}

export function plantAt(described: FleetPlant, startMs: number, faults: FaultBoard): Plant {
  return new Plant(described, startMs, faults, undefined, BUCKET_MS);
}
