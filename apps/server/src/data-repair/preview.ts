import type { ClickHouseClient } from '@clickhouse/client';
import type { RepairChannel } from '@sonnenwarte/contract/data-repair/corrections';
import type { Preview } from '@sonnenwarte/contract/data-repair/data-repair';
import { roundMoney, sumMoney } from '@sonnenwarte/energy/accounting/money';
import { dayBounds, daysOfMonth, localDay } from '@sonnenwarte/energy/calendar';
import type { Kysely } from 'kysely';
import { type TriedDay, triedDays } from '../accounting/tried-days.ts';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { currencyOf } from '../sites/prices.store.ts';
import { type EnergyColumn, type PeriodSum, periodSums, sumsOfDays } from '../sites/site-energy.store.ts';
import { siteOpening } from '../sites/site-opening.store.ts';
import type { SiteFrame } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';
import type { Filled, Filling } from './filled.ts';
import { told } from './findings.ts';

const columnOf: Readonly<Record<RepairChannel, EnergyColumn>> = {
  pv: 'pv_wh',
  external: 'external_wh',
  load: 'load_wh',
  charger: 'charger_wh',
  charge: 'charge_wh',
  discharge: 'discharge_wh',
  import: 'import_wh',
  export: 'export_wh',
  acOut: 'ac_out_wh',
};

type Changes = Pick<Preview, 'days' | 'months' | 'totalWh' | 'currency'>;

interface Stores {
  readonly db: Kysely<Database>;
  readonly telemetry: ClickHouseClient;
}

const orNone = (wh: number | null | undefined): number | null => (wh === undefined || wh === null ? null : told(wh));

function daysOf({ fromMs, toMs }: Filling, zone: string): string[] {
  const days: string[] = [];
  for (
    let day = localDay(fromMs, zone);
    dayBounds(day, zone).startMs < toMs;
    day = localDay(dayBounds(day, zone).endMs, zone)
  )
    days.push(day);
  return days;
}

/** What a plant has on the days of a span, in their months and in all, before a correction and with it: both by the accounting that writes them. */
export async function changesBy(
  { db, telemetry }: Stores,
  frame: SiteFrame,
  site: SiteEntry,
  { device, filling, partsWh }: { device: DeviceEntry; filling: Filling; partsWh: Filled['partsWh'] },
  nowMs: number,
): Promise<Changes> {
  const column = columnOf[filling.channel];
  const days = daysOf(filling, site.zone);
  const client = { client: telemetry };
  const before = await triedDays(client, site, days);
  const { channel, fromMs, toMs } = filling;
  device.corrections = [...device.corrections, { channel, fromMs, toMs, partsWh }];
  const after = await triedDays(client, site, days);
  const whOf = (day: TriedDay | undefined) => day?.sum.energyWh(column);
  const gainWh = days.map((_, place) => (whOf(after[place]) ?? 0) - (whOf(before[place]) ?? 0));
  const today = localDay(nowMs, site.zone);
  const [{ currency }, periods, opening] = await Promise.all([
    currencyOf(db, frame.id, nowMs),
    periodSums(telemetry, frame, { today, yesterday: today }),
    siteOpening(db, frame),
  ]);
  const months: Preview['months'] = [];
  for (const month of new Set(days.map((day) => day.slice(0, 7)))) {
    const sums = await sumsOfDays(telemetry, frame, { first: `${month}-01`, last: daysOfMonth(month).at(-1) ?? '' });
    const isOfMonth = (_: unknown, place: number): boolean => days[place]?.startsWith(month) === true;
    const stoodWh = sumKnown([...sums.values()].map((sum) => sum[column]));
    const stood = [...sums.values()].flatMap(amountsOf);
    const taken = before.filter(isOfMonth).flatMap(amountsOf);
    const given = after.filter(isOfMonth).flatMap(amountsOf);
    months.push({
      month,
      energyWh: changeOf(stoodWh, gainWh.filter(isOfMonth)),
      money: {
        before: moneyOf(stood, currency),
        after: moneyOf([...stood, ...taken.map((amount) => `-${amount}`), ...given], currency),
      },
    });
  }
  const recordedWh = periods.get('total')?.[column];
  const openingWh = opening[column as keyof typeof opening];
  return {
    days: days.map((day, place) => ({
      day,
      beforeWh: orNone(whOf(before[place])),
      afterWh: orNone(whOf(after[place])),
    })),
    months,
    totalWh: changeOf(sumKnown([recordedWh, openingWh]), gainWh),
    currency,
  };
}

const amountsOf = ({ income, saving }: Pick<PeriodSum, 'income' | 'saving'>): string[] =>
  [income, saving].filter((amount) => amount !== null);

const moneyOf = (amounts: readonly string[], currency: string): string | null =>
  amounts.length === 0 ? null : roundMoney(sumMoney(amounts), decimalsOf(currency));

function sumKnown(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

function changeOf(
  beforeWh: number | null,
  gainsWh: readonly number[],
): { before: number | null; after: number | null } {
  const gainWh = gainsWh.reduce((a, b) => a + b, 0);
  return { before: orNone(beforeWh), after: beforeWh === null && gainWh === 0 ? null : told((beforeWh ?? 0) + gainWh) };
}
