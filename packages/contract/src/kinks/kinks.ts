import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantDay } from '../fields.ts';
import { plantLevels } from '../sites/sites.ts';
import { kinkCause } from './kink-cause.ts';

/** `fall` = less than the sun offers from one moment on, `flat` = power or feed-in stands at a limit, `gap` = nothing was told. */
export const kinkShape = z.enum(['fall', 'flat', 'gap']);

/** A place in the curve of a day where it leaves what it would have been. */
export const kink = z.object({
  shape: kinkShape,
  fromMs: z.int(),
  toMs: z.int(),
  /** The curve came back within the light of the day. */
  recovers: z.boolean(),
  /** Against the clear sky by its share at both edges; `null` of a gap, of which it is not known. */
  lostWh: z.nullable(z.number()),
});
export type Kink = z.infer<typeof kink>;

const stationID = z.uuid();

export const kinks = endpoint({
  method: 'GET',
  path: '/c/v0/plant/kinks',
  feature: 'kinks',
  summary: 'Kinks in the PV curve of a plant-local day: drops that matter, flat tops and gaps.',
  callers: plantLevels,
  input: z.object({ stationID, date: plantDay() }),
  result: z.object({ kinks: z.array(kink) }),
  names: { stationID: 'site' },
});

export const explain = endpoint({
  method: 'GET',
  path: '/c/v0/plant/kink',
  feature: 'kinks',
  summary: 'What changed at a kink of the PV curve of a plant, and what it cost.',
  callers: plantLevels,
  /** `fromMs` of the kink as `kinks` told it. */
  input: z.object({ stationID, date: plantDay(), fromMs: z.coerce.number().check(z.int(), z.gte(0), z.lte(8.64e15)) }),
  result: z.object({
    /** `null` where late values have taken it away since. */
    kink: z.nullable(kink),
    /** The likeliest first; none where nothing is known. */
    causes: z.array(kinkCause),
    /** What the missing energy would have been worth, a decimal; `null` without a price, and of a gap. */
    money: z.nullable(z.string()),
    currency: z.string(),
    /** The inverter whose curve shows it best. */
    device: z.nullable(
      z.object({
        deviceID: z.string(),
        deviceSN: z.string(),
        /** Points of it to look at. */
        variables: z.array(z.string()),
      }),
    ),
  }),
  names: { stationID: 'site' },
});

export const kinkEndpoints = { kinks, explain };
