import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { line, plantDay } from '../fields.ts';
import { correctedDay, correction, corrections, counter, counters, energy, plant, repairWay } from './corrections.ts';

/** Days that are shown at once, and that one correction may span. */
export const MOST_REPAIR_DAYS = 31;
export const LONGEST_REASON = 200;
/** Corrections begin and end between buckets of this length. */
export const REPAIR_STEP_MS = 300_000;

const timeMs = z.int().check(z.gte(0), z.lte(4.1e12));
const span = { ...plant, ...counter, fromMs: timeMs, toMs: timeMs };
const filling = {
  ...span,
  way: repairWay,
  /** For `own`. */
  energyWh: z.optional(z.number().check(z.gte(0), z.lte(1e9))),
};

const changed = z.object({ before: energy, after: energy });

/** What was unusual in a counter: joints (`reset`, `wrap`, `replaced`), readings that were held back (`outlier`) and gaps whose energy was spread. */
export const finding = z.object({
  kind: z.enum(['reset', 'wrap', 'replaced', 'outlier', 'gap']),
  fromMs: z.int(),
  toMs: z.int(),
  /** Readings before and after it. */
  beforeWh: energy,
  afterWh: energy,
  /** What was accounted of it. */
  energyWh: energy,
});
export type Finding = z.infer<typeof finding>;

const series = endpoint({
  method: 'GET',
  path: '/c/v0/plant/repair/series',
  feature: 'data-repair',
  summary: 'A counter over some days: as told, as joined, with what was unusual and what was corrected.',
  callers: [2, 3, 4, 255],
  code: 'device:clearHistory',
  input: z.object({ ...plant, ...counter, from: plantDay(), to: plantDay() }),
  result: z.object({
    startMs: z.int(),
    endMs: z.int(),
    /** Time, reading of the device, and the counter as it is joined, Wh; at most some hundred. */
    points: z.array(z.tuple([z.int(), energy, energy])),
    findings: z.array(finding),
    corrections: z.array(correction),
    /** Sums of the plant are being made anew. */
    recalculating: z.boolean(),
  }),
  names: { stationID: 'site', deviceID: 'device' },
});

const preview = endpoint({
  method: 'POST',
  reads: true,
  path: '/c/v0/plant/repair/preview',
  feature: 'data-repair',
  summary: 'What the figures of a plant would be with a correction; nothing is changed.',
  callers: [2, 3, 4, 255],
  code: 'device:clearHistory',
  input: z.object(filling),
  result: z.object({
    formerWh: energy,
    energyWh: energy,
    /** By what neighbours it was estimated. */
    basis: z.nullable(z.enum(['devices', 'days'])),
    days: z.array(correctedDay),
    months: z.array(
      z.object({
        month: z.string(),
        energyWh: changed,
        money: z.object({ before: z.nullable(z.string()), after: z.nullable(z.string()) }),
      }),
    ),
    totalWh: changed,
    currency: z.string(),
  }),
  names: { stationID: 'site', deviceID: 'device' },
});
export type Preview = z.infer<typeof preview.result>;

const correct = endpoint({
  method: 'POST',
  path: '/c/v0/plant/repair/correct',
  feature: 'data-repair',
  summary: 'Corrects a span of a counter; what the device told stays as it is.',
  callers: [2, 3, 4, 255],
  code: 'device:clearHistory',
  changes: ['data-repair', 'sites', 'fleet', 'devices', 'audit'],
  input: z.object({ ...filling, reason: line(LONGEST_REASON, 1) }),
  result: z.object({ correctionID: z.int() }),
  names: { stationID: 'site', deviceID: 'device' },
});

const undo = endpoint({
  method: 'POST',
  path: '/c/v0/plant/repair/undo',
  feature: 'data-repair',
  summary: 'Takes a correction back; the figures are again those of before.',
  callers: [2, 3, 4, 255],
  code: 'device:clearHistory',
  changes: ['data-repair', 'sites', 'fleet', 'devices', 'audit'],
  input: z.object({ ...plant, correctionID: z.int().check(z.gte(1), z.lte(2_147_483_647)) }),
  result: z.object({}),
  names: { stationID: 'site' },
});

/** Corrections by hand of what the counters of a plant's devices told. */
export const repairEndpoints = { counters, series, preview, correct, undo, corrections };
