import { type QuantityKind, quantities } from '@sonnenwarte/contract/kinds';
import type { Units } from './units.ts';

export const NOT_MEASURED = '–';
const NO_BREAK_SPACE = '\u00a0';

/** A number and its unit apart, so that a screen can set the unit smaller. `unit` is empty where nothing was measured. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
}

const notMeasured: Quantity = { value: NOT_MEASURED, unit: '' };

const formatters = new Map<string, Intl.NumberFormat>();

/** What is below zero has a minus sign, and no hyphen, which would stand low and narrow before digits. */
const withMinus = (text: string): string => text.replace('-', '\u2212');

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, options);
  formatters.set(key, made);
  return made;
}

export const formatNumber = (value: number | null, locale: string, decimals = 0): string =>
  value === null || !Number.isFinite(value)
    ? NOT_MEASURED
    : withMinus(
        numberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
          Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value,
        ),
      );

interface Step {
  readonly unit: string;
  readonly factor: number;
  readonly decimals: (magnitude: number) => number;
}

const threeDigits = (magnitude: number): number => (magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0);
const oneDecimal = (magnitude: number): number => (magnitude < 9.995 ? 2 : 1);
const whole = (): number => 0;

const powerSteps: readonly Step[] = [
  { unit: 'W', factor: 1, decimals: whole },
  { unit: 'kW', factor: 1e3, decimals: threeDigits },
  { unit: 'MW', factor: 1e6, decimals: threeDigits },
  { unit: 'GW', factor: 1e9, decimals: threeDigits },
];

const energySteps: readonly Step[] = [
  { unit: 'kWh', factor: 1e3, decimals: oneDecimal },
  { unit: 'MWh', factor: 1e6, decimals: oneDecimal },
  { unit: 'GWh', factor: 1e9, decimals: oneDecimal },
];

/** The unit in which a value has at most three digits before the decimal sign, and its decimals there. */
function stepOf(value: number, steps: readonly Step[]): { unit: string; factor: number; decimals: number } {
  let chosen = { unit: '', factor: 1, decimals: 0 };
  for (const { unit, factor, decimals } of steps) {
    const magnitude = Math.abs(value) / factor;
    chosen = { unit, factor, decimals: decimals(magnitude) };
    if (Number(magnitude.toFixed(chosen.decimals)) < 1000) break;
  }
  return chosen;
}

/** The unit of an energy, how many Wh it holds, and its decimals there. */
export const energyStep = (energyWh: number) => stepOf(energyWh, energySteps);

function scaled(value: number | null, steps: readonly Step[], locale: string): Quantity {
  if (value === null || !Number.isFinite(value)) return notMeasured;
  const { unit, factor, decimals } = stepOf(value, steps);
  return { value: formatNumber(value / factor, locale, decimals), unit };
}

export const joinQuantity = ({ value, unit }: Quantity): string =>
  unit === '' ? value : `${value}${NO_BREAK_SPACE}${unit}`;

/** W below 1 kW, then kW, MW and GW with three digits. */
export const powerQuantity = (powerW: number | null, locale: string): Quantity => scaled(powerW, powerSteps, locale);
export const formatPower = (powerW: number | null, locale: string): string =>
  joinQuantity(powerQuantity(powerW, locale));

/** kWh from the first on, as on the meter, then MWh and GWh. */
export const energyQuantity = (energyWh: number | null, locale: string): Quantity =>
  scaled(energyWh, energySteps, locale);
export const formatEnergy = (energyWh: number | null, locale: string): string =>
  joinQuantity(energyQuantity(energyWh, locale));

