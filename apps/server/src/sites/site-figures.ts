import type { Figures } from '@sonnenwarte/contract/sites/site';
import type { Quality } from '@sonnenwarte/contract/status';
import {
  co2AvoidedKg,
  selfConsumptionRate,
  selfSufficiency,
  selfUsedWh,
  specificYield,
} from '@sonnenwarte/energy/figures';
import { type EnergyColumn, energyColumns, type PeriodSum } from './site-energy.store.ts';

const NOTHING_RECORDED: PeriodSum = {
  ...(Object.fromEntries(energyColumns.map((column) => [column, null])) as Record<EnergyColumn, null>),
  quality: 0,
  income: null,
  saving: null,
};

const qualities = ['measured', 'estimated', 'corrected'] as const satisfies readonly Quality[];

export const qualityOf = (code: 0 | 1 | 2): Quality => qualities[code];

const NOTHING: Figures = {
  generationWh: null,
  externalWh: null,
  consumptionWh: null,
  selfUseWh: null,
  feedInWh: null,
  purchaseWh: null,
  chargeWh: null,
  dischargeWh: null,
  chargerWh: null,
  income: null,
  saving: null,
  co2Kg: null,
  selfConsumptionPercent: null,
  selfSufficiencyPercent: null,
  specificYield: null,
  quality: 'measured',
};

/** Sum of what is known, null where nothing is. */
const sumOfKnown = (...parts: (number | null)[]): number | null => {
  const known = parts.filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
};

const percent = (share: number | undefined): number | null => (share === undefined ? null : share * 100);

/** What of the generation went to the grid: by the flows, or all export where no flow is known. */
function exportedGenerationWh(sum: PeriodSum): number | null {
  return sumOfKnown(sum.pv_to_grid_wh, sum.external_to_grid_wh) ?? sum.export_wh;
}

/** The key figures of a period, each by its definition in docs/domain.md; null where what it needs is not known. */
export function toFigures(sum: PeriodSum | undefined, site: { systemSizeKwp: number; country: string }): Figures {
  if (sum === undefined) return NOTHING;
  const generatedWh = sumOfKnown(sum.pv_wh, sum.external_wh);
  const exportedWh = exportedGenerationWh(sum);
  const consumptionWh = sumOfKnown(sum.load_wh, sum.charger_wh);
  const isOwnUseKnown = generatedWh !== null && exportedWh !== null;
  return {
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
    co2Kg: generatedWh === null ? null : co2AvoidedKg(generatedWh, site.country),
    selfConsumptionPercent: isOwnUseKnown ? percent(selfConsumptionRate(generatedWh, exportedWh)) : null,
    selfSufficiencyPercent:
      consumptionWh === null || sum.import_wh === null ? null : percent(selfSufficiency(consumptionWh, sum.import_wh)),
    specificYield: sum.pv_wh === null ? null : (specificYield(sum.pv_wh, site.systemSizeKwp * 1_000) ?? null),
    quality: qualityOf(sum.quality),
  };
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
  const generatedWh = sumOfKnown(sum.pv_wh, sum.external_wh);
  // Of the time before recording it is not known what the battery sold: all that was sold counts as generation.
  const exportedWh = sumOfKnown(exportedGenerationWh(base), opening.export_wh ?? null);
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
  return { ...total, ...own, selfSufficiencyPercent };
}
