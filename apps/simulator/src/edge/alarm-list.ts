import { type ActiveAlarm, alarmByCode } from '@sonnenwarte/device-protocol/points/alarms';
import type { FleetDevice } from '../fleet.ts';
import { Derating } from '../plant/inverter-unit.ts';
import type { Plant } from '../plant/plant.ts';

const DERATED_BY_TEMPERATURE = 3003;
const OVERLOAD = 3008;

/** Alarms that a device tells now. The plant's first inverter speaks for devices that do not answer. */
export function activeAlarms(plant: Plant, device: FleetDevice): ActiveAlarm[] {
  const first = plant.inverters[0]?.device.sn;
  const list = plant.faults.alarms(plant.tsMs).flatMap(({ device: sn, isToldByInverter, ...alarm }): ActiveAlarm[] => {
    const isOwn = isToldByInverter ? device.sn === first && hasDevice(plant, sn) : device.sn === sn;
    return isOwn ? [alarm] : [];
  });
  const unit = plant.inverters.find((each) => each.device.sn === device.sn);
  if (unit === undefined) return list;
  const sinceMs = Math.floor(plant.tsMs / 60_000) * 60_000;
  const isHot = (unit.deratingBits & Derating.temperature) !== 0;
  if (isHot && !list.some(({ code }) => code === DERATED_BY_TEMPERATURE))
    list.push(own(DERATED_BY_TEMPERATURE, sinceMs));
  if (plant.unservedW > 1 && device.sn === first && plant.storages.length > 0) list.push(own(OVERLOAD, sinceMs));
  return list;
}

/** One text for a list: equal texts mean that nothing is to be told. */
export function alarmKey(list: readonly ActiveAlarm[]): string {
  return list
    .map(({ code, extra }) => `${code}:${extra}`)
    .sort()
    .join(' ');
}

function own(code: number, sinceMs: number): ActiveAlarm {
  return { code, level: alarmByCode(code)?.level ?? 2, sinceMs, extra: '' };
}

function hasDevice(plant: Plant, sn: string): boolean {
  return plant.plant.loggers.some((datalogger) => datalogger.devices.some((device) => device.sn === sn));
}
