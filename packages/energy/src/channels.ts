export type EnergyChannel =
  | 'pv'
  | 'acOut'
  | 'acIn'
  | 'load'
  | 'charge'
  | 'discharge'
  | 'import'
  | 'export'
  | 'external'
  | 'eps'
  | 'charger';

export type PowerChannel = 'pv' | 'ac' | 'load' | 'battery' | 'grid' | 'external' | 'eps' | 'charger';

export const ENERGY_CHANNELS: readonly EnergyChannel[] = [
  'pv',
  'acOut',
  'acIn',
  'load',
  'charge',
  'discharge',
  'import',
  'export',
  'external',
  'eps',
  'charger',
];

export const POWER_CHANNELS: readonly PowerChannel[] = [
  'pv',
  'ac',
  'load',
  'battery',
  'grid',
  'external',
  'eps',
  'charger',
];

/**
 * Powers of a device, W; absent or undefined = not measured. `pv` DC power of the array, >= 0; `ac` at the inverter's AC
 * terminals, + = delivered; `battery` + = discharge; `grid` + = import; `load`, `external`, `eps`, `charger` >= 0.
 */
export type DevicePowers = { [channel in PowerChannel]?: number | undefined };

/** Lifetime counters of a device, Wh; absent or undefined = not in this sample. */
export type DeviceCounters = { [channel in EnergyChannel]?: number | undefined };

export interface DeviceSample {
  tsMs: number;
  powers: DevicePowers;
  counters: DeviceCounters;
  socPercent?: number | undefined;
}

/** The power whose integral stands in for a counter that a device does not have, and the sign of the part that counts. */
export const POWER_OF_ENERGY: Record<EnergyChannel, { power: PowerChannel; sign: 1 | -1 }> = {
  pv: { power: 'pv', sign: 1 },
  acOut: { power: 'ac', sign: 1 },
  acIn: { power: 'ac', sign: -1 },
  load: { power: 'load', sign: 1 },
  charge: { power: 'battery', sign: -1 },
  discharge: { power: 'battery', sign: 1 },
  import: { power: 'grid', sign: 1 },
  export: { power: 'grid', sign: -1 },
  external: { power: 'external', sign: 1 },
  eps: { power: 'eps', sign: 1 },
  charger: { power: 'charger', sign: 1 },
};
