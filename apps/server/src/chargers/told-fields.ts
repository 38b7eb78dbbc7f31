import { MOST_REGISTER_WH } from './session-meter.ts';

/** Fields of a message as makers of all kinds put them: what cannot be meant is absent, never a reason to refuse the rest. */
export type Told = Readonly<Record<string, unknown>>;

const MOST_READINGS = 1_000;
const MOST_VALUES = 200;
/** More connectors no pile has; what is told of others is taken to be of the last. */
const MOST_CONNECTORS = 16;
const LONGEST_AHEAD_MS = 60_000;
const EARLIEST_MS = Date.UTC(2015, 0, 1);

export const toldOf = (value: unknown): Told =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Told) : {};

export const listOf = (value: unknown, most = MOST_VALUES): readonly Told[] =>
  Array.isArray(value) ? value.slice(0, most).map(toldOf) : [];

export const readingsOf = (value: unknown): readonly Told[] => listOf(value, MOST_READINGS);

/** A short text without signs that are not seen. */
export const textOf = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? value
        .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
        .trim()
        .slice(0, most)
    : '';

/** Numbers come as texts too. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 32 || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** What a meter can hold, Wh. */
export function registerOf(value: unknown): number | undefined {
  const wh = numberOf(value);
  return wh !== undefined && wh >= 0 && wh <= MOST_REGISTER_WH ? wh : undefined;
}

export function wholeOf(value: unknown, otherwise: number): number {
  const number = numberOf(value);
  return number !== undefined && Number.isInteger(number) && Math.abs(number) <= 2_147_483_647 ? number : otherwise;
}

/** What foreign text stands for; undefined for all that is not named here, whatever else the language knows by that name. */
export const meantBy = <T>(meanings: Readonly<Record<string, T>>, value: unknown): T | undefined =>
  typeof value === 'string' && Object.hasOwn(meanings, value) ? meanings[value] : undefined;

/** The number of a connector; `otherwise` where none is told. */
export const connectorOf = (value: unknown, otherwise = 1): number =>
  Math.min(MOST_CONNECTORS, Math.max(0, wholeOf(value, otherwise)));

/** A time; undefined where a clock cannot be right. */
export function knownTimeOf(value: unknown, nowMs: number): number | undefined {
  const tsMs = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : Number.NaN;
  return tsMs >= EARLIEST_MS && tsMs <= nowMs + LONGEST_AHEAD_MS ? Math.min(tsMs, nowMs) : undefined;
}

/** A time; now, where a clock cannot be right. */
export const timeOf = (value: unknown, nowMs: number): number => knownTimeOf(value, nowMs) ?? nowMs;
