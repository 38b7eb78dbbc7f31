import {
  encodeFaultRecord,
  type FaultRecord,
  type RecordRegister,
  type RecordTrigger,
} from '@sonnenwarte/device-protocol/fault-records/fault-record';
import type { ListedRecord } from '@sonnenwarte/device-protocol/fault-records/record-parts';
import type { ActiveAlarm } from '@sonnenwarte/device-protocol/points/alarms';
import type { FleetInverter } from '../fleet.ts';
import type { Plant } from '../plant/plant.ts';
import { activeAlarms } from './alarm-list.ts';
import { faultWaves, WAVE_BEFORE, WAVE_RATE_HZ } from './fault-waves.ts';
import { type Reading, readDevice } from './readings.ts';

const MOST_KEPT = 20;
/** Alarms of the inverter itself around which it records. */
const RECORDED = new Set([1001, 1002, 1003, 1004, 1005, 2001, 2003, 2007, 3003, 3005]);
/** A report after the beginning still has the values of then; what has stood for longer is not recorded. */
const NOTICED_WITHIN_MS = 10 * 60_000;
const COUNTS_FROM_MS = Date.UTC(2020, 0, 1);
const INDEX_MS = 60_000;

/** Quantities that the fault itself moves: of the others the snapshot has what was before it. */
const MOVED = /^(?:AC\/L\d\/Voltage|AC\/Frequency|DC\/InsulationResistance|Arc\/|Temp\/|Fan\/|State\/GridRelay)/;
/** Counters and ratings say nothing of a fault. */
const LEFT_OUT = /^(?:Energy|Rating|Load)\//;

/** The fault records that one inverter keeps, the newest twenty. */
export class FaultRecorder {
  readonly #device: FleetInverter;
  readonly #seen = new Set<string>();
  readonly #before = new WeakMap<Plant, Reading>();
  #records: { record: FaultRecord; bytes: Uint8Array }[] = [];

  constructor(device: FleetInverter) {
    this.#device = device;
  }

  /** Looks at a computation of its plant: a fault that has begun is recorded, with what was before it. */
  note(plant: Plant): void {
    const begun = activeAlarms(plant, this.#device).filter(
      (alarm) =>
        RECORDED.has(alarm.code) &&
        !this.#seen.has(keyOf(alarm)) &&
        plant.tsMs - alarm.sinceMs <= NOTICED_WITHIN_MS &&
        (alarm.code !== 3003 || plant.faults.has(this.#device.sn, 'over-temperature', plant.tsMs)),
    );
    const now = readDevice(plant, this.#device);
    for (const alarm of begun) {
      this.#seen.add(keyOf(alarm));
      this.#record(plant, alarm, this.#before.get(plant) ?? now, now);
    }
    if (activeAlarms(plant, this.#device).length === 0) this.#before.set(plant, now);
  }

  get newest(): number {
    return this.#records.at(-1)?.record.index ?? 0;
  }

  list(): ListedRecord[] {
    return this.#records.map(({ record: { index, timeMs, code }, bytes }) => ({
      index,
      timeMs,
      code,
      size: bytes.length,
    }));
  }

  bytesOf(index: number): Uint8Array | undefined {
    return this.#records.find(({ record }) => record.index === index)?.bytes;
  }

  #record(plant: Plant, { code, sinceMs }: ActiveAlarm, before: Reading, now: Reading): void {
    const korean = plant.plant.country === 'KR';
    const nominalHz = korean ? 60 : 50;
    const nominalV = korean ? 220 : 230;
    const limits = limitsOf(nominalV, nominalHz);
    const moment = momentOf(before, now, code);
    const { phases } = this.#device.params;
    let index = Math.floor((sinceMs - COUNTS_FROM_MS) / INDEX_MS);
    while (this.#records.some(({ record }) => record.index === index)) index += 1;
    const trigger = triggerOf(code, moment, limits);
    const record: FaultRecord = {
      index,
      timeMs: Math.round(sinceMs),
      code,
      trigger,
      rateHz: WAVE_RATE_HZ,
      before: WAVE_BEFORE,
      nominalHz,
      registers: registersOf(moment, limits),
      channels: faultWaves({
        code,
        phases,
        nominalV,
        nominalHz,
        currentA: numberOf(before['AC/L1/Current']),
        busV: numberOf(before['DC/BusVoltage']),
        leakageMa: numberOf(before['DC/LeakageCurrent']),
        trigger,
        seed: index + plant.plant.seed,
      }),
    };
    this.#records.push({ record, bytes: encodeFaultRecord(record) });
    this.#records.sort((a, b) => a.record.index - b.record.index);
    this.#records = this.#records.slice(-MOST_KEPT);
  }
}

const keyOf = ({ code, sinceMs }: ActiveAlarm): string => `${code}:${sinceMs}`;
const numberOf = (value: Reading[string] | undefined): number => (typeof value === 'number' ? value : 0);

type Limits = Readonly<Record<string, { readonly low?: number; readonly high?: number }>>;

const limitsOf = (nominalV: number, nominalHz: number): Limits => {
  const voltage = { low: Math.round(0.8 * nominalV), high: Math.round(1.1 * nominalV) };
  return {
    'AC/L1/Voltage': voltage,
    'AC/L2/Voltage': voltage,
    'AC/L3/Voltage': voltage,
    'AC/Frequency': { low: nominalHz - 2.5, high: nominalHz + 0.2 },
    'DC/InsulationResistance': { low: 200 },
    'DC/LeakageCurrent': { high: 300 },
    'Arc/SignalStrength': { high: 200 },
    'Temp/Heatsink': { high: 75 },
  };
};

/** What it measured at the moment: what the fault moves as it is now, all else as before it. */
function momentOf(before: Reading, now: Reading, code: number): Reading {
  const moved = Object.entries(now).filter(([name]) => MOVED.test(name));
  const moment: Reading = { ...before, ...Object.fromEntries(moved) };
  if (code === 1005) for (const name of Object.keys(moment)) if (/^AC\/L\d+\/Voltage$/.test(name)) moment[name] = 0;
  return moment;
}

const triggers: Readonly<Record<number, readonly [name: string, limit: 'low' | 'high']>> = {
  1001: ['AC/L1/Voltage', 'high'],
  1002: ['AC/L1/Voltage', 'low'],
  1003: ['AC/Frequency', 'high'],
  1004: ['AC/Frequency', 'low'],
  1005: ['AC/L1/Voltage', 'low'],
  2001: ['DC/InsulationResistance', 'low'],
  2003: ['Arc/SignalStrength', 'high'],
  3003: ['Temp/Heatsink', 'high'],
};

function triggerOf(code: number, moment: Reading, limits: Limits): RecordTrigger | undefined {
  const [name, side] = triggers[code] ?? [];
  const limit = name === undefined || side === undefined ? undefined : limits[name]?.[side];
  if (name === undefined || limit === undefined) return undefined;
  return { name, value: rounded(numberOf(moment[name])), limit };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function registersOf(moment: Reading, limits: Limits): RecordRegister[] {
  return Object.entries(moment)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => ({
      name,
      value: typeof value === 'number' ? rounded(value) : value,
      ...(typeof value === 'number' ? limits[name] : undefined),
    }));
}
