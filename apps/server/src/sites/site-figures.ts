import { type FigureName, type Figures, figureNames } from '@sonnenwarte/contract/sites/site';
import type { Quality } from '@sonnenwarte/contract/status';
import {
  co2AvoidedKg,
  ownGeneration,
  selfConsumptionRate,
  selfSufficiency,
  selfUsedWh,
  specificYield,
} from '@sonnenwarte/energy/accounting/figures';
import { worseQuality } from '@sonnenwarte/energy/accounting/quality';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { type EnergyColumn, energyColumns, type PeriodSum } from './site-energy.store.ts';
import { qualityOfEnergies } from './site-quality.ts';

const NOTHING_RECORDED: PeriodSum = {
  ...(Object.fromEntries(energyColumns.map((column) => [column, null])) as Record<EnergyColumn, null>),
  marks: 0,
  income: null,
  saving: null,
  paid: null,
};

const PV = ['pv_wh'] as const;
const OWN = ['pv_wh', 'external_wh'] as const;
const OWN_USE = [...OWN, 'export_wh'] as const;
const CONSUMPTION = ['load_wh', 'charger_wh'] as const;

/** Energies that a figure is made of, and whose marks it bears. */
const madeOf: Readonly<Record<FigureName, readonly EnergyColumn[]>> = {
  generationWh: PV,
  externalWh: ['external_wh'],
  consumptionWh: CONSUMPTION,
  selfUseWh: OWN_USE,
  feedInWh: ['export_wh'],
  purchaseWh: ['import_wh'],
  chargeWh: ['charge_wh'],
  dischargeWh: ['discharge_wh'],
  chargerWh: ['charger_wh'],
  income: ['export_wh'],
  saving: OWN_USE,
  paid: ['import_wh'],
  co2Kg: OWN,
  selfConsumptionPercent: OWN_USE,
  selfSufficiencyPercent: [...CONSUMPTION, 'import_wh'],
  specificYield: PV,
};

type Values = Omit<Figures, 'quality' | 'qualities' | 'moneySince'>;

/** Marks each figure that is known, and the whole by the worst of them. */
function withQualities(values: Values, sum: PeriodSum, moneySince: string | null): Figures {
  let worst: Quality = 'measured';
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? withoutNoise(value) : value]),
  ) as Values;
  const qualities = Object.fromEntries(
    figureNames.map((name): [FigureName, Quality] => {
      const quality = values[name] === null ? 'measured' : qualityOfEnergies(sum, madeOf[name]);
      worst = worseQuality(worst, quality);
      return [name, quality];
    }),
  ) as Record<FigureName, Quality>;
  return { ...shown, quality: worst, qualities, moneySince };
}

/** Sum of what is known, null where nothing is. */
export const sumOfKnown = (...parts: (number | null)[]): number | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
};

const percent = (share: number | undefined): number | null => (share === undefined ? null : share * 100);

const ownGenerationOf = (
  sum: PeriodSum,
): { generatedWh: number | null; exportedWh: number | null; fuelUsedWh: number } => {
  const { generatedWh, exportedWh, fuelUsedWh } = ownGeneration({
    pvWh: sum.pv_wh ?? undefined,
    externalWh: sum.external_wh ?? undefined,
    fuelWh: sum.fuel_wh ?? undefined,
    pvToGridWh: sum.pv_to_grid_wh ?? undefined,
    externalToGridWh: sum.external_to_grid_wh ?? undefined,
    fuelToGridWh: sum.fuel_to_grid_wh ?? undefined,
    exportWh: sum.export_wh ?? undefined,
  });
  return { generatedWh: generatedWh ?? null, exportedWh: exportedWh ?? null, fuelUsedWh };
};

