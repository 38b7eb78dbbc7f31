/** Emission factor of a grid, kg CO2 for each kWh, with where it is from. */
export interface EmissionFactor {
  kgPerKwh: number;
  source: string;
}

/** World average 2023; stands in for every country without an own value. */
export const DEFAULT_EMISSION_FACTOR: EmissionFactor = {
  kgPerKwh: 0.48,
  source: 'Ember, Global Electricity Review 2024: world average 2023, 480 g CO2/kWh',
};

/** Emission factors by ISO 3166-1 alpha-2 code. */
export const EMISSION_FACTORS: Readonly<Record<string, EmissionFactor>> = {
  DE: { kgPerKwh: 0.38, source: 'Umweltbundesamt, Climate Change 23/2024: German mix 2023, 380 g CO2/kWh' },
};

const WH_PER_KWH = 1000;

function share(part: number, whole: number): number | undefined {
  if (!(whole > 0)) return undefined;
  return Math.min(1, Math.max(0, part / whole));
}

/**
 * Share of the generation that was used on site, 0-1: (generation - exported generation) / generation. Undefined without
 * generation.
 *
 * @param exportedWh what of the generation went to the grid (`pvToGridWh + externalToGridWh`), or all that was exported.
 */
export function selfConsumptionRate(generationWh: number, exportedWh: number): number | undefined {
  return share(generationWh - exportedWh, generationWh);
}

/** Self-sufficiency (autarky), 0-1: 1 - import / consumption, not below 0. Undefined without consumption. */
export function selfSufficiency(consumptionWh: number, importWh: number): number | undefined {
  return share(consumptionWh - importWh, consumptionWh);
}

/** Specific (final) yield, kWh/kWp (IEC 61724-1, Y_f). Undefined without a rating. */
export function specificYield(energyWh: number, ratedWp: number): number | undefined {
  return ratedWp > 0 ? energyWh / ratedWp : undefined;
}

/** Reference yield, h (IEC 61724-1, Y_r): in-plane irradiation over 1000 W/m2. */
export function referenceYieldH(irradiationWhM2: number): number {
  return irradiationWhM2 / 1000;
}

/** Performance ratio (IEC 61724-1): final over reference yield. Undefined without light or rating. */
export function performanceRatio(energyWh: number, ratedWp: number, irradiationWhM2: number): number | undefined {
  const yieldKwhPerKwp = specificYield(energyWh, ratedWp);
  return yieldKwhPerKwp === undefined || !(irradiationWhM2 > 0)
    ? undefined
    : yieldKwhPerKwp / referenceYieldH(irradiationWhM2);
}

/** CO2 avoided, kg: generation times the emission factor of the grid it displaces. */
export function co2AvoidedKg(generationWh: number, countryCode?: string): number {
  const factor = (countryCode === undefined ? undefined : EMISSION_FACTORS[countryCode]) ?? DEFAULT_EMISSION_FACTOR;
  return (generationWh / WH_PER_KWH) * factor.kgPerKwh;
}

/** Energy used on site instead of being sold, Wh, not below 0. */
export function selfUsedWh(generationWh: number, exportedWh: number): number {
  return Math.max(0, generationWh - exportedWh);
}
