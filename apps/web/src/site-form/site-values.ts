import type { Result } from '@sonnenwarte/contract/endpoint';
import type { KeptPurchaseMarket } from '@sonnenwarte/contract/market-prices/market-prices';
import type { form } from '@sonnenwarte/contract/site-form/site-form';
import type { KeptDayPrices } from '@sonnenwarte/contract/sites/day-prices';
import type { Filled } from './fill-place.ts';
import type { ModuleValues } from './pasted-modules.ts';
import type { DayPriceValues, PeriodValues } from './price-periods.ts';

/** What stands in a field for numbers: what is no number is kept as it was typed. */
export type Typed = number | string;

export interface Contact {
  name: string;
  email: string;
  phone: string;
}

export interface ArrayValues {
  name: string;
  azimuthDeg: Typed;
  inclinationDeg: Typed;
  kwp: Typed;
  modules: Typed;
  moduleType: string;
}

/** One price, prices by the time of day, or those of a market, which only purchase can follow. */
export type TariffKind = 'one' | 'byTime' | 'market';

/** A market that is followed; the markup is that of a kWh. */
export interface MarketValues {
  zone: string;
  markup: Typed;
  vat: Typed;
}

/** From when on changed prices count. */
export type PriceValidity = 'now' | 'beginning' | 'day';

/** The plant form as it is typed, for all three routes. */
export interface SiteValues {
  /** The plant that is edited; its draft is its own. */
  id: string;
  name: string;
  type: number | '';
  country: string;
  city: string;
  address: string;
  postcode: string;
  position: { latitude: Typed; longitude: Typed };
  ianaTimezone: string;
  summerTime: boolean;
  price: Typed;
  purchasePrice: Typed;
  feedInKind: TariffKind;
  purchaseKind: TariffKind;
  feedInPeriods: DayPriceValues;
  purchasePeriods: DayPriceValues;
  purchaseMarket: MarketValues;
  currency: string;
  priceValidity: PriceValidity;
  priceValidFrom: string;
  systemCapacity: Typed;
  ratedPowerW: Typed;
  commissionedOn: string;
  gridConnectedOn: string;
  installerContact: Contact;
  userContact: Contact;
  arrays: readonly ArrayValues[];
  modules: readonly ModuleValues[];
  /** A datalogger that is being typed, and a list that is. */
  entry: ModuleValues;
  pasted: string;
  owner: string;
  organisationID: string;
  /** What places filled in. */
  filled: Partial<Filled>;
}

export type SiteRecord = Result<typeof form>;

const nobody: Contact = { name: '', email: '', phone: '' };
export const noModule: ModuleValues = { sn: '', key: '' };

/** Night, day and evening, as most tariffs by the time of day have them. */
const newPeriods: DayPriceValues = {
  weekday: ['00:00', '06:00', '22:00'].map((from) => ({ from, price: '' })),
  weekend: null,
};

export const emptyValues: SiteValues = {
  id: '',
  name: '',
  type: '',
  country: '',
  city: '',
  address: '',
  postcode: '',
  position: { latitude: '', longitude: '' },
  ianaTimezone: '',
  summerTime: true,
  price: '',
  purchasePrice: '',
  feedInKind: 'one',
  purchaseKind: 'one',
  feedInPeriods: newPeriods,
  purchasePeriods: newPeriods,
  purchaseMarket: { zone: '', markup: '', vat: '' },
  currency: '',
  priceValidity: 'now',
  priceValidFrom: '',
  systemCapacity: '',
  ratedPowerW: '',
  commissionedOn: '',
  gridConnectedOn: '',
  installerContact: nobody,
  userContact: nobody,
  arrays: [],
  modules: [],
  entry: noModule,
  pasted: '',
  owner: '',
  organisationID: '',
  filled: {},
};

const priceOf = (price: string | null): Typed => (price === null ? '' : Number(price));

const periodsOf = (kept: KeptDayPrices | null): DayPriceValues => {
  if (kept === null) return newPeriods;
  const typed = ({ from, price }: KeptDayPrices['weekday'][number]): PeriodValues => ({ from, price: Number(price) });
  return { weekday: kept.weekday.map(typed), weekend: kept.weekend?.map(typed) ?? null };
};

