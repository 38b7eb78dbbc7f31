import type { LatestValue } from '@sonnenwarte/contract/devices/device';
import { localDay } from '../format/dates.ts';

/** Newest values of a device by the names of their points. */
export interface Told {
  readonly of: (variable: string) => LatestValue | undefined;
  /** The number that a point tells; `null` where it tells none. */
  readonly number: (variable: string) => number | null;
  readonly all: readonly LatestValue[];
}

export function toldOf(values: readonly LatestValue[]): Told {
  const byName = new Map(values.map((value) => [value.variable, value]));
  const of = (variable: string) => byName.get(variable);
  const number = (variable: string): number | null => {
    const value = of(variable)?.value;
    return typeof value === 'number' ? value : null;
  };
  return { of, number, all: values };
}

/** Without what was counted since the midnight of a day that is over: it tells nothing of today. */
export const withoutPastDays = (values: readonly LatestValue[], nowMs: number, timeZone: string): LatestValue[] => {
  const today = localDay(nowMs, timeZone);
  return values.filter(({ variable, tsMs }) => !variable.endsWith('Today') || localDay(tsMs, timeZone) === today);
};

export interface PhaseRow {
  readonly n: number;
  readonly voltageV: number | null;
  readonly currentA: number | null;
  readonly powerW: number | null;
}

/** The phases of which a device tells anything, of points such as `AC/L1/Voltage`. */
export const phasesOf = ({ number }: Told, area: 'AC' | 'Meter'): PhaseRow[] =>
  [1, 2, 3]
    .map((n) => ({
      n,
      voltageV: number(`${area}/L${n}/Voltage`),
      currentA: number(`${area}/L${n}/Current`),
      powerW: number(`${area}/L${n}/Power`),
    }))
    .filter(({ voltageV, currentA, powerW }) => voltageV !== null || currentA !== null || powerW !== null);

export interface PowerBalance {
  readonly pvW: number | null;
  /** Positive while it discharges; `null` where the inverter has none, or where it is not known. */
  readonly batteryW: number | null;
  /** What goes in and does not come out; `null` where not all is known. */
  readonly lossW: number | null;
  readonly acW: number | null;
}

/** Powers are shown in steps of 10 W; what is lost follows from what is shown, so that the lines add up as they stand. */
const STEP_W = 10;
const shownW = (powerW: number | null): number | null =>
  powerW === null ? null : Math.round(powerW / STEP_W) * STEP_W;

/** PV and battery are what the inverter loses and gives to its AC side. */
export function balanceOf(
  { number }: Told,
  battery: { readonly powerW: number | null } | null,
  hasBattery: boolean,
): PowerBalance {
  const pvW = shownW(number('DC/Power'));
  const acW = shownW(number('AC/ActivePower'));
  const batteryW = shownW(battery?.powerW ?? null);
  const isWhole = pvW !== null && acW !== null && (batteryW !== null || !hasBattery);
  return { pvW, batteryW, acW, lossW: isWhole ? pvW + (batteryW ?? 0) - acW : null };
}
