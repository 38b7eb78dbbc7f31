import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';

/** Energies of a plant that can be corrected, each at the counter of a device. */
export const repairChannels = [
  'pv',
  'external',
  'load',
  'charger',
  'charge',
  'discharge',
  'import',
  'export',
  'acOut',
] as const;
export const repairChannel = z.enum(repairChannels);
export type RepairChannel = z.infer<typeof repairChannel>;

/** How a span is filled: its edges joined, as the neighbours went, not at all, with an own value. */
export const repairWays = ['bridge', 'neighbours', 'gap', 'own'] as const;
export const repairWay = z.enum(repairWays);
export type RepairWay = z.infer<typeof repairWay>;

/** Wh; `null` = not known. */
export const energy = z.nullable(z.number());
/** Names the plant of a call. */
export const plant = { stationID: z.uuid() };
/** Names a counter: a device and one of its energies. */
export const counter = { deviceID: z.uuid(), channel: repairChannel };
/** What a plant had on a day of its own, before and after a correction. */
export const correctedDay = z.object({ day: z.string(), beforeWh: energy, afterWh: energy });

/** A span of a counter that somebody corrected by hand. Times: milliseconds since 1970, `toMs` excluded; energies: Wh. */
export const correction = z.object({
  correctionID: z.int(),
  deviceID: z.string(),
  deviceSN: z.string(),
  channel: repairChannel,
  fromMs: z.int(),
  toMs: z.int(),
  way: repairWay,
  /** What was accounted of the counter in the span when the correction was made, and what counts since. */
  formerWh: energy,
  energyWh: energy,
  /** What the plant had on each of its days. */
  days: z.array(correctedDay),
  reason: z.string(),
  madeAtMs: z.int(),
  company: z.string(),
});
export type CorrectionRow = z.infer<typeof correction>;

/** What can be corrected at all: who may ask for it may correct. */
export const counters = endpoint({
  method: 'GET',
  path: '/c/v0/plant/repair/counters',
  feature: 'data-repair',
  summary: 'Counters of the devices of a plant whose energy can be corrected.',
  callers: [2, 3, 4, 255],
  code: 'device:clearHistory',
  input: z.object(plant),
  result: z.object({
    name: z.string(),
    ianaTimezone: z.string(),
    today: z.string(),
    firstDay: z.nullable(z.string()),
    counters: z.array(z.object({ ...counter, deviceSN: z.string(), deviceType: z.string() })),
  }),
  names: { stationID: 'site' },
});

/** What was corrected, for everybody who sees the plant. */
export const corrections = endpoint({
  method: 'GET',
  path: '/c/v0/plant/corrections',
  feature: 'data-repair',
  summary: 'What has been corrected by hand in the figures of a plant, the newest span first.',
  callers: [1, 2, 3, 4, 255],
  input: z.object(plant),
  result: z.object({ ianaTimezone: z.string(), corrections: z.array(correction) }),
  names: { stationID: 'site' },
});
