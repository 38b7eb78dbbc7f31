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

/** By power: the energy channels that its positive and its negative part feed, -1 = none. */
export const POSITIVE_ENERGY: readonly number[] = POWER_CHANNELS.map((power) => energyIndexOf(power, 1));
export const NEGATIVE_ENERGY: readonly number[] = POWER_CHANNELS.map((power) => energyIndexOf(power, -1));

function energyIndexOf(power: string, sign: 1 | -1): number {
  return ENERGY_CHANNELS.findIndex(
    (channel) => POWER_OF_ENERGY[channel].power === power && POWER_OF_ENERGY[channel].sign === sign,
  );
}

/** By energy channel: the power that it is the integral of. */
export const POWER_INDEX: readonly number[] = ENERGY_CHANNELS.map((channel) =>
  POWER_CHANNELS.indexOf(POWER_OF_ENERGY[channel].power),
);
