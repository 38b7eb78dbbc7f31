import type { SiteCalendar } from '@sonnenwarte/contract/sites/site-calendar';
import { useMemo } from 'react';
import { useFormat } from '../format/use-format.ts';
import type { CalendarFigure } from './calendar-steps.ts';
import { figureValue } from './calendar-steps.ts';

type Shown = Parameters<typeof figureValue>[1];

export interface CalendarTexts {
  /** Of all numbers of the calendar; empty where each says it. */
  readonly unit: string;
  /** As it stands in a cell; empty where nothing is known. */
  readonly cell: (shown: Shown) => string;
  /** With its unit. */
  readonly full: (shown: Shown) => string;
  readonly step: (step: number, limits: readonly number[]) => string;
}

/** How the numbers of a calendar are written: all in one unit, on a phone without decimals. */
export function useCalendarTexts(
  figure: CalendarFigure,
  answer: SiteCalendar | undefined,
  isBrief: boolean,
): CalendarTexts {
  const format = useFormat();
  return useMemo((): CalendarTexts => {
    const currency = answer?.currency ?? '';
    const values = answer?.days.flatMap((each) => figureValue(figure, each) ?? []) ?? [];
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    const holds = largest >= 9_999_500 ? 1e6 : 1e3;
    const energyUnit = holds === 1e6 ? 'MWh' : 'kWh';
    const number = (value: number): string => {
      if (figure === 'yield') return format.number(value / holds, isBrief ? 0 : 1);
      return format.number(value, figure === 'money' && !isBrief ? 2 : 0);
    };
    const full = (shown: Shown): string => {
      if (figure === 'yield') return format.energy(shown.generationWh);
      if (figure === 'autarky') return format.percent(shown.selfSufficiencyPercent);
      return format.money(shown.money, currency);
    };
    const cell = (shown: Shown): string => {
      const value = figureValue(figure, shown);
      return value === null ? '' : number(value);
    };
    const limit = (value: number): string => {
      const scaled = figure === 'yield' ? value / holds : value;
      return format.number(scaled, scaled >= 10 || Number.isInteger(scaled) ? 0 : scaled >= 1 ? 1 : 2);
    };
    const step = (place: number, limits: readonly number[]): string => {
      const [low, high] = [limits[place - 1], limits[place]];
      if (low === undefined) return `<\u00a0${limit(high ?? 0)}`;
      return high === undefined ? `≥\u00a0${limit(low)}` : `${limit(low)}–${limit(high)}`;
    };
    const unit = figure === 'yield' ? energyUnit : figure === 'autarky' ? '%' : currency;
    return { unit, cell, full, step };
  }, [figure, answer, isBrief, format]);
}
