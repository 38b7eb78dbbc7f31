import { ownGeneration, selfUsedWh, suppliedWh } from '@sonnenwarte/energy/accounting/figures';
import {
  earnings,
  type Prices,
  purchaseCost,
  roundMoney,
  sumMoney,
  type TariffSpan,
  tariffSpans,
} from '@sonnenwarte/energy/accounting/money';
import type { SiteBucket } from '@sonnenwarte/energy/accounting/site-balance';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import type { SiteEntry } from '../ingestion/registry/plant-model.ts';
import { entryOf } from '../ingestion/samples/entry-of.ts';
import { eachRowOf } from '../ingestion/samples/row-reader.ts';
import type { Reads } from './recompute-windows.ts';
import { type Money, SiteSum } from './rollup-tables.ts';

export interface DaySum {
  site: SiteEntry;
  day: string;
  sum: SiteSum;
}

export const NO_MONEY: Money = { income: null, saving: null, paid: null };

/** Energies that money is made of. */
const COLUMNS = [
  'pv_wh',
  'external_wh',
  'fuel_wh',
  'load_wh',
  'charger_wh',
  'import_wh',
  'export_wh',
  'pv_to_grid_wh',
  'external_to_grid_wh',
  'fuel_to_grid_wh',
  'grid_to_battery_wh',
] as const;
type Energies = { [C in (typeof COLUMNS)[number]]?: number };

interface Part extends TariffSpan {
  energies: Energies;
}

/** Money of days, each 5-minute bucket at the prices that are valid at its start. */
export async function moneyOfDays(
  telemetry: Reads,
  days: readonly DaySum[],
  /** Buckets of each day, where they are others than those that are written. */
  tried?: readonly (readonly SiteBucket[])[],
): Promise<Money[]> {
  const parts = days.map(({ site, day, sum }): Part[] => {
    const spans = tariffSpans(site.tariffs, dayBounds(day, site.zone), site.zone);
    const [only] = spans;
    if (spans.length === 1 && only !== undefined) return [{ ...only, energies: energiesOf(sum) }];
    return spans.map((span) => ({ ...span, energies: {} }));
  });
  if (tried === undefined) await readParts(telemetry, days, parts);
  else for (const [place, buckets] of tried.entries()) addTried(parts[place] ?? [], buckets);
  return parts.map(moneyOfParts);
}

function energiesOf(sum: SiteSum): Energies {
  const energies: Energies = {};
  for (const column of COLUMNS) {
    const energyWh = sum.energyWh(column);
    if (energyWh !== undefined) energies[column] = energyWh;
  }
  return energies;
}

function addTried(parts: readonly Part[], buckets: readonly SiteBucket[]): void {
  if (parts.length < 2) return;
  for (const bucket of buckets) {
    const part = parts.find(({ startMs, endMs }) => bucket.bucketMs >= startMs && bucket.bucketMs < endMs);
    const sum = new SiteSum();
    sum.addBucket(bucket);
    for (const [column, energyWh] of Object.entries(energiesOf(sum)) as [keyof Energies, number][]) {
      if (part !== undefined) part.energies[column] = (part.energies[column] ?? 0) + energyWh;
    }
  }
}

/** Sums the buckets of days in which prices change. */
async function readParts(telemetry: Reads, days: readonly DaySum[], parts: readonly Part[][]): Promise<void> {
  const divided = new Map<number, Part[]>();
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  days.forEach(({ site }, index) => {
    const own = parts[index] ?? [];
    if (own.length < 2) return;
    entryOf(divided, site.key, () => []).push(...own);
    fromMs = Math.min(fromMs, own[0]?.startMs ?? fromMs);
    toMs = Math.max(toMs, own.at(-1)?.endMs ?? toMs);
  });
  if (divided.size === 0) return;
  await eachRowOf(
    telemetry.client,
    [...divided.keys()],
    (list) => `SELECT site, toUInt32(ts), ${COLUMNS.join(', ')} FROM site_5m FINAL WHERE site IN (${list})
       AND ts >= ${Math.round(fromMs / 1_000)} AND ts < ${Math.round(toMs / 1_000)} ORDER BY site, ts`,
    (rows) => {
      const own = divided.get(rows.uint32());
      const tsMs = rows.uint32() * 1_000;
      const part = own?.find(({ startMs, endMs }) => tsMs >= startMs && tsMs < endMs);
      for (const column of COLUMNS) {
        const energyWh = rows.float64();
        if (part !== undefined && !Number.isNaN(energyWh)) {
          part.energies[column] = (part.energies[column] ?? 0) + energyWh;
        }
      }
    },
  );
}