const marketOf = (kept: KeptPurchaseMarket | null): MarketValues =>
  kept === null ? emptyValues.purchaseMarket : { zone: kept.zone, markup: Number(kept.markup), vat: Number(kept.vat) };

const purchaseKindOf = ({ purchaseMarket, purchasePeriods }: SiteRecord): TariffKind => {
  if (purchaseMarket !== null) return 'market';
  return purchasePeriods === null ? 'one' : 'byTime';
};

/** A plant as the form begins with it. */
export const valuesOf = (site: SiteRecord): SiteValues => ({
  ...emptyValues,
  id: site.stationID,
  name: site.name,
  type: site.type,
  country: site.country,
  city: site.city,
  address: site.address,
  postcode: site.postcode,
  position: site.position ?? emptyValues.position,
  ianaTimezone: site.ianaTimezone,
  summerTime: site.summerTime,
  price: priceOf(site.price),
  purchasePrice: priceOf(site.purchasePrice),
  feedInKind: site.feedInPeriods === null ? 'one' : 'byTime',
  purchaseKind: purchaseKindOf(site),
  feedInPeriods: periodsOf(site.feedInPeriods),
  purchasePeriods: periodsOf(site.purchasePeriods),
  purchaseMarket: marketOf(site.purchaseMarket),
  currency: site.currency,
  systemCapacity: site.systemCapacity === 0 ? '' : site.systemCapacity,
  ratedPowerW: site.ratedPowerW ?? '',
  commissionedOn: site.commissionedOn ?? '',
  gridConnectedOn: site.gridConnectedOn ?? '',
  installerContact: site.installerContact,
  userContact: site.userContact,
  arrays: site.arrays.map((array) => ({ ...array, modules: array.modules ?? '' })),
  owner: site.owner,
});

/** A price as its exact decimal text. */
const priceText = (price: Typed): string | null => (price === '' ? null : String(price));

const periodTexts = (prices: DayPriceValues) => {
  const texts = (periods: readonly PeriodValues[]) =>
    periods.map(({ from, price }) => ({ from, price: priceText(price) ?? '' }));
  return { weekday: texts(prices.weekday), weekend: prices.weekend && texts(prices.weekend) };
};

const marketTexts = ({ zone, markup, vat }: MarketValues) => ({
  zone,
  markup: priceText(markup) ?? '',
  vat: priceText(vat) ?? '',
});

/** The prices as all three calls take them. */
const pricesOf = (values: SiteValues) => ({
  price: values.feedInKind === 'one' ? priceText(values.price) : null,
  purchasePrice: values.purchaseKind === 'one' ? priceText(values.purchasePrice) : null,
  feedInPeriods: values.feedInKind === 'one' ? null : periodTexts(values.feedInPeriods),
  purchasePeriods: values.purchaseKind === 'byTime' ? periodTexts(values.purchasePeriods) : null,
  purchaseMarket: values.purchaseKind === 'market' ? marketTexts(values.purchaseMarket) : null,
  currency: values.currency,
});

const MICRO = 1_000_000;

/** Installed power of the arrays, as far as it is a number. */
export const kWpOf = (arrays: readonly ArrayValues[]): number =>
  Math.round(arrays.reduce((sum, { kwp }) => sum + (typeof kwp === 'number' ? kwp : 0), 0) * MICRO) / MICRO;

/** The plant itself as all three calls take it. */
export function fieldsOf(values: SiteValues) {
  const { latitude, longitude } = values.position;
  return {
    name: values.name,
    type: values.type,
    country: values.country,
    city: values.city,
    address: values.address,
    postcode: values.postcode,
    position: latitude === '' && longitude === '' ? null : values.position,
    ianaTimezone: values.ianaTimezone,
    summerTime: values.summerTime,
    ...pricesOf(values),
    systemCapacity:
      values.arrays.length > 0 ? kWpOf(values.arrays) : values.systemCapacity === '' ? 0 : values.systemCapacity,
    ratedPowerW: values.ratedPowerW,
    commissionedOn: values.commissionedOn,
    gridConnectedOn: values.gridConnectedOn,
    installerContact: values.installerContact,
    userContact: values.userContact,
    arrays: values.arrays,
  };
}

/** Whether a plant's prices are others than they were. */
export const pricesChanged = (values: SiteValues, site: SiteRecord): boolean =>
  JSON.stringify(pricesOf(values)) !== JSON.stringify(pricesOf(valuesOf(site)));
