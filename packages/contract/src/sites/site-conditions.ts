import * as z from 'zod/mini';
import { latestValue } from '../devices/device.ts';
import { stringRow } from '../devices/string-rows.ts';

/** What stands around the figures of a plant: weather at its modules, and strings that lag behind. */
export const siteConditions = z.object({
  /** Weather stations that have told anything. */
  stations: z.array(
    z.object({
      deviceID: z.string(),
      deviceSN: z.string(),
      /** Of irradiance, temperatures and wind, those that it measures. */
      values: z.array(latestValue),
      updatedAtMs: z.nullable(z.int()),
      intervalS: z.int(),
      offline: z.boolean(),
    }),
  ),
  /** By inverters whose values are those of now. */
  weakStrings: z.array(
    z.object({
      deviceID: z.string(),
      deviceSN: z.string(),
      /** `tracker` where the inverter tells no strings. */
      kind: z.enum(['string', 'tracker']),
      n: z.int(),
      /** Its current against the mean of its neighbours. */
      percent: z.number(),
    }),
  ),
  /** Inverters that tell several strings, or trackers, with these side by side. */
  inverters: z.array(
    z.object({
      deviceID: z.string(),
      deviceSN: z.string(),
      strings: z.array(stringRow),
      updatedAtMs: z.nullable(z.int()),
      intervalS: z.int(),
      offline: z.boolean(),
    }),
  ),
});
export type SiteConditions = z.infer<typeof siteConditions>;
