import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { SiteFigures, SiteRow } from '@sonnenwarte/contract/sites/site';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { statusCodeOf } from '@sonnenwarte/contract/status';
import { emissionFactorOf, TREE_YEAR } from '@sonnenwarte/energy/accounting/figures';
import { pricesOf } from '@sonnenwarte/energy/accounting/money';
import { qualityAt } from '@sonnenwarte/energy/accounting/quality';
import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { roundedTo, withoutNoise } from '@sonnenwarte/energy/rounding';
import { mayEdit, type Scope } from '../access/scope.ts';
import { toCounts } from '../current-state/state-counts.ts';
import { dataloggersOfSite } from '../dataloggers/dataloggers.store.ts';
import { toDeviceRow } from '../device-rows/device-row.ts';
import { devicesOfSite } from '../device-rows/device-rows.store.ts';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { type Asked, type Found, toRows } from '../stores/lists.ts';
import type { SiteContact } from '../stores/schema-plants.ts';
import { clearSkyCurve } from './clear-sky-curve.ts';
import { toldFrom } from './compared-span.ts';
import { daylightOf } from './daylight.ts';
import { dayBefore } from './plant-days.ts';
import { booksOf, currencyOf, tariffOf } from './prices.store.ts';
import { inOneCurrency } from './site-currency.ts';
import {
  type CurveColumn,
  curve,
  curveColumns,
  daysGrouped,
  hourSums,
  lastDayBefore,
  type Period,
  periodSums,
} from './site-energy.store.ts';
import { sumOfKnown, toFigures, toTotalFigures, withoutRates } from './site-figures.ts';
import { sitesNow } from './site-live.store.ts';
import { toSiteLive } from './site-live.ts';
import { siteOpening } from './site-opening.store.ts';
import { columnsOf, planReport, toReport, yearBars } from './site-report.ts';
import {
  countSitesByState,
  type FiguresSite,
  isHeld,
  listSites,
  type SiteListRow,
  siteDetail,
  siteFrame,
} from './sites.store.ts';

type Sites = typeof siteEndpoints;

export type SiteStores = Uses<'db' | 'telemetry' | 'nowMs'>;

const BUCKET_MS = 300_000;

const siteType = (type: number): SiteRow['type'] => (type === 2 || type === 3 || type === 4 ? type : 1);

/** By where somebody sees a plant from; who lacks the code of an action is not offered it. */
function whatMayBeDone(site: SiteListRow, scope: Scope): SiteRow['can'] {
  const edit = mayEdit(scope, site);
  return {
    edit,
    share: edit,
    delete: scope.kind === 'organisation' || scope.kind === 'all',
    migrate: scope.kind === 'all',
    workMode: edit || site.share?.sets_work_mode === true,
  };
}

/** A plant as lists tell of it. */
export const toRow = (site: SiteListRow, scope: Scope): SiteRow => ({
  stationID: site.id,
  name: site.name,
  status: statusCodeOf(site.state),
  state: site.state,
  type: siteType(site.type),
  country: site.country,
  city: site.city,
  ianaTimezone: site.time_zone,
  systemCapacity: site.system_size_kwp,
  pvPowerW: withoutNoise(site.pv_w),
  socPercent: withoutNoise(site.soc_percent),
  todayWh: withoutNoise(site.today_wh),
  monthWh: withoutNoise(site.month_wh),
  totalWh: withoutNoise(site.total_wh),
  todayQuality: qualityAt(site.pv_marks, 0),
  monthQuality: qualityAt(site.pv_marks, 1),
  totalQuality: qualityAt(site.pv_marks, 2),
  historyPercent: site.history_percent,
  recalculating: site.is_recalculated,
  specificYieldToday:
    site.today_wh !== null && site.system_size_kwp > 0
      ? roundedTo(site.today_wh / 1_000 / site.system_size_kwp, 6)
      : null,
  peersYieldToday: site.peers_yield_today === null ? null : roundedTo(site.peers_yield_today, 6),
  weekLossWh: site.week_loss_wh === null ? null : withoutNoise(site.week_loss_wh),
  installer: site.installer ?? '',
  owner: site.owner,
  updatedAtMs: site.ts?.getTime() ?? null,
  intervalS: site.interval_s,
  demo: site.demo,
  sharedBy: site.share?.by ?? '',
  can: whatMayBeDone(site, scope),
});

/** Plants in scope. */
export const siteList = async (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Asked<Sites['list']>,
  { scope }: Scoped,
): Promise<Found<SiteRow>> => toRows(await listSites(db, scope, input, nowMs()), (row) => toRow(row, scope));

