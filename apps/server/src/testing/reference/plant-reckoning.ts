import {
  type DeviceReckoning,
  type Kind,
  type Port,
  type ReferenceDevice,
  reckonDevice,
  type Telling,
} from './device-reckoning.ts';
import { flowsOf } from './flow-reckoning.ts';
import { WallClock } from './wall-clock.ts';

/** From a time on; prices in millionths of the currency per kWh, by minutes of the day from which they hold. */
export interface ReferenceTariff {
  readonly fromMs: number;
  readonly feedIn: PricesOfDay;
  readonly purchase: PricesOfDay;
}

export interface PricesOfDay {
  readonly weekday: readonly (readonly [fromMinute: number, microPrice: bigint])[];
  readonly weekend?: readonly (readonly [fromMinute: number, microPrice: bigint])[];
}

export interface ReferencePlant {
  readonly zone: string;
  readonly devices: readonly (ReferenceDevice & { readonly tellings: readonly Telling[] })[];
  readonly tariffs: readonly ReferenceTariff[];
}

/** Energies of a stretch of time, billionths of a watt-hour, by the names of the API; what is not known is not in it. */
export type Sums = Map<string, bigint>;

export interface PlantReckoning {
  readonly buckets: ReadonlyMap<number, Sums>;
  readonly hours: ReadonlyMap<string, Sums>;
  readonly days: ReadonlyMap<string, Sums>;
  readonly months: ReadonlyMap<string, Sums>;
  readonly years: ReadonlyMap<string, Sums>;
  /** What the counters had counted before, by port. */
  readonly openings: ReadonlyMap<Port, bigint>;
}

/** Whose word counts for a port, the first kind that knows it. */
const ASKED: Readonly<Record<Port, readonly (readonly [kind: Kind, role?: 'grid' | 'load'])[]>> = {
  pv: [['inverter']],
  acOut: [['inverter']],
  acIn: [['inverter']],
  load: [['meter', 'load'], ['inverter']],
  charge: [['battery']],
  discharge: [['battery']],
  import: [['meter', 'grid']],
  export: [['meter', 'grid']],
  charger: [['pile']],
};

type Known = { [port in Port]?: bigint };

function told(devices: readonly DeviceReckoning[], bucketMs: number): Known {
  const known: Known = {};
  for (const port of Object.keys(ASKED) as Port[]) {
    for (const [kind, role] of ASKED[port]) {
      const amounts = devices
        .filter(({ device }) => device.kind === kind && (kind !== 'meter' || (device.role ?? 'grid') === role))
        .flatMap(({ ports }) => ports.get(port)?.get(bucketMs) ?? []);
      if (amounts.length === 0) continue;
      known[port] = amounts.reduce((sum, amount) => sum + amount, 0n);
      break;
    }
  }
  return known;
}

/** What the inverters gave to the bus, by their AC terminals or else by their DC ports as if nothing were lost. */
function givenToBus(known: Known, has: (kind: Kind) => boolean): bigint | undefined {
  if (known.acOut !== undefined || known.acIn !== undefined) return (known.acOut ?? 0n) - (known.acIn ?? 0n);
  if (has('inverter') && known.pv === undefined) return undefined;
  if (has('battery') && (known.charge === undefined || known.discharge === undefined)) return undefined;
  return (known.pv ?? 0n) + (known.discharge ?? 0n) - (known.charge ?? 0n);
}

const LEAST = -1_000_000n;

/** The reference knows of no bucket from which energy would have to be moved to another: its cases have none. */
function notNegative(amount: bigint): bigint {
  if (amount < LEAST) throw new RangeError('the reference does not reckon what would be below nought');
  return amount < 0n ? 0n : amount;
}

/** Where one energy at the bus is told by nobody, it is what the others leave. */
function balanced(known: Known, has: (kind: Kind) => boolean): Known {
  const all: Known = { ...known };
  const given = givenToBus(known, has);
  if (given !== undefined && (known.charger !== undefined || !has('pile'))) {
    const left = given - (known.charger ?? 0n);
    const { load, import: bought, export: sold } = known;
    if (load === undefined && bought !== undefined && sold !== undefined) all.load = notNegative(left + bought - sold);
    else if (load !== undefined && bought === undefined && sold === undefined) {
      all.import = left < load ? load - left : 0n;
      all.export = left > load ? left - load : 0n;
    } else if (load !== undefined && bought === undefined && sold !== undefined)
      all.import = notNegative(load + sold - left);
    else if (load !== undefined && bought !== undefined && sold === undefined)
      all.export = notNegative(left + bought - load);
  }
  if (known.pv === undefined && has('inverter') && given !== undefined) {
    if (!has('battery') || (known.charge !== undefined && known.discharge !== undefined))
      all.pv = notNegative(given + (known.charge ?? 0n) - (known.discharge ?? 0n));
  }
  return all;
}

