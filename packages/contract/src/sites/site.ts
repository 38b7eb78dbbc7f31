import * as z from 'zod/mini';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import { keptPurchaseMarket } from '../market-prices/market-prices.ts';
import { quality, state, statusCode } from '../status.ts';
import { keptDayPrices } from './day-prices.ts';

/** 1 PV, 2 storage, 3 charging pile, 4 mini device. */
export const siteTypes = [1, 2, 3, 4] as const;
export const siteType = z.literal(siteTypes);

const watts = z.nullable(z.number());
const wattHours = z.nullable(z.number());
const percent = z.nullable(z.number());

/**
 * How much of the history that a plant's dataloggers still send has been accounted, in percent; `null` where none comes. Until then
 * its sums are preliminary, and those of days, months and years that it has not come to yet are `null`.
 */
const historyPercent = z.nullable(z.int().check(z.gte(0), z.lte(99)));

/** Whether past figures are just being made anew, e.g. since devices came or went: sums may be incomplete. */
const recalculating = z.boolean();

const contact = z.object({ name: z.string(), email: z.string(), phone: z.string() });

/** A site as lists show it. Powers in W, energies in Wh, `null` = not measured. */
export const siteRow = z.object({
  stationID: z.string(),
  name: z.string(),
  status: statusCode,
  state,
  type: siteType,
  country: z.string(),
  city: z.string(),
  ianaTimezone: z.string(),
  /** kWp. */
  systemCapacity: z.number(),
  pvPowerW: watts,
  socPercent: percent,
  todayWh: wattHours,
  monthWh: wattHours,
  totalWh: wattHours,
  /** How `todayWh`, `monthWh` and `totalWh` came about. */
  todayQuality: quality,
  monthQuality: quality,
  totalQuality: quality,
  historyPercent,
  recalculating,
  /** kWh/kWp of the running local day (IEC 61724-1). */
  specificYieldToday: z.nullable(z.number()),
  /** Median of the plants within 50 km of which the same is known; `null` where these are fewer than five. */
  peersYieldToday: z.nullable(z.number()),
  /** What it lost within its newest seven whole days against what it could have given; `null` = not known. */
  weekLossWh: wattHours,
  installer: z.string(),
  owner: z.string(),
  /** Time of the newest sample, `null` before the first. */
  updatedAtMs: z.nullable(z.int()),
  /** Upload interval in seconds of the site's dataloggers; the age of values is judged by it. */
  intervalS: z.int(),
  demo: z.boolean(),
  /** Who has shared it with the caller; empty where it is not shared. */
  sharedBy: z.string(),
  /** What is shared is edited and shared on by its owner only; it may allow to change the work mode. */
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    migrate: z.boolean(),
    share: z.boolean(),
    workMode: z.boolean(),
  }),
});
export type SiteRow = z.infer<typeof siteRow>;

export const siteFields = fieldsOf(siteRow)({
  name: is.text,
  state: is.state,
  type: is.choice('sites.type', siteTypes),
  city: is.text,
  country: is.country,
  systemCapacity: is.capacity,
  pvPowerW: is.power,
  socPercent: is.percent,
  todayWh: { ...is.energy, quality: 'todayQuality' },
  monthWh: unsorted({ ...is.energy, quality: 'monthQuality' }),
  totalWh: { ...is.energy, quality: 'totalQuality' },
  specificYieldToday: is.specificYield,
  peersYieldToday: unsorted(is.specificYield),
  weekLossWh: is.energy,
  installer: is.text,
  owner: is.text,
  updatedAtMs: is.time,
});

export const site = z.extend(siteRow, {
  address: z.string(),
  postcode: z.string(),
  position: z.nullable(z.object({ latitude: z.number(), longitude: z.number() })),
  /** Feed-in tariff and purchase price per kWh as decimal strings, as they are valid now. */
  price: z.nullable(z.string()),
  purchasePrice: z.nullable(z.string()),
  /** Where they depend on the time of day: all of them. */
  feedInPeriods: z.nullable(keptDayPrices),
  purchasePeriods: z.nullable(keptDayPrices),
  /** Where the purchase price follows a market; `purchasePrice` is null while the market's is not known. */
  purchaseMarket: z.nullable(keptPurchaseMarket),
  currency: z.string(),
  ratedPowerW: z.nullable(z.number()),
  batteryCapacityWh: z.nullable(z.number()),
  commissionedOn: z.nullable(z.string()),
  gridConnectedOn: z.nullable(z.string()),
  createDate: z.string(),
  /** As entered; where nothing was, those of the owner's account and of the organisation. */
  user: contact,
  installerContact: contact,
  hasBattery: z.boolean(),
});
export type Site = z.infer<typeof site>;

/** A node of the live flow; `null` instead of a node means that the plant has none, and none is drawn. */
const flowNode = z.object({
  powerW: watts,
  online: z.boolean(),
  derived: z.boolean(),
  deviceID: z.nullable(z.string()),
  sn: z.nullable(z.string()),
});

/** Signed powers of now: battery + discharge, grid + import, inverter + towards the house. */
export const siteLive = z.object({
  stationID: z.string(),
  name: z.string(),
  state,
  status: statusCode,
  asOfMs: z.nullable(z.int()),
  intervalS: z.int(),
  pv: z.nullable(flowNode),
  external: z.nullable(flowNode),
  battery: z.nullable(z.extend(flowNode, { socPercent: percent, capacityWh: z.nullable(z.number()) })),
  inverter: z.nullable(z.extend(flowNode, { workMode: z.nullable(z.int()), count: z.int() })),
  gateway: z.nullable(z.extend(flowNode, { onGrid: z.nullable(z.boolean()) })),
  grid: z.nullable(flowNode),
  load: z.nullable(flowNode),
  charger: z.nullable(z.extend(flowNode, { status: z.nullable(z.string()) })),
  todayWh: wattHours,
  todayQuality: quality,
  historyPercent,
  recalculating,
});
export type SiteLive = z.infer<typeof siteLive>;
export type FlowNode = z.infer<typeof flowNode>;

