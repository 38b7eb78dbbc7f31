import * as z from 'zod/mini';
import { quality } from '../status.ts';

const wh = z.number();
/** Decimal string, rounded to the currency's decimals; `null` without a price. */
const amount = z.nullable(z.string());

/** Energies that add up to `wh`; `undividedWh` is what no meter explains. */
const divided = {
  wh,
  pvWh: wh,
  externalWh: wh,
  batteryWh: wh,
  gridWh: wh,
  undividedWh: wh,
} as const;

const destination = z.object({
  ...divided,
  quality,
  /** What was bought, at the price of its time. */
  paid: amount,
  /** What all of it would have cost from the grid. */
  gridOnly: amount,
  /** What feeding in would have brought for what did not come from the grid. */
  forgone: amount,
  /** Quarter hours of which anything is known, the first first. */
  quarters: z.array(z.object({ startMs: z.int(), ...divided })),
});
export type WhereFrom = z.infer<typeof destination>;

/** Where the energy of house and vehicles came from on a plant-local day; `null` where nothing is known of it. */
export const siteWhereFrom = z.object({
  date: z.string(),
  ianaTimezone: z.string(),
  currency: z.string(),
  /** What a kWh from the grid cost; `null` where it had no price or several that day. */
  purchasePrice: z.nullable(z.string()),
  /** Which sources the plant has told that day. */
  tells: z.object({ external: z.boolean(), battery: z.boolean() }),
  /**
   * All that was bought that day. What house and vehicles did not have of it charged the battery or was lost: the energies add up, and the
   * amounts, as they are rounded, too. `null` where it is not known.
   */
  bought: z.nullable(z.object({ wh, paid: amount, batteryWh: wh, batteryPaid: amount, lostWh: wh, lostPaid: amount })),
  house: z.nullable(destination),
  car: z.nullable(
    z.extend(destination, {
      /** `runs`: it is charging. What the pile takes while it stands by is in no session. */
      sessions: z.array(z.object({ startMs: z.int(), endMs: z.int(), runs: z.boolean(), ...divided, paid: amount })),
      /** Where nothing was charged: the last day before it on which something was. */
      last: z.nullable(z.object({ day: z.string(), wh })),
    }),
  ),
});
export type SiteWhereFrom = z.infer<typeof siteWhereFrom>;