/** The key figures of a period, each by its definition in docs/domain.md; null where what it needs is not known. */
export function toFigures(
  sum: PeriodSum = NOTHING_RECORDED,
  site: { systemSizeKwp: number; country: string },
): Figures {
  const { generatedWh, exportedWh, fuelUsedWh } = ownGenerationOf(sum);
  const consumptionWh = sumOfKnown(sum.load_wh, sum.charger_wh);
  const isOwnUseKnown = generatedWh !== null && exportedWh !== null;
  const values: Values = {
    generationWh: sum.pv_wh,
    externalWh: sum.external_wh,
    consumptionWh,
    selfUseWh: isOwnUseKnown ? selfUsedWh(generatedWh, exportedWh) : null,
    feedInWh: sum.export_wh,
    purchaseWh: sum.import_wh,
    chargeWh: sum.charge_wh,
    dischargeWh: sum.discharge_wh,
    chargerWh: sum.charger_wh,
    income: sum.income,
    saving: sum.saving,
    paid: sum.paid,
    co2Kg: generatedWh === null ? null : co2AvoidedKg(generatedWh, site.country),
    selfConsumptionPercent: isOwnUseKnown ? percent(selfConsumptionRate(generatedWh, exportedWh)) : null,
    selfSufficiencyPercent:
      consumptionWh === null || sum.import_wh === null
        ? null
        : percent(selfSufficiency(consumptionWh, sum.import_wh + fuelUsedWh)),
    specificYield: sum.pv_wh === null ? null : (specificYield(sum.pv_wh, site.systemSizeKwp * 1_000) ?? null),
  };
  const { firstDay = null, firstMoneyDay = null } = sum;
  const isMoneyYounger = firstDay !== null && firstMoneyDay !== null && firstMoneyDay > firstDay;
  return withQualities(values, sum, isMoneyYounger ? firstMoneyDay : null);
}

/** Energies of the time before recording, by their column; null = not known. */
export type SiteOpening = Partial<Record<EnergyColumn, number | null>>;

const isKnown = (opening: SiteOpening, columns: readonly EnergyColumn[]): boolean =>
  columns.every((column) => (opening[column] ?? null) !== null);

/**
 * The key figures since the beginning: what was recorded and what the devices' counters had counted before. Own use and rates
 * include the time before only where all that they need is known of it; money is that of the recorded days.
 */
export function toTotalFigures(
  recorded: PeriodSum | undefined,
  opening: SiteOpening,
  site: { systemSizeKwp: number; country: string },
): Figures {
  const ofRecorded = toFigures(recorded, site);
  const base = recorded ?? NOTHING_RECORDED;
  const added = Object.fromEntries(
    Object.entries(opening).map(([column, wh]) => [column, sumOfKnown(base[column as EnergyColumn], wh)]),
  );
  const sum: PeriodSum = { ...base, ...added };
  const total = toFigures(sum, site);
  const isGenerationKnown = isKnown(opening, ['pv_wh', 'export_wh']);
  const { generatedWh } = ownGenerationOf(sum);
  // Of the time before recording it is not known what the battery sold: all that was sold counts as generation.
  const exportedWh = sumOfKnown(ownGenerationOf(base).exportedWh, opening.export_wh ?? null);
  const own =
    isGenerationKnown && generatedWh !== null && exportedWh !== null
      ? {
          selfUseWh: selfUsedWh(generatedWh, exportedWh),
          selfConsumptionPercent: percent(selfConsumptionRate(generatedWh, exportedWh)),
        }
      : { selfUseWh: ofRecorded.selfUseWh, selfConsumptionPercent: ofRecorded.selfConsumptionPercent };
  const selfSufficiencyPercent = isKnown(opening, ['load_wh', 'import_wh'])
    ? total.selfSufficiencyPercent
    : ofRecorded.selfSufficiencyPercent;
  const { quality: _, qualities: __, moneySince, ...values } = total;
  const isOlder = Object.values(opening).some((wh) => wh !== null && wh !== undefined && wh > 0);
  return withQualities(
    { ...values, ...own, selfSufficiencyPercent },
    sum,
    isOlder ? (base.firstMoneyDay ?? null) : moneySince,
  );
}

/** The sums of a period alone: what some of its days lack cannot be set in proportion. */
export const withoutRates = (figures: Figures): Figures => ({
  ...figures,
  selfConsumptionPercent: null,
  selfSufficiencyPercent: null,
});
