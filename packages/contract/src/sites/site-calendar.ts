import * as z from 'zod/mini';
import { quality } from '../status.ts';

const shown = {
  generationWh: z.nullable(z.number()).check(z.describe('Energy of PV arrays at the DC inputs (pvWh).')),
  consumptionWh: z.nullable(z.number()),
  selfSufficiencyPercent: z.nullable(z.number()),
  /** Savings and feed-in payment together, rounded so that the days of a month add up to it. */
  money: z.nullable(z.string()),
  /** How each came about. */
  qualities: z.object({
    generationWh: quality,
    consumptionWh: quality,
    selfSufficiencyPercent: quality,
    money: quality,
  }),
} as const;

/** A local day of a plant as its calendar shows it; `null` is not known. */
export const calendarDay = z.object({ day: z.string(), ...shown });
export type CalendarDayFigures = z.infer<typeof calendarDay>;

/** A local month, `YYYY-MM`, in the same figures. */
export const calendarMonth = z.object({ month: z.string(), ...shown });
export type CalendarMonthFigures = z.infer<typeof calendarMonth>;

/** The days and months of a year of which anything is known, the oldest first. */
export const siteCalendar = z.object({
  year: z.int(),
  /** Of the prices that are valid now. Days that were paid in another one have no money. */
  currency: z.string(),
  /** The first day that was ever recorded; `null` before it. */
  firstDay: z.nullable(z.string()),
  days: z.array(calendarDay),
  months: z.array(calendarMonth),
});
export type SiteCalendar = z.infer<typeof siteCalendar>;
