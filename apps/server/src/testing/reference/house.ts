import type { ReferenceDevice, Telling } from './device-reckoning.ts';

const STEP_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Steps of five minutes in which one watt-hour is this power, W. */
const WATTS = 12;

export interface HouseDevice extends ReferenceDevice {
  readonly tellings: readonly Telling[];
}

export interface HouseOptions {
  readonly firstMs: number;
  readonly steps: number;
  readonly seed?: number;
  /** Steps between two reports. */
  readonly every?: number;
  /** How long after the edge of a bucket devices report. */
  readonly lagMs?: number;
  readonly parts?: readonly ('battery' | 'meter' | 'pile')[];
}

/** A row of numbers from 0 to 1 that is the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Whole watt-hours of one step of five minutes. */
interface Step {
  pv: number;
  acOut: number;
  acIn: number;
  charge: number;
  discharge: number;
  imported: number;
  exported: number;
  charger: number;
}

const FULL_WH = 5_000;

/** A house with a roof of 7 kWp, a battery of 5 kWh and a car, of whole watt-hours in each five minutes. */
function* lived({ firstMs, steps, seed = 1, parts = [] }: HouseOptions): Generator<Step> {
  const next = dice(seed);
  let stored = FULL_WH / 2;
  let clouds = 0.7;
  for (let step = 0; step < steps; step += 1) {
    const hour = (((firstMs + step * STEP_MS) % (24 * HOUR_MS)) + 0) / HOUR_MS;
    if (step % 36 === 0) clouds = 0.15 + 0.85 * next();
    const pv = Math.floor(580 * clouds * Math.max(0, Math.sin((Math.PI * (hour - 5)) / 14)));
    const load = 15 + Math.floor(40 * next()) + (hour > 16 && hour < 20 ? 60 : 0);
    const charger = parts.includes('pile') && hour >= 18 && hour < 20 && step % 600 < 300 ? 300 : 0;
    const hasBattery = parts.includes('battery');
    const surplus = Math.floor(pv * 0.97) - load - charger;
    const charge = hasBattery ? Math.max(0, Math.min(surplus, 200, FULL_WH - stored)) : 0;
    const discharge = hasBattery ? Math.max(0, Math.min(-surplus, 200, stored)) : 0;
    stored += charge - discharge;
    const lost = Math.floor(0.03 * (pv + discharge));
    const ac = pv === 0 && discharge === 0 ? -1 : pv + discharge - charge - lost;
    const grid = load + charger - ac;
    yield {
      pv,
      charge,
      discharge,
      charger,
      acOut: Math.max(0, ac),
      acIn: Math.max(0, -ac),
      imported: Math.max(0, grid),
      exported: Math.max(0, -grid),
    };
  }
}

const kwh = (wh: number): number => wh / 1_000;

/** What the lifetime counters stand at in the beginning, Wh: the house had used 3,810 kWh. */
const BEFORE: Step = {
  pv: 5_000_000,
  acOut: 4_800_000,
  acIn: 10_000,
  charge: 900_000,
  discharge: 820_000,
  imported: 2_000_000,
  exported: 3_000_000,
  charger: 0,
};

export const RATED_W = 8_000;

/** The devices of a house and all that they tell when nothing is wrong with them. */
export function liveIn(options: HouseOptions, name: string): HouseDevice[] {
  const { firstMs, every = 1, lagMs = 0, parts = [] } = options;
  const stands = { ...BEFORE };
  const inverter: Telling[] = [];
  const battery: Telling[] = [];
  const meter: Telling[] = [];
  const pile: Telling[] = [];
  let index = 0;
  const tell = (now: Step) => {
    const tsMs = firstMs + index * STEP_MS + lagMs;
    inverter.push({
      tsMs,
      values: {
        'Energy/PvTotal': kwh(stands.pv),
        'Energy/AcOutTotal': kwh(stands.acOut),
        'Energy/AcInTotal': kwh(stands.acIn),
        'DC/Power': WATTS * now.pv,
        'AC/ActivePower': WATTS * (now.acOut - now.acIn),
        'Rating/ActivePower': RATED_W,
      },
    });
    battery.push({
      tsMs,
      values: {
        'Bat/ChargeTotal': kwh(stands.charge),
        'Bat/DischargeTotal': kwh(stands.discharge),
        'Bat/Power': WATTS * (now.discharge - now.charge),
      },
    });
    meter.push({
      tsMs,
      values: {
        'Meter/ImportTotal': kwh(stands.imported),
        'Meter/ExportTotal': kwh(stands.exported),
        'Meter/ActivePower': WATTS * (now.imported - now.exported),
      },
    });
    pile.push({ tsMs, values: { 'Pile/EnergyTotal': kwh(stands.charger), 'Pile/Power': WATTS * now.charger } });
  };
  for (const step of lived(options)) {
    if (index % every === 0) tell(step);
    for (const port of Object.keys(stands) as (keyof Step)[]) stands[port] += step[port];
    index += 1;
  }
  const devices: HouseDevice[] = [{ sn: `${name}-I`, kind: 'inverter', ratedW: RATED_W, tellings: inverter }];
  if (parts.includes('battery')) devices.push({ sn: `${name}-B`, kind: 'battery', tellings: battery });
  if (parts.includes('meter')) devices.push({ sn: `${name}-M`, kind: 'meter', role: 'grid', tellings: meter });
  if (parts.includes('pile')) devices.push({ sn: `${name}-P`, kind: 'pile', tellings: pile });
  return devices;
}