export const siteStatusAll = async (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: unknown,
  { scope }: Scoped,
): Promise<Result<Sites['statusAll']>> => toCounts(await countSitesByState(db, scope, nowMs()));

/** One plant. */
export async function siteOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID: id }: Parsed<Sites['detail']>,
  { scope }: Scoped,
): Promise<Result<Sites['detail']>> {
  const now = nowMs();
  const site = found(await siteDetail(db, scope, id, now), 'siteNotFound');
  const { latitude, longitude, feed_in_periods: feedInPeriods, purchase_periods: purchasePeriods, currency } = site;
  const { feed_in_price: feedInPrice, purchase_price: purchasePrice, purchase_market: purchaseMarket } = site;
  const prices = { feedInPrice, purchasePrice, feedInPeriods, purchasePeriods, purchaseMarket, currency };
  const valid = pricesOf(tariffOf(prices, now, await booksOf(db, [prices])), now, site.time_zone);
  return {
    ...toRow(site, scope),
    address: site.address,
    postcode: site.postcode,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
    price: valid.feedInPricePerKwh,
    purchasePrice: valid.purchasePricePerKwh,
    feedInPeriods,
    purchasePeriods,
    purchaseMarket,
    currency,
    ratedPowerW: site.rated_power_w,
    batteryCapacityWh: site.battery_capacity_wh,
    commissionedOn: site.commissioned_on,
    gridConnectedOn: site.grid_connected_on,
    createDate: site.created_at.toISOString(),
    user: contactOf(site.user_contact, {
      name: site.owner,
      email: site.owner_email ?? '',
      phone: site.owner_phone ?? '',
    }),
    installerContact: contactOf(site.installer_contact, {
      name: site.installer ?? '',
      email: site.installer_email ?? '',
      phone: site.installer_phone ?? '',
    }),
    hasBattery: site.has_battery,
  };
}

/** Whom to ask, as entered, or else who is known by an account. */
const contactOf = (entered: SiteContact, known: SiteContact): SiteContact =>
  [entered.name, entered.email, entered.phone].some((text) => text !== '') ? entered : known;

/** Powers of a plant now. */
export async function siteLiveOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID: id }: Parsed<Sites['live']>,
  { scope }: Scoped,
): Promise<Result<Sites['live']>> {
  const now = nowMs();
  const [site] = await sitesNow(db, scope, [id], now);
  return toSiteLive(found(site, 'siteNotFound'), now);
}

interface PlantFigures {
  readonly figures: SiteFigures;
  /** Energy at the inverters' AC terminals: what open interfaces call generation. */
  readonly outputWh: (period: Exclude<Period, 'yesterday'>) => number | null;
}

/** The day that has to be held so that a period is told. Yesterday is what today is compared to: it is whole or not there. */
export const beginnings = (today: string) => ({
  today,
  yesterday: toldFrom(dayBefore(today), today),
  month: toldFrom(`${today.slice(0, 7)}-01`, today),
  year: toldFrom(`${today.slice(0, 4)}-01-01`, today),
});

/** Key figures of a plant that the caller may see. */
export async function figuresOf({ db, telemetry, nowMs }: SiteStores, site: FiguresSite): Promise<PlantFigures> {
  const now = nowMs();
  const today = localDay(now, site.timeZone);
  const yesterday = dayBefore(today);
  const begins = beginnings(today);
  const [sums, opening, { currency, sinceMs }] = await Promise.all([
    periodSums(telemetry, site, { today, yesterday }),
    siteOpening(db, site),
    currencyOf(db, site.id, now),
  ]);
  const sumOf = (period: keyof typeof begins) => (isHeld(site, begins[period]) ? sums.get(period) : undefined);
  const figures = {
    today: toFigures(sumOf('today'), site),
    yesterday: toFigures(sumOf('yesterday'), site),
    month: toFigures(sumOf('month'), site),
    year: toFigures(sumOf('year'), site),
    total: toTotalFigures(sums.get('total'), opening, site),
  };
  if (!isHeld(site, today)) {
    for (const period of ['month', 'year', 'total'] as const) figures[period] = withoutRates(figures[period]);
  }
  const shown = await inOneCurrency(telemetry, site, figures, { today, yesterday, sinceMs });
  return {
    figures: { currency, co2: co2FactorsOf(site.country), recalculating: site.isRecalculated, ...shown },
    outputWh: (period) => {
      const recorded = sums.get(period)?.ac_out_wh ?? null;
      return withoutNoise(period === 'total' ? sumOfKnown(recorded, opening.ac_out_wh ?? null) : recorded);
    },
  };
}

