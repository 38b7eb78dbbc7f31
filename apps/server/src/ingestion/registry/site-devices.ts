import { ChannelReach } from '@sonnenwarte/energy/accounting/channel-reach';
import { type DeviceSample, ENERGY_CHANNELS } from '@sonnenwarte/energy/accounting/channels';
import {
  accountedKinds,
  type DeviceKind,
  type MeterRole,
  toDeviceSample,
} from '@sonnenwarte/energy/accounting/device-sample';
import type { SiteDevice, SiteTopology } from '@sonnenwarte/energy/accounting/site-topology';
import type { DeviceEntry, SiteEntry } from './plant-model.ts';

const roles: readonly string[] = ['grid', 'pv', 'load', 'generator'] satisfies MeterRole[];

function roleOf(device: DeviceEntry): MeterRole {
  return roles.includes(device.role) ? (device.role as MeterRole) : 'grid';
}

const accounted: ReadonlySet<string> = new Set(accountedKinds);

/** Whether the energy of a device is accounted: dataloggers and weather stations have none. */
export function isAccounted(device: DeviceEntry): device is DeviceEntry & { kind: DeviceKind } {
  return accounted.has(device.kind);
}

/** What the channels of a device carry, by what is known of it now. */
export function knownReach(device: DeviceEntry & { kind: DeviceKind }): ChannelReach {
  const { kind, properties, site } = device;
  device.reach ??= new ChannelReach();
  device.reach.know({
    kind,
    ratedW: properties.ratedPowerW,
    capacityWh: properties.capacityWh,
    plantW: site?.ratedPowerW,
  });
  return device.reach;
}

let readValues: readonly number[] = [];
let readIndexOf: ReadonlyMap<string, number> = new Map();

function readValue(name: string): number | undefined {
  const index = readIndexOf.get(name);
  return index === undefined ? undefined : readValues[index];
}

/** Powers and counters of a device's values, which lie as in its layout. */
export function deviceSampleOf(
  device: DeviceEntry & { kind: DeviceKind },
  tsMs: number,
  values: readonly number[],
): DeviceSample {
  readValues = values;
  readIndexOf = device.layout.indexOf;
  return toDeviceSample(device.kind, tsMs, readValue, roleOf(device));
}

export function topologyOf(site: SiteEntry): SiteTopology {
  const devices: SiteDevice[] = [];
  for (const device of site.devices) {
    if (device.key === 0 || !isAccounted(device)) continue;
    const { capacityWh, ratedPowerW } = device.properties;
    const hasRole = device.kind === 'meter' || (device.kind === 'inverter' && device.role === 'generator');
    const counted = ENERGY_CHANNELS.filter((channel) => device.opening[channel] !== undefined);
    devices.push({
      deviceKey: device.key,
      kind: device.kind,
      ...(hasRole && { role: roleOf(device) }),
      ...(counted.length > 0 && { counted }),
      ...(capacityWh !== undefined && { capacityWh }),
      ...(device.kind === 'inverter' && ratedPowerW !== undefined && { ratedW: ratedPowerW }),
    });
  }
  return { devices };
}