/** A sum and its parts in the sum's unit and decimals, the parts rounded so that they add up to it as they are shown. */
export function energyParts(
  valuesWh: readonly (number | null)[],
  locale: string,
): { parts: readonly string[]; sum: string } {
  const known = valuesWh.filter((value) => value !== null);
  if (known.length === 0) return { parts: valuesWh.map(() => NOT_MEASURED), sum: NOT_MEASURED };
  const sumWh = known.reduce((all, value) => all + value, 0);
  const { unit, factor, decimals } = stepOf(sumWh, energySteps);
  const digit = factor / 10 ** decimals;
  const floors = valuesWh.map((value) => Math.floor((value ?? 0) / digit));
  const lacking = Math.round(sumWh / digit) - floors.reduce((all, value) => all + value, 0);
  const nearest = valuesWh
    .map((value, place) => ({ place, rest: value === null ? -1 : value / digit - (floors[place] ?? 0) }))
    .toSorted((a, b) => b.rest - a.rest)
    .slice(0, lacking);
  for (const { place } of nearest) floors[place] = (floors[place] ?? 0) + 1;
  const shown = (digits: number): string =>
    joinQuantity({ value: formatNumber(digits / 10 ** decimals, locale, decimals), unit });
  return {
    parts: valuesWh.map((value, place) => (value === null ? NOT_MEASURED : shown(floors[place] ?? 0))),
    sum: shown(Math.round(sumWh / digit)),
  };
}

/** Largest number of a column in its unit; above it the next one is taken. */
const LARGEST_OF_COLUMN = 10_000;
const largerUnits: Readonly<Record<string, readonly string[]>> = { kW: ['MW', 'GW'], kWh: ['MWh', 'GWh'] };

export interface ColumnScale {
  readonly unit: string;
  /** How much of what the call tells one of the unit holds. */
  readonly holds: number;
  readonly decimals: number;
}

/** The one unit of a column of numbers and their decimals: that in which people read the quantity, larger where the largest would be long. */
export function columnScale(kind: QuantityKind, values: readonly (number | null)[]): ColumnScale {
  const { shown, holds, decimals } = quantities[kind];
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  let scale: ColumnScale = { unit: shown, holds, decimals };
  for (const unit of largerUnits[shown] ?? []) {
    if (largest / scale.holds < LARGEST_OF_COLUMN) break;
    scale = { unit, holds: scale.holds * 1_000, decimals };
  }
  return scale;
}

/** Labels of an axis: all in the unit of its largest value, with as many decimals as tell the steps apart; zero is bare. */
function axis(values: readonly number[], steps: readonly Step[], locale: string): string[] {
  const largest = Math.max(0, ...values.map(Math.abs));
  const step = steps.findLast(({ factor }) => factor <= largest) ?? steps[0];
  if (!step) return values.map(String);
  const apart =
    Math.min(...values.slice(1).map((value, index) => Math.abs(value - (values[index] ?? 0)))) / step.factor;
  const decimals = [0, 1, 2, 3].find((count) => Math.abs(apart - Number(apart.toFixed(count))) < 1e-9) ?? 3;
  return values.map((value) =>
    value === 0
      ? formatNumber(0, locale)
      : joinQuantity({ value: formatNumber(value / step.factor, locale, decimals), unit: step.unit }),
  );
}

export const powerAxis = (valuesW: readonly number[], locale: string): string[] => axis(valuesW, powerSteps, locale);
export const energyAxis = (valuesWh: readonly number[], locale: string): string[] =>
  axis(valuesWh, energySteps, locale);

export const formatPercent = (percent: number | null, locale: string, decimals = 0): string =>
  percent === null || !Number.isFinite(percent)
    ? NOT_MEASURED
    : withMinus(numberFormat(locale, { style: 'percent', maximumFractionDigits: decimals }).format(percent / 100));

/** A change in percent with its sign, `+12 %`. */
export const formatChange = (percent: number | null, locale: string): string =>
  percent === null || !Number.isFinite(percent)
    ? NOT_MEASURED
    : withMinus(
        numberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(
          percent / 100,
        ),
      );

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/** Money from a decimal string, digit by digit: it never passes through a float. */
export function formatMoney(amount: string | null, currency: string, locale: string): string {
  if (amount === null || !isDecimal(amount)) return NOT_MEASURED;
  const format = /^[A-Z]{3}$/.test(currency)
    ? numberFormat(locale, { style: 'currency', currency })
    : numberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return withMinus(format.format(amount));
}