const co2FactorsOf = (country: string): SiteFigures['co2'] => {
  const { kgPerKwh, source } = emissionFactorOf(country);
  return { kgPerKwh, source, kgPerTreeYear: TREE_YEAR.kg, treeSource: TREE_YEAR.source };
};

/** Key figures of a plant. */
export async function siteFiguresOf(
  stores: SiteStores,
  { stationID: id }: Parsed<Sites['figures']>,
  { scope }: Scoped,
): Promise<Result<Sites['figures']>> {
  return (await figuresOf(stores, found(await siteFrame(stores.db, scope, id), 'siteNotFound'))).figures;
}

/** Five-minute means of a plant-local day: every bucket of the day, null where nothing was measured. */
export async function siteDayOf(
  { db, telemetry }: Uses<'db' | 'telemetry'>,
  { stationID, date }: Parsed<Sites['day']>,
  { scope }: Scoped,
): Promise<Result<Sites['day']>> {
  const site = found(await siteFrame(db, scope, stationID), 'siteNotFound');
  const { startMs, endMs } = dayBounds(date, site.timeZone);
  const length = Math.ceil((endMs - startMs) / BUCKET_MS);
  const tsMs = Array.from({ length }, (_, position) => startMs + position * BUCKET_MS);
  const rows = await curve(telemetry, site, { startMs, endMs });
  const series = (column: CurveColumn): (number | null)[] => {
    const values = new Array<number | null>(length).fill(null);
    const place = 1 + curveColumns.indexOf(column);
    for (const row of rows) values[Math.floor((row[0] * 1_000 - startMs) / BUCKET_MS)] = row[place] ?? null;
    return values;
  };
  return {
    date,
    ianaTimezone: site.timeZone,
    startMs,
    endMs,
    bucketMs: BUCKET_MS,
    tsMs,
    pvW: series('pv_w'),
    externalW: series('external_w'),
    batteryW: series('battery_w'),
    gridW: series('grid_w'),
    loadW: series('load_w'),
    chargerW: series('charger_w'),
    socPercent: series('soc_percent'),
    clearSkyW: clearSkyCurve(site, tsMs),
    ...daylightOf(site, { startMs, endMs }),
    earlierDay: rows.length > 0 ? null : await lastDayBefore(telemetry, site, date),
  };
}

/** Energies by hour, day, month or year. */
export async function siteReport(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  input: Parsed<Sites['historyReport']>,
  { scope }: Scoped,
): Promise<Result<Sites['historyReport']>> {
  const site = found(await siteFrame(db, scope, input.stationID), 'siteNotFound');
  const { variables } = input;
  const columns = columnsOf(variables);
  const plan = planReport(input, site.timeZone, nowMs());
  if (plan.by === 'hour') {
    const isThere = isHeld(site, localDay(plan.startMs, site.timeZone));
    return toReport(
      variables,
      plan.bars,
      isThere ? await hourSums(telemetry, site, plan, columns) : new Map<string, never>(),
    );
  }
  const last = isHeld(site, plan.last) ? plan.last : (site.heldDay ?? plan.last);
  const sums = await daysGrouped(telemetry, site, { ...plan, last }, plan.by, columns);
  return toReport(variables, plan.by === 'year' ? yearBars(sums.keys()) : plan.bars, sums);
}

/** The devices of a plant with their dataloggers. */
export async function siteDevices(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationID: id }: Parsed<Sites['devices']>,
  { scope }: Scoped,
): Promise<Result<Sites['devices']>> {
  const now = nowMs();
  const site = found(await siteFrame(db, scope, id), 'siteNotFound');
  const [dataloggers, devices] = await Promise.all([
    dataloggersOfSite(db, scope, site.id, now),
    devicesOfSite(db, scope, site.id, now),
  ]);
  return {
    modules: dataloggers.map((datalogger) => ({
      moduleSN: datalogger.sn,
      state: datalogger.is_online ? 'normal' : 'offline',
      type: datalogger.type,
      version: datalogger.firmware,
      signalDbm: datalogger.rssi_dbm,
      lastSeenMs: datalogger.last_seen_at?.getTime() ?? null,
      intervalS: datalogger.report_interval_s,
    })),
    devices: devices.map(toDeviceRow),
  };
}
