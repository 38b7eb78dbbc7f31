import { attachedKinds } from '@sonnenwarte/device-protocol/points/points';
import { isDeviceSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { FleetDevice, FleetDeviceBase, FleetMppt } from './fleet.ts';
import { type Fields, FleetError, list, numberIn, object, oneOf, optional, text } from './fleet-fields.ts';

/** Reads one device of a logger. */
export function device(at: Fields): FleetDevice {
  const sn = text(at, 'sn');
  if (!isDeviceSn(sn)) throw new FleetError(`${at.path}.sn`, `${JSON.stringify(sn)} is no serial number of a device`);
  const kind = oneOf(at, 'kind', attachedKinds);
  const versions = object(at.value.versions, `${at.path}.versions`);
  const base: FleetDeviceBase = {
    sn,
    role: at.value.role === undefined ? '' : text(at, 'role'),
    model: text(at, 'model'),
    odmSn: text(at, 'odmSn'),
    hardware: text(at, 'hardware'),
    versions: {
      master: text(versions, 'master'),
      ...optional(versions, 'slave', text),
      ...optional(versions, 'manager', text),
      ...optional(versions, 'afci', text),
    },
    ...optional(at, 'ratedPowerW', (fields, name) => numberIn(fields, name, 1, 1e9)),
    ...optional(at, 'capacityWh', (fields, name) => numberIn(fields, name, 1, 1e9)),
  };
  const params = object(at.value.params, `${at.path}.params`);
  switch (kind) {
    case 'inverter':
      return {
        ...base,
        kind,
        ratedPowerW: numberIn(at, 'ratedPowerW', 1, 1e9),
        params: { phases: oneOf(params, 'phases', [1, 3]), mppts: list(params, 'mppts', mppt, 1, 4) },
      };
    case 'battery':
      return {
        ...base,
        kind,
        capacityWh: numberIn(at, 'capacityWh', 100, 1e9),
        params: {
          inverter: text(params, 'inverter'),
          maxChargeW: numberIn(params, 'maxChargeW', 1, 1e9),
          maxDischargeW: numberIn(params, 'maxDischargeW', 1, 1e9),
          packs: numberIn(params, 'packs', 1, 8),
        },
      };
    case 'meter':
      return {
        ...base,
        kind,
        role: oneOf(at, 'role', ['grid', 'pv', 'generator', 'load'] as const),
        params: {
          ...optional(params, 'array', (fields, name) => numberIn(fields, name, 0, 63)),
          ...optional(params, 'ratedPowerW', (fields, name) => numberIn(fields, name, 1, 1e9)),
        },
      };
    case 'pile':
      return {
        ...base,
        kind,
        ratedPowerW: numberIn(at, 'ratedPowerW', 1, 1e6),
        params: {
          sessionsPerWeek: numberIn(params, 'sessionsPerWeek', 0, 21),
          sessionKwh: numberIn(params, 'sessionKwh', 0, 200),
        },
      };
    case 'gateway':
      return { ...base, kind, params: { heatPumpW: numberIn(params, 'heatPumpW', 0, 1e6) } };
    default:
      return { ...base, kind };
  }
}

function mppt(at: Fields): FleetMppt {
  return {
    array: numberIn(at, 'array', 0, 63),
    kwp: numberIn(at, 'kwp', 0.1, 1e5),
    strings: numberIn(at, 'strings', 1, 4),
  };
}