const figureShape = {
  generationWh: wattHours.check(z.describe('Energy of PV arrays at the DC inputs (pvWh).')),
  externalWh: wattHours,
  consumptionWh: wattHours.check(
    z.describe('Energy of house and charging piles, backup output included (loadWh + chargerWh).'),
  ),
  selfUseWh: wattHours,
  feedInWh: wattHours,
  purchaseWh: wattHours,
  chargeWh: wattHours,
  dischargeWh: wattHours,
  chargerWh: wattHours,
  income: z.nullable(z.string()),
  saving: z.nullable(z.string()),
  paid: z
    .nullable(z.string())
    .check(z.describe('What was bought, each five minutes at the price valid at their start.')),
  co2Kg: z.nullable(z.number()),
  selfConsumptionPercent: percent,
  selfSufficiencyPercent: percent,
  /** kWh/kWp. */
  specificYield: z.nullable(z.number()),
} as const;
export type FigureName = keyof typeof figureShape;
export const figureNames = Object.keys(figureShape) as readonly FigureName[];

const figureQualities = Object.fromEntries(figureNames.map((name) => [name, quality])) as Readonly<
  Record<FigureName, typeof quality>
>;

/** Key figures of a period; definitions in docs/domain.md. Money as decimal strings in the site's currency. */
export const figures = z.object({
  ...figureShape,
  /** The worst of all figures. */
  quality,
  /** How each figure came about. */
  qualities: z.object(figureQualities),
  /** The day from which there is money, where that is later than the energies of the period begin. */
  moneySince: z.nullable(z.string()),
});
export type Figures = z.infer<typeof figures>;

export const siteFigures = z.object({
  /** Of the prices that are valid now. A period that has money in another one has no amounts. */
  currency: z.string(),
  /** What avoided CO2 is reckoned by: kg for each kWh of the country's grid, and kg that a tree takes up in a year; each with its source. */
  co2: z.object({ kgPerKwh: z.number(), source: z.string(), kgPerTreeYear: z.number(), treeSource: z.string() }),
  recalculating,
  today: figures,
  yesterday: figures,
  month: figures,
  year: figures,
  total: figures,
});
export type SiteFigures = z.infer<typeof siteFigures>;

const series = z.array(z.nullable(z.number()));

/** Five-minute means of a plant-local day; `null` is a gap. All arrays have the length of `tsMs`. */
export const siteDay = z.object({
  date: z.string(),
  ianaTimezone: z.string(),
  startMs: z.int(),
  endMs: z.int(),
  bucketMs: z.int(),
  tsMs: z.array(z.int()),
  pvW: series,
  externalW: series,
  batteryW: series,
  gridW: series,
  loadW: series,
  chargerW: series,
  socPercent: series,
  /** Clear-sky PV power that the site's arrays would give, W; `null` without a position or a size. */
  clearSkyW: z.nullable(series),
  /** When the sun comes up and goes down; `null` without a position, and where it does not that day. */
  sunriseMs: z.nullable(z.int()),
  sunsetMs: z.nullable(z.int()),
  /** Of a day without values: the last day before it that has some. */
  earlierDay: z.nullable(z.string()),
});
export type SiteDay = z.infer<typeof siteDay>;

/** Energies in kWh that a report can hold. Spellings of the API family stay (`...ToTal`). */
export const reportVariables = [
  'generation',
  'PVEnergyTotal',
  'external',
  'feedin',
  'gridConsumption',
  'loads',
  'charger',
  'chargeEnergyToTal',
  'dischargeEnergyToTal',
  'pvToLoad',
  'pvToCharger',
  'pvToBattery',
  'pvToGrid',
  'externalToLoad',
  'externalToCharger',
  'batteryToLoad',
  'batteryToCharger',
  'batteryToGrid',
  'gridToLoad',
  'gridToCharger',
  'gridToBattery',
  'loss',
] as const;
export const reportVariable = z
  .enum(reportVariables)
  .check(
    z.describe(
      "generation: energy at the inverters' AC terminals. PVEnergyTotal: of PV arrays at the DC inputs. " +
        'loads: of the house, charging piles not included; loads + charger is the consumption of the key figures. ' +
        'loss: what all sources gave beyond what the sinks took.',
    ),
  );
export type ReportVariable = z.infer<typeof reportVariable>;

/** Periods: hours of a day, days of a month, months of a year, years of the plant's life. */
export const reportType = z.enum(['day', 'month', 'year', 'total']);

export const queryDate = z.object({
  year: z.int().check(z.gte(2000), z.lte(2100)),
  month: z._default(z.int().check(z.gte(1), z.lte(12)), 1),
  day: z._default(z.int().check(z.gte(1), z.lte(31)), 1),
  hour: z.optional(z.int().check(z.gte(0), z.lte(23))),
});

/**
 * `index` counts from 1; of a total report it is the year. On days of 23 or 25 hours there are as many entries; of one whose
 * clock changes by half an hour the half is an entry of its own.
 */
export const report = z.array(
  z.object({
    variable: reportVariable,
    unit: z.literal('kWh'),
    data: z.array(z.object({ index: z.int(), value: z.nullable(z.number()), quality, label: z.string() })),
  }),
);
export type Report = z.infer<typeof report>;
