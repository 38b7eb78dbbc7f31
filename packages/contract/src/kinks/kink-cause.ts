import * as z from 'zod/mini';

const device = z.object({ deviceID: z.string(), deviceSN: z.string() });

/** From 0 to 1. */
const confidence = z.number();

/** Why a curve has a kink, with what it rests on. Percent are of what each gave just before, as the clear sky goes along. */
export const kinkCause = z.discriminatedUnion('kind', [
  /** Nothing was heard of these devices. */
  z.object({ kind: z.literal('gap'), confidence, devices: z.array(device) }),
  z.object({ kind: z.literal('alarm'), confidence, device, code: z.int() }),
  /** One string fell, another one of the same inverter did not. */
  z.object({
    kind: z.literal('string'),
    confidence,
    device,
    /** `tracker` where the inverter tells no strings. */
    of: z.enum(['string', 'tracker']),
    n: z.int(),
    percent: z.number(),
    other: z.object({ n: z.int(), percent: z.number() }),
    /** Code of the alarm that says so too. */
    code: z.nullable(z.int()),
  }),
  /** One inverter fell while others ran on. */
  z.object({
    kind: z.literal('inverter'),
    confidence,
    device,
    percent: z.number(),
    others: z.int(),
    othersPercent: z.number(),
  }),
  /** All inverters were heard and gave nothing. */
  z.object({ kind: z.literal('standstill'), confidence, inverters: z.int() }),
  z.object({ kind: z.literal('clipping'), confidence, ratedW: z.number() }),
  /** What is fed in stands at a limit. */
  z.object({ kind: z.literal('export-limit'), confidence, limitW: z.number() }),
  /** The same, since the battery takes no more. */
  z.object({ kind: z.literal('battery-full'), confidence, limitW: z.number(), socPercent: z.number() }),
  z.object({ kind: z.literal('correction'), confidence, device }),
  /** `mode` is one of the work modes of the catalogue of points. */
  z.object({ kind: z.literal('workMode'), confidence, device, mode: z.int(), atMs: z.int() }),
  /**
   * All fell alike: five or more neighbours within 50 km, the plant's sensor, its inverters or its strings; or the power swayed as it
   * does under clouds.
   */
  z.object({
    kind: z.literal('cloud'),
    confidence,
    by: z.enum(['neighbours', 'sensor', 'inverters', 'strings', 'swaying']),
    count: z.int(),
    percent: z.number(),
  }),
]);
export type KinkCause = z.infer<typeof kinkCause>;
