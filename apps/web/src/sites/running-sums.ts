import type { FigureName, Figures, SiteFigures } from '@sonnenwarte/contract/sites/site';

/** Figures that add up over days. */
const additive = [
  'generationWh',
  'externalWh',
  'consumptionWh',
  'selfUseWh',
  'feedInWh',
  'purchaseWh',
  'chargeWh',
  'dischargeWh',
  'chargerWh',
  'co2Kg',
  'specificYield',
] as const satisfies readonly FigureName[];

/** A period that holds today, with what today has gained since its sums were read. */
function grown(period: Figures, before: Figures, today: Figures): Figures {
  const sums = { ...period };
  for (const name of additive) {
    const now = today[name];
    if (now === null) continue;
    const gain = now - (before[name] ?? 0);
    if (gain > 0) sums[name] = (period[name] ?? 0) + gain;
  }
  return sums;
}

/** Sums as they were read, with newer figures of today: what today has gained is in month, year and total too. */
export function withToday(sums: SiteFigures, today: Figures): SiteFigures {
  const { today: before, month, year, total } = sums;
  return {
    ...sums,
    today,
    month: grown(month, before, today),
    year: grown(year, before, today),
    total: grown(total, before, today),
  };
}
