import type { Telling } from './device-reckoning.ts';

/** What becomes of what a device tells. */
export type Damage = (tellings: readonly Telling[]) => Telling[];

type Values = Record<string, number>;

const within = (tsMs: number, fromMs: number, toMs: number): boolean => tsMs >= fromMs && tsMs < toMs;

const kwh = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Changes the values that are told from one time on and before another. */
export const changed =
  (fromMs: number, toMs: number, change: (values: Values, tsMs: number) => Values): Damage =>
  (tellings) =>
    tellings.map((telling) =>
      within(telling.tsMs, fromMs, toMs)
        ? { ...telling, values: change({ ...telling.values }, telling.tsMs) }
        : { ...telling },
    );

/** Nothing is heard in between. */
export const silent =
  (fromMs: number, toMs: number): Damage =>
  (tellings) =>
    tellings.filter(({ tsMs }) => !within(tsMs, fromMs, toMs));

/** Some of the values are not told in between. */
export const untold = (names: readonly string[], fromMs: number, toMs: number): Damage =>
  changed(fromMs, toMs, (values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))),
  );

/** From a time on a counter stands elsewhere, and goes on from there. */
export const standsAt =
  (name: string, fromMs: number, toMs: number, standKwh: number): Damage =>
  (tellings) => {
    const first = tellings.find((telling) => telling.tsMs >= fromMs && telling.values[name] !== undefined);
    const offset = standKwh - (first?.values[name] ?? 0);
    return changed(fromMs, toMs, (values) => {
      const told = values[name];
      return told === undefined ? values : { ...values, [name]: kwh(told + offset) };
    })(tellings);
  };

/** A counter whose register begins anew at a width, kWh; it is moved so that this happens at a time. */
export const wrapsAt =
  (name: string, atMs: number, widthKwh: number): Damage =>
  (tellings) => {
    const at = tellings.findLast((telling) => telling.tsMs <= atMs)?.values[name] ?? 0;
    return changed(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (values) => ({
      ...values,
      [name]: kwh(((values[name] ?? 0) - at + widthKwh - 0.001 + widthKwh) % widthKwh),
    }))(tellings);
  };

/** One reading, or some, of a counter that are nonsense. */
export const oddAt = (name: string, fromMs: number, toMs: number, oddKwh: number): Damage =>
  changed(fromMs, toMs, (values) => ({ ...values, [name]: oddKwh }));

/** A counter that stands still and then shows where it should be. */
export const frozen =
  (names: readonly string[], fromMs: number, toMs: number): Damage =>
  (tellings) => {
    const last = tellings.findLast(({ tsMs }) => tsMs < fromMs)?.values ?? {};
    return changed(fromMs, toMs, (values) => ({
      ...values,
      ...Object.fromEntries(names.map((name) => [name, last[name] ?? 0])),
    }))(tellings);
  };

/** A counter in coarser steps. */
export const inSteps = (names: readonly string[], stepKwh: number): Damage =>
  changed(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (values) => ({
    ...values,
    ...Object.fromEntries(names.map((name) => [name, kwh(Math.floor((values[name] ?? 0) / stepKwh + 1e-9) * stepKwh)])),
  }));

export const only = (names: readonly string[]): Damage =>
  changed(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
  );

/** One after the other. */
export const all =
  (...damages: readonly Damage[]): Damage =>
  (tellings) =>
    damages.reduce<Telling[]>((told, damage) => damage(told), [...tellings]);

/** Two devices answer for each other for a while. */
export function swapped(
  one: readonly Telling[],
  other: readonly Telling[],
  fromMs: number,
  toMs: number,
): [one: Telling[], other: Telling[]] {
  const mixed = (own: readonly Telling[], foreign: readonly Telling[]) => {
    const byTime = new Map(foreign.map((telling) => [telling.tsMs, telling]));
    return own.map((telling) => (within(telling.tsMs, fromMs, toMs) ? (byTime.get(telling.tsMs) ?? telling) : telling));
  };
  return [mixed(one, other), mixed(other, one)];
}
