import { createHash } from 'node:crypto';
import type { RefusedFields } from '@sonnenwarte/contract/envelope';
import { lastPlannedDay } from '@sonnenwarte/contract/factory/warranty';
import type { EnteredSite } from '@sonnenwarte/contract/site-form/site-form';
import type { DayPrices } from '@sonnenwarte/energy/accounting/day-prices';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import { standardZone } from '@sonnenwarte/energy/standard-time';
import { countryCodes } from '../map/countries.ts';
import type { Prices } from '../sites/prices.store.ts';
import type { FormRow, SiteColumns } from './site-form.store.ts';

type RefusedField = RefusedFields['fields'][number];

const knownCountries: ReadonlySet<string> = new Set(countryCodes);
const NO_CONTACT = { name: '', email: '', phone: '' };

/** Days of a plant that may be planned so far ahead and no further: its units are warranted from one of them on. */
const plannedDays = ['commissionedOn', 'gridConnectedOn'] as const;
export type PlannedDays = Pick<EnteredSite, (typeof plannedDays)[number]>;

export const plannedDaysOf = ({
  commissioned_on: commissionedOn,
  grid_connected_on: gridConnectedOn,
}: Pick<FormRow, 'commissioned_on' | 'grid_connected_on'>): PlannedDays => ({ commissionedOn, gridConnectedOn });

/** What no schema can tell of the fields of a form; days that stand there already stay. */
export function refusedFieldsOf(entered: EnteredSite, nowMs: number, before?: PlannedDays): RefusedField[] {
  const { country, ianaTimezone, summerTime } = entered;
  const refused = (path: string, reason: string): RefusedField => ({ path, reason, params: {} });
  const fields = knownCountries.has(country) ? [] : [refused('country', 'unknown')];
  const lastDay = lastPlannedDay(nowMs);
  for (const name of plannedDays) {
    const day = entered[name];
    if (day !== null && day > lastDay && day !== before?.[name]) fields.push(refused(name, 'tooFarAhead'));
  }
  // Of one price and prices by the time of day nobody knows which is meant.
  if (entered.price !== null && entered.feedInPeriods !== null) fields.push(refused('price', 'invalid_value'));
  if (entered.purchasePrice !== null && entered.purchasePeriods !== null) {
    fields.push(refused('purchasePrice', 'invalid_value'));
  }
  if (entered.purchaseMarket !== null && (entered.purchasePrice !== null || entered.purchasePeriods !== null)) {
    fields.push(refused('purchaseMarket.zone', 'invalid_value'));
  }
  if (!isValidZone(ianaTimezone)) return [...fields, refused('ianaTimezone', 'unknown')];
  const hasClock = summerTime || standardZone(ianaTimezone, nowMs) !== undefined;
  return hasClock ? fields : [...fields, refused('summerTime', 'unknown')];
}

/** Whether prices are worth the same, however many zeros they end with. */
export const isSamePrice = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : Number(a) === Number(b);

/** A decimal of the database without the zeros at its end. */
const shortDecimal = (value: string | null): string | null =>
  value === null || !value.includes('.') ? value : value.replace(/\.?0+$/, '');

function shortPeriods(prices: DayPrices | null): DayPrices | null {
  if (prices === null) return null;
  const short = (periods: DayPrices['weekday']) =>
    periods.map(({ from, price }) => ({ from, price: shortDecimal(price) ?? price }));
  return { weekday: short(prices.weekday), weekend: prices.weekend && short(prices.weekend) };
}

const shortMarket = (market: EnteredSite['purchaseMarket']): EnteredSite['purchaseMarket'] =>
  market && {
    zone: market.zone,
    markup: shortDecimal(market.markup) ?? market.markup,
    vat: shortDecimal(market.vat) ?? market.vat,
  };

/** The prices that were entered. */
export const pricesIn = (entered: EnteredSite): Prices => ({
  feedInPrice: entered.price,
  purchasePrice: entered.purchasePrice,
  feedInPeriods: shortPeriods(entered.feedInPeriods),
  purchasePeriods: shortPeriods(entered.purchasePeriods),
  purchaseMarket: shortMarket(entered.purchaseMarket),
  currency: entered.currency,
});

/** Prices as the form shows them. */
export const toldPrices = (prices: Prices) => ({
  price: shortDecimal(prices.feedInPrice),
  purchasePrice: shortDecimal(prices.purchasePrice),
  feedInPeriods: prices.feedInPeriods,
  purchasePeriods: prices.purchasePeriods,
  purchaseMarket: prices.purchaseMarket,
  currency: prices.currency,
});

const siteType = (type: number): EnteredSite['type'] => (type === 2 || type === 3 || type === 4 ? type : 1);

/** From what is kept to the fields of the form. */
export const enteredOf = (row: FormRow, prices: Prices): EnteredSite => ({
  name: row.name,
  type: siteType(row.type),
  country: row.country,
  city: row.city,
  address: row.address,
  postcode: row.postcode,
  position:
    row.latitude === null || row.longitude === null ? null : { latitude: row.latitude, longitude: row.longitude },
  ianaTimezone: row.place_zone ?? row.time_zone,
  summerTime: row.place_zone === null,
  ...toldPrices(prices),
  systemCapacity: row.system_size_kwp,
  ratedPowerW: row.rated_power_w,
  commissionedOn: row.commissioned_on,
  gridConnectedOn: row.grid_connected_on,
  installerContact: { ...NO_CONTACT, ...row.installer_contact },
  userContact: { ...NO_CONTACT, ...row.user_contact },
  arrays: row.arrays.map(({ azimuthDeg, inclinationDeg, kwp, name = '', modules = null, moduleType = '' }) => ({
    name,
    azimuthDeg,
    inclinationDeg,
    kwp,
    modules,
    moduleType,
  })),
});

/** From the fields of the form to what is kept. The height above the sea is known of a position that stays. */
export function columnsOf(
  entered: EnteredSite,
  nowMs: number,
  before?: Pick<FormRow, 'latitude' | 'longitude' | 'altitude_m'>,
): SiteColumns {
  const { position, ianaTimezone, summerTime, arrays } = entered;
  const [latitude, longitude] = [position?.latitude ?? null, position?.longitude ?? null];
  const stays = before !== undefined && before.latitude === latitude && before.longitude === longitude;
  return {
    name: entered.name,
    type: entered.type,
    country: entered.country,
    city: entered.city,
    address: entered.address,
    postcode: entered.postcode,
    latitude,
    longitude,
    altitude_m: stays ? before.altitude_m : null,
    time_zone: summerTime ? ianaTimezone : (standardZone(ianaTimezone, nowMs) ?? ianaTimezone),
    place_zone: summerTime ? null : ianaTimezone,
    system_size_kwp:
      arrays.length === 0
        ? entered.systemCapacity
        : roundedTo(
            arrays.reduce((sum, { kwp }) => sum + kwp, 0),
            6,
          ),
    rated_power_w: entered.ratedPowerW,
    commissioned_on: entered.commissionedOn,
    grid_connected_on: entered.gridConnectedOn,
    arrays,
    installer_contact: entered.installerContact,
    user_contact: entered.userContact,
  };
}

/** Tells two states of a form apart. */
export const versionOf = (entered: EnteredSite): string =>
  createHash('sha256').update(JSON.stringify(entered)).digest('hex').slice(0, 32);
