import { type Language, localeOf } from '@sonnenwarte/contract/languages';

export const NOT_KNOWN = '–';
const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
/** Units of energy as the screens have them: kWh from the first on, at most three digits before the decimal sign. */
const UNITS = [
  { unit: 'kWh', wh: 1e3 },
  { unit: 'MWh', wh: 1e6 },
  { unit: 'GWh', wh: 1e9 },
] as const;

/** The one unit of several energies and its decimals, by the largest of them. */
export interface EnergyUnit {
  readonly unit: string;
  readonly wh: number;
  readonly decimals: number;
}

export function energyUnitOf(energyWh: number): EnergyUnit {
  let chosen: EnergyUnit = { ...UNITS[0], decimals: 1 };
  for (const { unit, wh } of UNITS) {
    const size = Math.abs(energyWh) / wh;
    chosen = { unit, wh, decimals: size < 9.995 ? 2 : 1 };
    if (Number(size.toFixed(chosen.decimals)) < 1_000) break;
  }
  return chosen;
}

/** Numbers, money and dates as they are written in a language. */
export class Formats {
  readonly #locale: string;
  readonly #zone: string;

  constructor(language: Language, zone: string) {
    this.#locale = localeOf(language);
    this.#zone = zone;
  }

  number(value: number | null, decimals = 0): string {
    if (value === null || !Number.isFinite(value)) return NOT_KNOWN;
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const shown = Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value;
    return new Intl.NumberFormat(this.#locale, options).format(shown).replace('-', MINUS);
  }

  /** Number and unit apart: the unit is set smaller. */
  energy(energyWh: number | null): { value: string; unit: string } {
    if (energyWh === null) return { value: NOT_KNOWN, unit: '' };
    const { unit, wh, decimals } = energyUnitOf(energyWh);
    return { value: this.number(energyWh / wh, decimals), unit };
  }

  energyText(energyWh: number | null): string {
    const { value, unit } = this.energy(energyWh);
    return unit === '' ? value : `${value}${NO_BREAK_SPACE}${unit}`;
  }

  /** Energies in one unit, rounded so that they add up to their sum as it is shown. */
  adding(energiesWh: readonly number[], sumWh = energiesWh.reduce((sum, wh) => sum + wh, 0)): readonly string[] {
    const { wh, decimals } = energyUnitOf(sumWh);
    const step = wh / 10 ** decimals;
    const floors = energiesWh.map((each) => Math.floor(each / step));
    const lacking = Math.round(sumWh / step) - floors.reduce((sum, each) => sum + each, 0);
    const nearest = energiesWh
      .map((each, place) => ({ place, rest: each / step - Math.floor(each / step) }))
      .toSorted((a, b) => b.rest - a.rest)
      .slice(0, Math.max(0, lacking));
    for (const { place } of nearest) floors[place] = (floors[place] ?? 0) + 1;
    return floors.map((each) => this.number(each / 10 ** decimals, decimals));
  }

  percent(share: number | null, decimals = 0): string {
    if (share === null || !Number.isFinite(share)) return NOT_KNOWN;
    return new Intl.NumberFormat(this.#locale, { style: 'percent', maximumFractionDigits: decimals })
      .format(share)
      .replace('-', MINUS);
  }

  change(share: number): string {
    const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
    return new Intl.NumberFormat(this.#locale, options).format(share).replace('-', MINUS);
  }

  money(amount: string | null, currency: string): string {
    if (amount === null) return NOT_KNOWN;
    const format = /^[A-Z]{3}$/.test(currency)
      ? new Intl.NumberFormat(this.#locale, { style: 'currency', currency })
      : new Intl.NumberFormat(this.#locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return format.format(amount as `${number}`).replace('-', MINUS);
  }

  /** A month, `YYYY-MM`. */
  month(month: string): string {
    const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    return new Intl.DateTimeFormat(this.#locale, options).format(new Date(`${month}-01T00:00:00Z`));
  }

  shortMonth(month: string): string {
    const options = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
    return new Intl.DateTimeFormat(this.#locale, options).format(new Date(`${month}-01T00:00:00Z`));
  }

  /** A calendar day, `YYYY-MM-DD`. */
  day(day: string): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
  }

  /** The day of a moment by the clock of the plant. */
  dayOf(atMs: number): string {
    return new Intl.DateTimeFormat(this.#locale, { dateStyle: 'medium', timeZone: this.#zone }).format(new Date(atMs));
  }

  moment(atMs: number): string {
    const options = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(this.#locale, { ...options, timeZone: this.#zone }).format(new Date(atMs));
  }

  /** A moment of which the year matters. */
  fullMoment(atMs: number): string {
    const options = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(this.#locale, { ...options, timeZone: this.#zone }).format(new Date(atMs));
  }

  /** Hours and minutes, or days. */
  duration(ms: number): string {
    const minutes = Math.max(1, Math.round(ms / 60_000));
    const unit = (value: number, name: string) =>
      new Intl.NumberFormat(this.#locale, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
    if (minutes < 60) return unit(minutes, 'minute');
    if (minutes < 48 * 60) return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
    return unit(Math.round(minutes / 1_440), 'day');
  }

  country(code: string): string {
    if (!/^[A-Z]{2}$/.test(code)) return code;
    return new Intl.DisplayNames([this.#locale], { type: 'region' }).of(code) ?? code;
  }
}