const NAMES: Readonly<Partial<Record<Port, string>>> = {
  pv: 'PVEnergyTotal',
  acOut: 'generation',
  load: 'loads',
  charger: 'charger',
  charge: 'chargeEnergyToTal',
  discharge: 'dischargeEnergyToTal',
  import: 'gridConsumption',
  export: 'feedin',
};

function priceOf({ weekday, weekend }: PricesOfDay, minuteOfDay: number, isWeekend: boolean): bigint {
  const prices = isWeekend && weekend !== undefined ? weekend : weekday;
  return prices.findLast(([fromMinute]) => fromMinute <= minuteOfDay)?.[1] ?? 0n;
}

/** A bucket as the API names its parts; money in the product of both units, 1e-18 of the currency. */
function reckonBucket(plant: ReferencePlant, clock: WallClock, bucketMs: number, known: Known): Sums {
  const sums: Sums = new Map();
  for (const [port, name] of Object.entries(NAMES) as [Port, string][]) {
    const amount = known[port];
    if (amount !== undefined) sums.set(name, amount);
  }
  const has = (kind: Kind): boolean => plant.devices.some((device) => device.kind === kind);
  const flows = flowsOf(known, { inverter: has('inverter'), battery: has('battery'), pile: has('pile') });
  for (const [name, amount] of Object.entries(flows ?? {})) sums.set(name, amount);
  const tariff = plant.tariffs.findLast(({ fromMs }) => fromMs <= bucketMs);
  if (tariff === undefined) return sums;
  const { minuteOfDay, isWeekend } = clock.at(bucketMs);
  const minute = minuteOfDay + ((bucketMs / 60_000) % 15);
  if (known.export !== undefined) sums.set('income', known.export * priceOf(tariff.feedIn, minute, isWeekend));
  if (known.load !== undefined && known.import !== undefined) {
    const supplied = known.load + (known.charger ?? 0n) - known.import;
    const price = priceOf(tariff.purchase, minute, isWeekend);
    sums.set('saving', supplied * price);
    sums.set(CHARGED, (sums.get('gridToBattery') ?? 0n) * price);
  }
  return sums;
}

/** What the battery was charged with from the grid cost. */
const CHARGED = 'chargedFromGrid';

/** Savings of a day are no less than nothing, but for what charged the battery from the grid: so are months and years. */
function floorSavings(days: Map<string, Sums>, months: Map<string, Sums>, years: Map<string, Sums>): void {
  for (const [day, sums] of days) {
    const [saving, least] = [sums.get('saving'), -(sums.get(CHARGED) ?? 0n)];
    if (saving === undefined || saving >= least) continue;
    const raised: Sums = new Map([['saving', least - saving]]);
    addUp(days, day, raised);
    addUp(months, day.slice(0, 7), raised);
    addUp(years, day.slice(0, 4), raised);
  }
}

function addUp<K>(groups: Map<K, Sums>, key: K, sums: Sums): void {
  let group = groups.get(key);
  if (group === undefined) {
    group = new Map();
    groups.set(key, group);
  }
  for (const [name, amount] of sums) group.set(name, (group.get(name) ?? 0n) + amount);
}

export function reckonPlant(plant: ReferencePlant): PlantReckoning {
  const devices = plant.devices.map((device) => reckonDevice(device, device.tellings));
  const times = new Set(devices.flatMap(({ ports }) => [...ports.values()].flatMap((sums) => [...sums.keys()])));
  const clock = new WallClock(plant.zone);
  const buckets = new Map<number, Sums>();
  const hours = new Map<string, Sums>();
  const days = new Map<string, Sums>();
  const months = new Map<string, Sums>();
  const years = new Map<string, Sums>();
  const has = (kind: Kind): boolean => plant.devices.some((device) => device.kind === kind);
  for (const bucketMs of [...times].sort((one, other) => one - other)) {
    const sums = reckonBucket(plant, clock, bucketMs, balanced(told(devices, bucketMs), has));
    const { day, hourMs } = clock.at(bucketMs);
    buckets.set(bucketMs, sums);
    addUp(hours, `${day} ${hourMs}`, sums);
    addUp(days, day, sums);
    addUp(months, day.slice(0, 7), sums);
    addUp(years, day.slice(0, 4), sums);
  }
  floorSavings(days, months, years);
  const openings = new Map<Port, bigint>();
  for (const { openings: own } of devices) {
    for (const [port, amount] of own) openings.set(port, (openings.get(port) ?? 0n) + amount);
  }
  return { buckets, hours, days, months, years, openings };
}
