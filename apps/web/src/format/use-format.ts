import { type QuantityKind, quantities } from '@sonnenwarte/contract/kinds';
import { FALLBACK_LANGUAGE, type Language, languages, localeOf } from '@sonnenwarte/contract/languages';
import { tagOf } from '@sonnenwarte/phrases/languages';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type CalendarDay,
  formatAge,
  formatDateTime,
  formatDateTimeAt,
  formatDay,
  formatDayLong,
  formatMoment,
  formatMonth,
  formatMonthName,
  formatMonthShort,
  formatSeconds,
  formatTime,
  formatTimeWithZone,
  formatWeekday,
  formatWeekdayLong,
} from './dates.ts';
import { localZone } from './local-zone.ts';
import {
  columnScale,
  currencySign,
  energyAxis,
  energyParts,
  energyQuantity,
  formatChange,
  formatCountry,
  formatEnergy,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPoint,
  formatPosition,
  formatPower,
  formatPrice,
  formatSpokenPrice,
  formatUnitPrice,
  joinQuantity,
  NOT_MEASURED,
  type Position,
  powerAxis,
  powerQuantity,
  type Quantity,
} from './quantities.ts';
import { type Units, useUnits } from './units.ts';

const kWpUnitOf = (language: Language): string => (language === 'fr' ? 'kWc' : 'kWp');

const capacityQuantity = (kWp: number, decimals: number, language: Language): Quantity =>
  kWp > 0
    ? { value: formatNumber(kWp, localeOf(language), decimals), unit: kWpUnitOf(language) }
    : { value: NOT_MEASURED, unit: '' };

/** What a quantity is called to be 0 although it was never written down. */
const unknownIfNought = (kind: QuantityKind, value: number | null): number | null =>
  kind === 'capacity' && value === 0 ? null : value;

const bind = (language: Language, units: Units) => {
  const locale = localeOf(language);
  const unitOf = (unit: string): string => unit.replace('kWp', kWpUnitOf(language));
  return {
    language,
    locale,
    kWpUnit: kWpUnitOf(language),
    number: (value: number | null, decimals?: number) => formatNumber(value, locale, decimals),
    /** Installed power; none was written down where it is 0. */
    capacity: (kWp: number, decimals: number) => joinQuantity(capacityQuantity(kWp, decimals, language)),
    capacityQuantity: (kWp: number, decimals: number) => capacityQuantity(kWp, decimals, language),
    power: (powerW: number | null) => formatPower(powerW, locale),
    powerQuantity: (powerW: number | null) => powerQuantity(powerW, locale),
    powerAxis: (valuesW: readonly number[]) => powerAxis(valuesW, locale),
    energyAxis: (valuesWh: readonly number[]) => energyAxis(valuesWh, locale),
    energy: (energyWh: number | null) => formatEnergy(energyWh, locale),
    energyParts: (valuesWh: readonly (number | null)[]) => energyParts(valuesWh, locale),
    energyQuantity: (energyWh: number | null) => energyQuantity(energyWh, locale),
    percent: (percent: number | null, decimals?: number) => formatPercent(percent, locale, decimals),
    /** One unit for the numbers of a column, and how each of them stands below it. */
    column: (kind: QuantityKind, values: readonly (number | null)[]) => {
      const { unit, holds, decimals } = columnScale(kind, values);
      const text = (value: number | null): string => {
        const known = unknownIfNought(kind, value);
        return formatNumber(known === null ? null : known / holds, locale, decimals);
      };
      return {
        unit: unitOf(unit),
        text,
        /** The same number where no header says the unit. */
        withUnit: (value: number | null): string => {
          if (kind === 'percent') return formatPercent(value, locale);
          const amount = text(value);
          return joinQuantity({ value: amount, unit: amount === NOT_MEASURED ? '' : unitOf(unit) });
        },
      };
    },
    /** A quantity by itself, with its unit. */
    quantity: (kind: QuantityKind, value: number | null) => {
      if (kind === 'power') return formatPower(value, locale);
      if (kind === 'energy') return formatEnergy(value, locale);
      if (kind === 'percent') return formatPercent(value, locale);
      const { shown, decimals } = quantities[kind];
      const known = unknownIfNought(kind, value);
      return joinQuantity({
        value: formatNumber(known, locale, decimals),
        unit: known === null ? '' : unitOf(shown),
      });
    },
    change: (percent: number | null) => formatChange(percent, locale),
    money: (amount: string | null, currency: string) => formatMoney(amount, currency, locale),
    currencySign: (currency: string) => currencySign(currency, locale),
    price: (amount: string | null, currency: string) => formatPrice(amount, currency, locale),
    unitPrice: (amount: string | null, currency: string) => formatUnitPrice(amount, currency, locale),
    spokenPrice: (amount: string | null, currency: string) => formatSpokenPrice(amount, currency, locale),
    country: (code: string) => formatCountry(code, locale),
    position: (position: Position) => formatPosition(position, locale),
    point: (value: number | string | boolean, unit: string) => formatPoint(value, unit, locale, units),
    seconds: (seconds: number) => formatSeconds(seconds, locale),
    age: (ageMs: number) => formatAge(ageMs, locale),
    time: (tsMs: number | null, timeZone: string) => formatTime(tsMs, timeZone, locale),
    timeWithZone: (tsMs: number, timeZone: string) => formatTimeWithZone(tsMs, timeZone, locale),
    dateTime: (tsMs: number | null, timeZone: string) => formatDateTime(tsMs, timeZone, locale),
    /** A moment on the clock of a plant to the thousandth of a second. */
    exactTime: (tsMs: number, timeZone: string) => formatMoment(tsMs, timeZone, locale),
    /** A moment on the clock of a plant, with the name of its zone where that is not the clock of whoever looks. */
    plantTime: (tsMs: number, timeZone: string) => formatDateTimeAt(tsMs, timeZone, localZone(), locale),
    /** A moment on the clock of whoever looks. */
    localTime: (tsMs: number | null) => formatDateTime(tsMs, localZone(), locale),
    day: (day: CalendarDay) => formatDay(day, locale),
    dayLong: (day: CalendarDay) => formatDayLong(day, locale),
    month: (day: CalendarDay) => formatMonth(day, locale),
    monthName: (day: CalendarDay) => formatMonthName(day, locale),
    weekday: (day: CalendarDay) => formatWeekday(day, locale),
    weekdayLong: (day: CalendarDay) => formatWeekdayLong(day, locale),
    monthShort: (day: CalendarDay) => formatMonthShort(day, locale),
  };
};

export type Format = ReturnType<typeof bind>;

/** Formatters of the interface language. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const language = languages.find((each) => tagOf(each) === i18n.language) ?? FALLBACK_LANGUAGE;
  const units = useUnits();
  return useMemo(() => bind(language, units), [language, units]);
}