/** Sign of a currency by its code; what is no code stays as it is. */
export function currencySign(currency: string, locale: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return currency;
  const format = numberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency;
}

/** A price keeps the fractions of a cent that the tariff has. */
export function formatUnitPrice(amount: string | null, currency: string, locale: string): string {
  if (amount === null || !isDecimal(amount) || !/^[A-Z]{3}$/.test(currency)) return NOT_MEASURED;
  return numberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 6 }).format(amount);
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

const POSITION_DECIMALS = 4;

/** Latitude and longitude, kept apart by what is no decimal sign of the language: `48.1371, 11.5754`, `48,1371; 11,5754`. */
export function formatPosition({ latitude, longitude }: Position, locale: string): string {
  const parts = numberFormat(locale, {}).formatToParts(0.5);
  const separator = parts.some(({ type, value }) => type === 'decimal' && value === ',') ? '; ' : ', ';
  return [latitude, longitude].map((each) => formatNumber(each, locale, POSITION_DECIMALS)).join(separator);
}

/** The same per kWh. */
export function formatPrice(amount: string | null, currency: string, locale: string): string {
  const price = formatUnitPrice(amount, currency, locale);
  return price === NOT_MEASURED ? price : `${price}/kWh`;
}

/** The sign of a hundredth, where people tell prices of power in it. */
const cents: Readonly<Record<string, string>> = { EUR: 'ct', USD: '¢', CAD: '¢', AUD: '¢', NZD: '¢' };

/** A price of power as people say it: `31.2 ct`, or in the currency itself. */
export function formatSpokenPrice(amount: string | null, currency: string, locale: string): string {
  const cent = cents[currency];
  if (amount === null || !isDecimal(amount) || cent === undefined) return formatUnitPrice(amount, currency, locale);
  // Two more digits behind the point are exact in a number of twelve digits.
  const hundredths = Number((Number(amount) * 100).toPrecision(12));
  return joinQuantity({ value: numberFormat(locale, { maximumFractionDigits: 4 }).format(hundredths), unit: cent });
}

const revolutions: Readonly<Record<string, string>> = {
  cs: 'ot/min',
  de: '1/min',
  fr: 'tr/min',
  it: 'giri/min',
  pl: 'obr./min',
  ro: 'rot/min',
  zh: 'r/min',
};

const unitSigns: Readonly<Record<string, string>> = {
  degC: '°C',
  kOhm: 'kΩ',
  'W/m2': 'W/m²',
};

/** How a unit of the catalogue of points is written in a language. */
export const unitSign = (unit: string, locale: string): string =>
  unit === 'rpm' ? (revolutions[locale.slice(0, 2)] ?? 'rpm') : (unitSigns[unit] ?? unit);

/** A value in the unit that the catalogue of points gives, with digits that suit its size. */
export function formatPoint(
  value: number | string | boolean,
  unit: string,
  locale: string,
  units: Units = 'metric',
): Quantity {
  if (typeof value !== 'number') return { value: String(value), unit: unitSign(unit, locale) };
  if (unit === '%') return { value: formatPercent(value, locale, Number.isInteger(value) ? 0 : 1), unit: '' };
  if (unit === 'W') return powerQuantity(value, locale);
  if (unit === 'Wh') return energyQuantity(value, locale);
  if (unit === 'kWh') return energyQuantity(value * 1000, locale);
  if (unit === 'kW') return powerQuantity(value * 1000, locale);
  if (unit === 'degC' && units === 'imperial') return { value: formatNumber(value * 1.8 + 32, locale), unit: '°F' };
  const decimals = unit === 'degC' ? 1 : Number.isInteger(value) ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return { value: formatNumber(value, locale, decimals), unit: unitSign(unit, locale) };
}

const regionNames = new Map<string, Intl.DisplayNames>();

/** Name of a country by its ISO 3166-1 alpha-2 code; what is no code stays as it is. */
export function formatCountry(code: string, locale: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  let names = regionNames.get(locale);
  if (!names) {
    names = new Intl.DisplayNames([locale], { type: 'region' });
    regionNames.set(locale, names);
  }
  return names.of(code) ?? code;
}
