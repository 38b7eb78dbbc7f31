import type { EstimatedPart } from '@sonnenwarte/contract/sites/site-quality';

/** Shares are shown to a tenth of a percent. */
const LEAST_PERCENT = 0.05;

/** What of an energy is estimated, in percent where that says something: a tenth of it at least, and not all of it. */
export function estimatedShare({
  energyWh,
  estimatedWh,
}: EstimatedPart): number | 'none' | 'little' | 'whole' | 'unknown' {
  if (energyWh === null || energyWh <= 0 || estimatedWh === 0) return 'none';
  if (estimatedWh === null) return 'unknown';
  const percent = (100 * estimatedWh) / energyWh;
  if (percent < LEAST_PERCENT) return 'little';
  return percent >= 100 - LEAST_PERCENT ? 'whole' : percent;
}
