import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import type { EstimatedPart, EstimatedParts } from '@sonnenwarte/contract/sites/site-quality';
import { localDay } from '@sonnenwarte/energy/calendar';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import { dayBefore } from './plant-days.ts';
import { estimatedColumn, type MarkedColumn, markedColumns, type PeriodSum, periodSums } from './site-energy.store.ts';
import { sumOfKnown } from './site-figures.ts';
import { type MarkedOpening, markedOpening } from './site-opening.store.ts';
import { qualityOfEnergy } from './site-quality.ts';
import { beginnings, type SiteStores } from './sites.service.ts';
import { isHeld, siteFrame } from './sites.store.ts';

type Estimates = (typeof siteEndpoints)['estimates'];

/** Energies that a figure adds up. */
const addsUp: Readonly<Record<keyof EstimatedParts, readonly MarkedColumn[]>> = {
  generationWh: ['pv_wh'],
  externalWh: ['external_wh'],
  consumptionWh: ['load_wh', 'charger_wh'],
  feedInWh: ['export_wh'],
  purchaseWh: ['import_wh'],
  chargeWh: ['charge_wh'],
  dischargeWh: ['discharge_wh'],
  chargerWh: ['charger_wh'],
};

const NOT_KNOWN: EstimatedPart = { energyWh: null, estimatedWh: null };

type PartOf = (column: MarkedColumn) => EstimatedPart;

const recordedPart =
  (sum: PeriodSum | undefined): PartOf =>
  (column) => ({ energyWh: sum?.[column] ?? null, estimatedWh: sum?.estimated?.[column] ?? null });

/** Of the time before recording, an energy was counted as a whole or told by the balance as a whole. */
const openingPart =
  ({ energies, marks }: MarkedOpening): PartOf =>
  (column) => {
    const energyWh = energies[column] ?? null;
    if (energyWh === null || marks === null) return { energyWh, estimatedWh: energyWh === 0 ? 0 : null };
    return { energyWh, estimatedWh: qualityOfEnergy(marks, column) === 'estimated' ? energyWh : 0 };
  };

/** Both add up as far as the energies are known; of a known energy it must be known what of it is estimated. */
function added(parts: readonly EstimatedPart[]): EstimatedPart {
  const known = parts.filter(({ energyWh }) => energyWh !== null);
  if (known.length === 0) return NOT_KNOWN;
  const isKnown = known.every(({ estimatedWh }) => estimatedWh !== null);
  return {
    energyWh: withoutNoise(sumOfKnown(...known.map(({ energyWh }) => energyWh))),
    estimatedWh: isKnown ? withoutNoise(sumOfKnown(...known.map(({ estimatedWh }) => estimatedWh))) : null,
  };
}

const partsOf = (...sources: readonly PartOf[]): EstimatedParts =>
  Object.fromEntries(
    Object.entries(addsUp).map(([name, columns]) => [
      name,
      added(columns.flatMap((column) => sources.map((partOf) => partOf(column)))),
    ]),
  ) as EstimatedParts;

/** What of a plant's energies was estimated, by the periods of its key figures. */
export async function siteEstimatesOf(
  { db, telemetry, nowMs }: SiteStores,
  { stationID }: Parsed<Estimates>,
  { scope }: Scoped,
): Promise<Result<Estimates>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const today = localDay(nowMs(), site.timeZone);
  const begins = beginnings(today);
  const [sums, opening] = await Promise.all([
    periodSums(telemetry, site, { today, yesterday: dayBefore(today) }, [
      ...markedColumns,
      ...markedColumns.map(estimatedColumn),
    ]),
    markedOpening(db, site),
  ]);
  const heldPart = (period: 'today' | 'month' | 'year'): EstimatedParts =>
    partsOf(recordedPart(isHeld(site, begins[period]) ? sums.get(period) : undefined));
  return {
    today: heldPart('today'),
    month: heldPart('month'),
    year: heldPart('year'),
    total: partsOf(recordedPart(sums.get('total')), openingPart(opening)),
  };
}
