import * as z from 'zod/mini';

const wattHours = z.nullable(z.number());

/** An energy and what of it was estimated, Wh; `null` = not known. */
const part = z.object({ energyWh: wattHours, estimatedWh: wattHours });
export type EstimatedPart = z.infer<typeof part>;

/** What of the energies of a period was not measured: read off powers, spread over gaps, or told by the balance. */
const parts = z.object({
  generationWh: part,
  externalWh: part,
  consumptionWh: part,
  feedInWh: part,
  purchaseWh: part,
  chargeWh: part,
  dischargeWh: part,
  chargerWh: part,
});
export type EstimatedParts = z.infer<typeof parts>;

/** Of the periods of the key figures. */
export const siteQuality = z.object({ today: parts, month: parts, year: parts, total: parts });
export type SiteQuality = z.infer<typeof siteQuality>;
