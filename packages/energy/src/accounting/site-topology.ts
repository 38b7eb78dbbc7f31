import type { EnergyChannel, PowerChannel } from './channels.ts';
import type { DeviceKind, MeterRole } from './device-sample.ts';

export interface SiteDevice {
  deviceKey: number;
  kind: DeviceKind;
  /** Of a meter; default `grid`. `generator`, of an inverter too: the other generation that it tells of burns fuel. */
  role?: MeterRole;
  /** Channels of which it is known to have a counter; absent = it may tell any that its kind has. */
  counted?: readonly EnergyChannel[];
  /** Of a battery, Wh: its weight in the site's state of charge. */
  capacityWh?: number;
  /** AC rating of an inverter, W. */
  ratedW?: number;
}

export interface SiteTopology {
  devices: readonly SiteDevice[];
}

/** A class of devices that can all tell the same quantity. */
type DeviceClass = 'inverter' | 'battery' | 'pile' | 'plant' | 'grid-meter' | 'load-meter' | 'generation-meter';

export function deviceClass({ kind, role = 'grid' }: SiteDevice): DeviceClass {
  if (kind === 'ems' || kind === 'gateway') return 'plant';
  if (kind !== 'meter') return kind;
  if (role === 'grid') return 'grid-meter';
  return role === 'load' ? 'load-meter' : 'generation-meter';
}

/**
 * Who is asked for a quantity, in this order; the first class of which any device knows it is taken, so a battery that its
 * inverter reports too counts once, and a meter wins over what an inverter or an EMS says.
 */
const CLASSES: Record<PowerChannel | EnergyChannel, readonly DeviceClass[]> = {
  pv: ['inverter', 'plant'],
  ac: ['inverter'],
  acOut: ['inverter'],
  acIn: ['inverter'],
  load: ['load-meter', 'inverter', 'plant'],
  battery: ['battery', 'inverter', 'plant'],
  charge: ['battery', 'inverter', 'plant'],
  discharge: ['battery', 'inverter', 'plant'],
  grid: ['grid-meter', 'inverter', 'plant'],
  import: ['grid-meter', 'inverter', 'plant'],
  export: ['grid-meter', 'inverter', 'plant'],
  external: ['generation-meter', 'inverter'],
  eps: ['inverter'],
  charger: ['pile'],
};

/** Whether the other generation that a device tells of burns fuel. */
export function burnsFuel({ kind, role }: SiteDevice): boolean {
  return (kind === 'meter' || kind === 'inverter') && role === 'generator';
}

/**
 * Whether a silent device leaves a hole in a quantity that others told: it belongs to their class, or to one that is asked
 * before, and may have told it.
 *
 * @param told class of the devices that told it.
 */
export function leavesHole(silent: SiteDevice, channel: EnergyChannel, told: SiteDevice): boolean {
  const asked = CLASSES[channel];
  const place = asked.indexOf(deviceClass(silent));
  const toldPlace = asked.indexOf(deviceClass(told));
  if (place < 0 || place > toldPlace || (place === toldPlace && deviceClass(told) === 'plant')) return false;
  return silent.counted === undefined || silent.counted.includes(channel);
}

export interface SiteSum {
  value: number;
  /** Devices whose values were added. */
  devices: number[];
}

const byTopology = new WeakMap<SiteTopology, ReadonlyMap<DeviceClass, readonly SiteDevice[]>>();

function ofClass(topology: SiteTopology, wanted: DeviceClass): readonly SiteDevice[] {
  let classes = byTopology.get(topology);
  if (classes === undefined) {
    classes = Map.groupBy(topology.devices, deviceClass);
    byTopology.set(topology, classes);
  }
  return classes.get(wanted) ?? [];
}

/** Sums a quantity over the class of devices that tells it; undefined where none does. */
export function sumOverSite(
  topology: SiteTopology,
  channel: PowerChannel | EnergyChannel,
  read: (deviceKey: number) => number | undefined,
): SiteSum | undefined {
  for (const wanted of CLASSES[channel]) {
    let sum: SiteSum | undefined;
    for (const device of ofClass(topology, wanted)) {
      const value = read(device.deviceKey);
      if (value === undefined || !Number.isFinite(value)) continue;
      sum ??= { value: 0, devices: [] };
      sum.value += value;
      sum.devices.push(device.deviceKey);
      // Each unit of this class describes the whole plant: a second one would count it twice.
      if (wanted === 'plant') break;
    }
    if (sum !== undefined) return sum;
  }
  return undefined;
}

/** Kinds of ports that a site has by its devices; what it has not, is nought in the balance and absent in the figures. */
export interface SitePorts {
  hasInverter: boolean;
  hasBattery: boolean;
  hasExternal: boolean;
  hasCharger: boolean;
}

export function sitePorts(topology: SiteTopology): SitePorts {
  const classes = new Set(topology.devices.map(deviceClass));
  return {
    hasInverter: classes.has('inverter'),
    hasBattery: classes.has('battery'),
    hasExternal: classes.has('generation-meter'),
    hasCharger: classes.has('pile'),
  };
}

/** Sum of the AC ratings of a site's inverters, W; undefined where none is known. */
export function ratedInverterW({ devices }: SiteTopology): number | undefined {
  const ratings = devices.flatMap(({ kind, ratedW }) => (kind === 'inverter' && ratedW !== undefined ? [ratedW] : []));
  return ratings.length === 0 ? undefined : ratings.reduce((sum, ratedW) => sum + ratedW, 0);
}

/** Mean state of charge weighted by capacity (equal weights where one is unknown); undefined without any. */
export function weightedSocPercent(
  topology: SiteTopology,
  read: (deviceKey: number) => number | undefined,
): number | undefined {
  const known = topology.devices.flatMap((device) => {
    const socPercent = device.kind === 'battery' ? read(device.deviceKey) : undefined;
    return socPercent === undefined || !Number.isFinite(socPercent)
      ? []
      : [{ socPercent, capacityWh: device.capacityWh }];
  });
  if (known.length === 0) return undefined;
  const isWeighted = known.every(({ capacityWh }) => capacityWh !== undefined && capacityWh > 0);
  let weights = 0;
  let sum = 0;
  for (const { socPercent, capacityWh } of known) {
    const weight = isWeighted ? (capacityWh ?? 1) : 1;
    weights += weight;
    sum += weight * socPercent;
  }
  return sum / weights;
}
