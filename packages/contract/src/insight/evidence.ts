import * as z from 'zod/mini';
import { lossReason } from '../losses/reasons.ts';
import { lightSource, lossWeek, missingKind } from '../losses/week.ts';
import { state } from '../status.ts';
import { pause } from './pauses.ts';

const energyWh = z.nullable(z.number());
const rate = z.nullable(z.number());
const series = z.array(z.nullable(z.number()));
const span = z.object({ fromMs: z.int(), untilMs: z.int() });

/** What was looked at and does not hold: the value that spoke against it, and the bound that it did not reach. */
export const ruledOut = z.object({
  kind: z.string(),
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
  }),
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
  reasons: z.array(z.object({ reason: lossReason, lossWh: energyWh, spans: z.array(span), confidence: z.number() })),
  ruledOut: z.array(ruledOut),
  missing: z.array(missingKind),
  /** Strings side by side when the plant gave most on that day. */
  strings: z.array(z.object({ deviceID: z.string(), deviceSN: z.string(), atMs: z.int(), rows: z.array(stringRow) })),
  week: z.nullable(lossWeek),
  pause: z.nullable(pause),
  can: z.object({ pause: z.boolean() }),
});
export type DayEvidence = z.infer<typeof dayEvidence>;
