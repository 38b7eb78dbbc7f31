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

/** What a tree takes up in a year, kg CO2, with where it is from. */
export const TREE_YEAR = {
  kg: 22,
  source: 'European Environment Agency, 2012: a mature tree absorbs up to 22 kg CO2 in a year',
} as const;

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

/**
 * Self-sufficiency (autarky), 0-1: 1 - import / consumption, not below 0. Undefined without consumption.
 *
 * @param importWh what was bought: from the grid, and as fuel.
 */
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
  return (generationWh / WH_PER_KWH) * emissionFactorOf(countryCode).kgPerKwh;
}

/** The emission factor that counts in a country. */
export const emissionFactorOf = (countryCode: string | undefined): EmissionFactor =>
  (countryCode !== undefined && Object.hasOwn(EMISSION_FACTORS, countryCode)
    ? EMISSION_FACTORS[countryCode]
    : undefined) ?? DEFAULT_EMISSION_FACTOR;

/** Energies of a span as they are summed, Wh; undefined = not known. */
export interface GenerationSums {
  pvWh: number | undefined;
  externalWh: number | undefined;
  /** What of `externalWh` burns fuel. */
  fuelWh: number | undefined;
  pvToGridWh: number | undefined;
  externalToGridWh: number | undefined;
  fuelToGridWh: number | undefined;
  exportWh: number | undefined;
}

/** What a plant generated of its own, Wh: fuel is bought as power from the grid is, and counts as that. */
export interface OwnGeneration {
  generatedWh: number | undefined;
  /** What of it went to the grid: by the flows, or all export where no flow is known. */
  exportedWh: number | undefined;
  /** From fuel, used on site. */
  fuelUsedWh: number;
}

export function ownGeneration(sums: GenerationSums): OwnGeneration {
  const fuelWh = sums.fuelWh ?? 0;
  const fuelToGridWh = sums.fuelToGridWh ?? 0;
  const otherWh = sums.externalWh === undefined ? undefined : Math.max(0, sums.externalWh - fuelWh);
  const otherToGridWh =
    sums.externalToGridWh === undefined ? undefined : Math.max(0, sums.externalToGridWh - fuelToGridWh);
  return {
    generatedWh: sumOfKnown(sums.pvWh, otherWh),
    exportedWh: sumOfKnown(sums.pvToGridWh, otherToGridWh) ?? sums.exportWh,
    fuelUsedWh: Math.max(0, fuelWh - fuelToGridWh),
  };
}

function sumOfKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

/** What house and charging piles took, and what was bought, Wh; undefined = not known. */
export interface SupplySums {
  loadWh: number | undefined;
  chargerWh: number | undefined;
  importWh: number | undefined;
  /** From fuel, used on site. */
  fuelUsedWh: number;
}

/**
 * What the plant supplied of the consumption, Wh: consumption less what was bought, from the grid and as fuel. Below 0 in a span in
 * which more was bought than taken, as where a battery is charged from the grid: it supplies that later. Undefined where consumption or
 * purchase is not known.
 */
export function suppliedWh({ loadWh, chargerWh, importWh, fuelUsedWh }: SupplySums): number | undefined {
  if (loadWh === undefined || importWh === undefined) return undefined;
  return loadWh + (chargerWh ?? 0) - importWh - fuelUsedWh;
}

/** Energy used on site instead of being sold, Wh, not below 0. */
export function selfUsedWh(generationWh: number, exportedWh: number): number {
  return Math.max(0, generationWh - exportedWh);
}
