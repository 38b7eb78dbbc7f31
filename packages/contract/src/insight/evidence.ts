import * as z from 'zod/mini';
import { lossReason } from '../losses/reasons.ts';
import { lightSource, lossWeek, missingKind } from '../losses/week.ts';
import { state } from '../status.ts';
import { pause } from './pauses.ts';

const energyWh = z.nullable(z.number());
const rate = z.nullable(z.number());
const series = z.array(z.nullable(z.number()));
const span = z.object({ fromMs: z.int(), untilMs: z.int() });

/** Reasons that can be looked for. */
const reasonKind = z.enum([
  'offline',
  'alarm',
  'standstill',
  'string-weak',
  'clipping',
  'export-limit',
  'battery-full',
  'snow',
  'shade',
  'soiling',
  'meter-wrong',
]);

/** What was looked at and does not hold: the value that spoke against it, and the bound that it did not reach. */
export const ruledOut = z.object({
  kind: reasonKind,
  measure: z.enum([
    'silent-share',
    'alarms',
    'standstill-hours',
    'string-share',
    'clipped-share',
    'limited-share',
    'soc',
    'covered-share',
    'hour-share',
    'trend',
    'night-export-hours',
  ]),
  value: z.number(),
  bound: z.number(),
});

/** An alarm that stood on the day. */
const standing = z.object({
  code: z.int(),
  level: z.int(),
  deviceSN: z.string(),
  sinceMs: z.int(),
  untilMs: z.nullable(z.int()),
});

/** Against what strings are told: over the day each by size and plane, or by what is usual of it; at one moment all of the plant, or those of one inverter. */
export const stringsBasis = z.enum(['peers', 'past', 'plant', 'inverter']);

/** A string or tracker beside its neighbours. */
const stringRow = z.object({
  kind: z.enum(['string', 'tracker']),
  n: z.int(),
  tracker: z.nullable(z.int()),
  voltageV: z.nullable(z.number()),
  currentA: z.nullable(z.number()),
  powerW: z.nullable(z.number()),
  percent: z.nullable(z.number()),
  weak: z.boolean(),
});

/** A plant's local day against what it could have given. Energies in Wh at the AC bus, rates 0-1; `null` = not known, `missing` says for want of what. */
export const dayEvidence = z.object({
  stationID: z.string(),
  name: z.string(),
  state,
  city: z.string(),
  country: z.string(),
  ianaTimezone: z.string(),
  systemCapacity: z.number(),
  day: z.string(),
  /** The day is not over: it is told as far as values have come. */
  isRunning: z.boolean(),
  /** Means of five minutes, kW per kWp. The band is the middle half of the neighbours in this plant's plane; without them there is the clear sky alone. */
  curve: z.object({
    startMs: z.int(),
    stepMs: z.int(),
    actual: series,
    expected: series,
    low: series,
    high: series,
    clear: series,
    /** What it would have given without what the reasons took; nothing where they took nothing. */
    kept: series,
  }),
  /** The sun has been up so far: before that nothing can be looked at. */
  hasBegun: z.boolean(),
  /** Days of its week are about to be reckoned anew. */
  isDue: z.boolean(),
  source: lightSource,
  peers: z.int(),
  basis: z.nullable(z.enum(['near', 'climate'])),
  /** Directions of the modules are not entered: taken to lie at 30 degrees and to face the equator. */
  isPlaneAssumed: z.boolean(),
  clearSkyWh: energyWh,
  expectedWh: energyWh,
  actualWh: energyWh,
  lossWh: energyWh,
  unexplainedWh: energyWh,
  unknownWh: energyWh,
  /** Of the loss, what would have replaced bought energy. */
  lossReplacingImportWh: energyWh,
  lossMoney: z.nullable(z.string()),
  currency: z.string(),
  /** Means over the day, by what the plant could have given. */
  purchasePerKwh: z.nullable(z.number()),
  feedInPerKwh: z.nullable(z.number()),
  performanceRatio: rate,
  /** kWh/kWp. */
  specificYield: z.nullable(z.number()),
  availability: rate,
  completeness: z.number(),
  /** Spans as far as they lie in daylight; `isWhole` = all of it. */
  reasons: z.array(
    z.object({
      reason: lossReason,
      lossWh: energyWh,
      spans: z.array(z.extend(span, { isWhole: z.boolean() })),
      confidence: z.number(),
    }),
  ),
  /** The gravest first. */
  alarms: z.array(standing),
  /** What rests on values of most of the day. */
  ruledOut: z.array(ruledOut),
  /** What could not be looked at for want of values. */
  unchecked: z.array(reasonKind),
  missing: z.array(missingKind),
  stringsBasis: z.nullable(stringsBasis),
  /** Strings side by side when the plant gave most on that day; percent and weakness by `stringsBasis`. */
  strings: z.array(z.object({ deviceID: z.string(), deviceSN: z.string(), atMs: z.int(), rows: z.array(stringRow) })),
  week: z.nullable(lossWeek),
  pause: z.nullable(pause),
  can: z.object({ pause: z.boolean() }),
});
export type DayEvidence = z.infer<typeof dayEvidence>;
