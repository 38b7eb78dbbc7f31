import type { DeviceBucket } from './bucket-cell.ts';
import type { EnergyChannel } from './channels.ts';
import type { Flows } from './flows.ts';
import { allocateFlows } from './flows.ts';
import type { Quality } from './quality.ts';
import { worseQuality } from './quality.ts';
import type { SiteDevice, SitePorts, SiteTopology } from './site-topology.ts';
import { burnsFuel, leavesHole, sumOverSite } from './site-topology.ts';

export type SiteEnergyName = 'pv' | 'external' | 'load' | 'charger' | 'charge' | 'discharge' | 'import' | 'export';
export type SiteQuantity = SiteEnergyName | 'acOut' | 'acIn' | 'eps';
export type SiteEnergies = { [name in SiteQuantity]?: number | undefined };
/** Quantities that are not plainly measured. */
export type SiteQualities = { [name in SiteQuantity]?: Quality };

export const SITE_QUANTITIES = [
  'pv',
  'external',
  'load',
  'charger',
  'charge',
  'discharge',
  'import',
  'export',
  'acOut',
  'acIn',
  'eps',
] as const satisfies readonly EnergyChannel[];

/** Less than this in a bucket is not worth a mark: the growth of a night in which an inverter slept, spread over it. */
export const UNMARKED_WH = 0.1;

/** What the devices of a site tell together, before anything is derived. */
export interface SummedEnergies {
  energies: SiteEnergies;
  qualities: SiteQualities;
  /** What of each energy is not estimated, Wh. */
  firmWh: { [name in SiteQuantity]?: number };
  /** Devices that tell each quantity. */
  told: { [name in SiteQuantity]?: number[] };
  /** Of `external`, what burns fuel. */
  fuelWh: number | undefined;
  /** Quantities that somebody has left open: the balance does not tell them either. */
  open: SiteQuantity[];
}

/** @param missing devices whose silence leaves a hole. */
export function sumEnergies(
  byDevice: ReadonlyMap<number, DeviceBucket>,
  topology: SiteTopology,
  missing: readonly SiteDevice[],
): SummedEnergies {
  const summed: SummedEnergies = { energies: {}, qualities: {}, firmWh: {}, told: {}, fuelWh: undefined, open: [] };
  const byHand = topology.devices.filter(({ deviceKey }) => byDevice.get(deviceKey)?.corrected !== undefined);
  for (const name of SITE_QUANTITIES) {
    const sum = sumOverSite(topology, name, (deviceKey) => byDevice.get(deviceKey)?.energyWh[name]);
    const corrected =
      byHand.length === 0
        ? byHand
        : byHand.filter(({ deviceKey }) => byDevice.get(deviceKey)?.corrected?.includes(name) === true);
    if (sum === undefined) {
      if (corrected.length > 0) {
        summed.open.push(name);
        summed.qualities[name] = 'corrected';
      }
      continue;
    }
    summed.energies[name] = sum.value;
    summed.told[name] = sum.devices;
    let quality: Quality = 'measured';
    let firmWh = 0;
    for (const device of sum.devices) {
      const bucket = byDevice.get(device);
      const wh = bucket?.energyWh[name] ?? 0;
      const own = wh >= UNMARKED_WH ? (bucket?.energyQuality?.[name] ?? 'measured') : 'measured';
      if (own !== 'estimated') firmWh += wh;
      quality = worseQuality(quality, own);
    }
    summed.firmWh[name] = firmWh;
    const isAllHeard = missing.length === 0 && corrected.length === 0;
    const teller = isAllHeard ? undefined : topology.devices.find(({ deviceKey }) => deviceKey === sum.devices[0]);
    if (teller !== undefined && missing.some((device) => leavesHole(device, name, teller))) quality = 'estimated';
    for (const device of corrected) {
      const isOpen = byDevice.get(device.deviceKey)?.energyWh[name] === undefined;
      const counts = isOpen
        ? teller !== undefined && leavesHole(device, name, teller)
        : sum.devices.includes(device.deviceKey);
      if (counts) quality = worseQuality(quality, 'corrected');
    }
    if (quality !== 'measured') summed.qualities[name] = quality;
  }
  const burning = topology.devices.filter(burnsFuel);
  if (burning.length > 0 && summed.told.external !== undefined) {
    const told = new Set(summed.told.external);
    summed.fuelWh = burning.reduce(
      (sum, { deviceKey }) => sum + (told.has(deviceKey) ? (byDevice.get(deviceKey)?.energyWh.external ?? 0) : 0),
      0,
    );
  }
  return summed;
}