/** Sums of what is known; none where the currency changes, since amounts of two are never added up. */
function moneyOfParts(parts: readonly Part[]): Money {
  if (new Set(parts.map(({ tariff }) => tariff.currency)).size > 1) return NO_MONEY;
  const money = parts.map(({ energies, tariff }) => moneyOf(energies, tariff));
  return {
    income: sumOfKnown(money.map(({ income }) => income)),
    saving: hasUnknownPrice(parts) ? null : savedInAll(parts, sumOfKnown(money.map(({ saving }) => saving))),
    paid: paidInAll(parts, money),
  };
}

function moneyOf(energies: Energies, tariff: Prices): Money {
  const { export_wh: exportWh, import_wh: importWh } = energies;
  const { generatedWh, exportedWh, fuelUsedWh } = ownGeneration({
    pvWh: energies.pv_wh,
    externalWh: energies.external_wh,
    fuelWh: energies.fuel_wh,
    pvToGridWh: energies.pv_to_grid_wh,
    externalToGridWh: energies.external_to_grid_wh,
    fuelToGridWh: energies.fuel_to_grid_wh,
    exportWh,
  });
  const ownUseWh =
    generatedWh === undefined || exportedWh === undefined ? undefined : selfUsedWh(generatedWh, exportedWh);
  // Without the consumption, what was not sold stands for what the plant supplied of it.
  const savedWh =
    suppliedWh({ loadWh: energies.load_wh, chargerWh: energies.charger_wh, importWh, fuelUsedWh }) ?? ownUseWh;
  const { feedInPricePerKwh, purchasePricePerKwh } = tariff;
  const earned = earnings({
    exportWh: exportWh ?? 0,
    suppliedWh: savedWh ?? 0,
    feedInPricePerKwh: feedInPricePerKwh ?? 0,
    purchasePricePerKwh: purchasePricePerKwh ?? 0,
  });
  return {
    income: feedInPricePerKwh === null || exportWh === undefined ? null : earned.feedIn,
    saving: purchasePricePerKwh === null || savedWh === undefined ? null : earned.saved,
    paid: purchasePricePerKwh === null || importWh === undefined ? null : purchaseCost(importWh, purchasePricePerKwh),
  };
}

/** Whether a price that there is, but that is not known, would be needed: what is known of the day is not the day. */
const hasUnknownPrice = (parts: readonly Part[]): boolean =>
  parts.some(({ tariff, energies }) => tariff.isPurchaseUnknown === true && Object.keys(energies).length > 0);

/**
 * Before the sun gives anything, what the inverters take for themselves is bought, and makes less than nothing of what the plant supplied. No
 * plant costs that in savings; what charged the battery from the grid does, until it is used.
 */
function savedInAll(parts: readonly Part[], saving: string | null): string | null {
  if (saving === null || !saving.startsWith('-')) return saving;
  // Where the market pays who takes energy, what the plant gave instead did cost.
  if (parts.some(({ tariff }) => Number(tariff.purchasePricePerKwh) < 0)) return saving;
  const charged = parts.map(({ energies, tariff: { purchasePricePerKwh } }) =>
    purchaseCost(-Math.max(0, energies.grid_to_battery_wh ?? 0), purchasePricePerKwh ?? 0),
  );
  const leastSaving = sumOfKnown(charged) ?? '0';
  return Number(saving) < Number(leastSaving) ? leastSaving : saving;
}

/** What was bought without a price has no known cost, and so has the day. */
function paidInAll(parts: readonly Part[], money: readonly Money[]): string | null {
  const isUnknown = parts.some(
    ({ energies }, place) => energies.import_wh !== undefined && money[place]?.paid === null,
  );
  return isUnknown ? null : sumOfKnown(money.map(({ paid }) => paid));
}

function sumOfKnown(amounts: readonly (string | null)[]): string | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : roundMoney(sumMoney(known), 6);
}
