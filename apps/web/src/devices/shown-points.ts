import type { DeviceRow } from '@sonnenwarte/contract/devices/device';

/** Points that the panels of a kind show. */
export const health = [
  'Temp/Heatsink',
  'Temp/Ambient',
  'Fan/Speed',
  'DC/InsulationResistance',
  'DC/LeakageCurrent',
  'State/Efficiency',
  'State/Derating',
  'State/OperatingHours',
];

export const cells = [
  'Bat/CellVoltageMax',
  'Bat/CellIndexVmax',
  'Bat/CellVoltageMin',
  'Bat/CellIndexVmin',
  'Bat/CellTempMax',
  'Bat/CellTempMin',
];
export const batteryHealth = [
  'Bat/Soh',
  'Bat/Cycles',
  'Bat/Capacity',
  'Bat/RemainingEnergy',
  'Bat/Temperature',
  'Bat/ChargeLimit',
  'Bat/DischargeLimit',
  'Bat/BmsFault',
  'Bat/BmsFirmware',
];
export const batteryEnergy = ['Bat/ChargeToday', 'Bat/DischargeToday', 'Bat/ChargeTotal', 'Bat/DischargeTotal'];
export const meterEnergy = ['Meter/ImportToday', 'Meter/ExportToday', 'Meter/ImportTotal', 'Meter/ExportTotal'];
export const emsLimits = [
  'Ems/ExportLimit',
  'Ems/PeakLimit',
  'Ems/Strategy',
  'Ems/DeviceCount',
  'Ems/DevicesOnline',
  'Ems/PriceNow',
];
export const emsPowers = ['Ems/PlantPv', 'Ems/PlantBattery', 'Ems/PlantGrid', 'Ems/PlantLoad'];

const phasePoint = /^(?:AC|Meter)\/(?:L\d\/(?:Voltage|Current|Power)|ActivePower|Frequency|PowerFactor)$/;
const inverterPoint = /^(?:DC\/(?:Power$|Mppt\d+\/(?:Voltage|Current|Power)$|String\d+\/Current$))/;

export const isInverterEnergy = (variable: string): boolean => /^Energy\/|\/EnergyTotal$/.test(variable);
const batteryPoint = /^Bat\/(?:Power|Soc|Pack\d+\/(?:Voltage|Soc))$/;

/** Whether the panels of its kind show a point already. */
export function isShownOfKind(kind: DeviceRow['kind'], variable: string): boolean {
  switch (kind) {
    case 'inverter':
      return (
        phasePoint.test(variable) ||
        inverterPoint.test(variable) ||
        isInverterEnergy(variable) ||
        health.includes(variable)
      );
    case 'battery':
      return batteryPoint.test(variable) || [...cells, ...batteryHealth, ...batteryEnergy].includes(variable);
    case 'meter':
      return phasePoint.test(variable) || variable === 'Meter/CtRatio' || meterEnergy.includes(variable);
    case 'ems':
      return [...emsLimits, ...emsPowers].includes(variable);
    default:
      return false;
  }
}
