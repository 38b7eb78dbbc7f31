import * as z from 'zod/mini';
import { text } from '../fields.ts';

/** Periods that a day may be divided into. */
export const MOST_PRICE_PERIODS = 24;

/** Per kWh, as a decimal. */
export const price = text(16).check(z.regex(/^\d{1,6}(?:\.\d{1,6})?$/));

/** `HH:MM` on a quarter of an hour. */
const quarterHour = text(5).check(z.regex(/^(?:[01]\d|2[0-3]):(?:00|15|30|45)$/));

/** Each is valid until the next begins, the last until midnight; the first begins at 00:00, so that they have no holes. */
const pricePeriods = z.array(z.object({ from: quarterHour, price })).check(
  z.minLength(1),
  z.maxLength(MOST_PRICE_PERIODS),
  z.refine((periods) =>
    periods.every(({ from }, at) => (at === 0 ? from === '00:00' : from > (periods[at - 1]?.from ?? ''))),
  ),
);

/** Prices by the time of day of the plant, in place of the one price. */
export const dayPrices = z.object({
  weekday: pricePeriods,
  /** Of Saturday and Sunday; null = as on other days. */
  weekend: z._default(z.nullable(pricePeriods), null),
});

const keptPeriods = z.array(z.object({ from: z.string(), price: z.string() }));

/** The same as it is kept. */
export const keptDayPrices = z.object({ weekday: keptPeriods, weekend: z.nullable(keptPeriods) });
export type KeptDayPrices = z.infer<typeof keptDayPrices>;