/** An energy that the balance tells; below 0 where the readings do not agree. */
export interface DerivedEnergy {
  name: SiteEnergyName;
  wh: number;
}

/** Energy that the inverters gave to the AC bus, net, Wh; without AC readings, that of their DC ports taken as lossless. */
function netAcWh(energies: SiteEnergies, ports: SitePorts): number | undefined {
  const { pv, charge, discharge, acOut, acIn } = energies;
  if (acOut !== undefined || acIn !== undefined) return (acOut ?? 0) - (acIn ?? 0);
  if (pv === undefined && ports.hasInverter) return undefined;
  if (ports.hasBattery && (charge === undefined || discharge === undefined)) return undefined;
  if (pv === undefined && charge === undefined && discharge === undefined && ports.hasInverter) return undefined;
  return (pv ?? 0) + (discharge ?? 0) - (charge ?? 0);
}

/** What the balance tells of energies that nobody measures. */
export function deriveEnergies(energies: SiteEnergies, ports: SitePorts): DerivedEnergy[] {
  const acWh = netAcWh(energies, ports);
  const derived = acWh === undefined ? [] : deriveAtBus(energies, ports, acWh);
  const batteryIsKnown = !ports.hasBattery || (energies.charge !== undefined && energies.discharge !== undefined);
  if (energies.pv === undefined && ports.hasInverter && batteryIsKnown) {
    const sourceWh = acWh ?? busDemandWh(energies, ports);
    if (sourceWh !== undefined) {
      derived.push({ name: 'pv', wh: sourceWh + (energies.charge ?? 0) - (energies.discharge ?? 0) });
    }
  }
  return derived;
}

/** What the inverters must have given if all else at the bus is known, Wh. */
function busDemandWh(energies: SiteEnergies, ports: SitePorts): number | undefined {
  const { load, import: imported, export: exported, charger, external } = energies;
  if (load === undefined || imported === undefined || exported === undefined) return undefined;
  if ((charger === undefined && ports.hasCharger) || (external === undefined && ports.hasExternal)) return undefined;
  return load + (charger ?? 0) + exported - imported - (external ?? 0);
}

function deriveAtBus(energies: SiteEnergies, ports: SitePorts, acWh: number): DerivedEnergy[] {
  const unknown: SiteEnergyName[] = [];
  for (const name of ['load', 'import', 'export'] as const) if (energies[name] === undefined) unknown.push(name);
  if (energies.charger === undefined && ports.hasCharger) unknown.push('charger');
  if (energies.external === undefined && ports.hasExternal) unknown.push('external');
  // Energy given less energy taken, by what is known; positive = something took it.
  const surplusWh =
    acWh +
    (energies.external ?? 0) +
    (energies.import ?? 0) -
    (energies.export ?? 0) -
    (energies.load ?? 0) -
    (energies.charger ?? 0);
  if (unknown.length === 2 && unknown[0] === 'import' && unknown[1] === 'export') {
    return [
      { name: 'import', wh: Math.max(0, -surplusWh) },
      { name: 'export', wh: Math.max(0, surplusWh) },
    ];
  }
  const [only] = unknown;
  if (unknown.length !== 1 || only === undefined) return [];
  return [{ name: only, wh: only === 'import' || only === 'external' ? -surplusWh : surplusWh }];
}

export function flowsOf(energies: SiteEnergies, ports: SitePorts): Flows | undefined {
  const { pv, external, discharge, import: imported, load, charger, charge, export: exported } = energies;
  if (load === undefined || imported === undefined || exported === undefined) return undefined;
  if (pv === undefined && ports.hasInverter) return undefined;
  if (ports.hasBattery && (charge === undefined || discharge === undefined)) return undefined;
  if ((charger === undefined && ports.hasCharger) || (external === undefined && ports.hasExternal)) return undefined;
  return allocateFlows({
    pvWh: pv ?? 0,
    externalWh: external ?? 0,
    dischargeWh: discharge ?? 0,
    importWh: imported,
    loadWh: load,
    chargerWh: charger ?? 0,
    chargeWh: charge ?? 0,
    exportWh: exported,
  });
}
