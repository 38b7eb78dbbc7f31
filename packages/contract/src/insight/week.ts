import * as z from 'zod/mini';

const share = z.number();
const hours = z.number();
const energyWh = z.nullable(z.number());

const evidenced = <const Kind extends string, Evidence extends z.ZodMiniObject>(kind: Kind, evidence: Evidence) =>
  z.object({ kind: z.literal(kind), evidence });

/** Why a plant gave less than it could, each with what it rests on (`packages/energy/src/insight/reasons.ts`). */
export const lossReason = z.discriminatedUnion('kind', [
  /** Nothing was heard. */
  evidenced('offline', z.object({ silentHours: hours, expectedWh: energyWh, hadAlarm: z.boolean() })),
  /** An alarm stands that explains it. */
  evidenced('alarm', z.object({ code: z.int(), level: z.int(), device: z.string(), hours })),
  /** An inverter gave nothing in daylight and told no alarm. */
  evidenced('standstill', z.object({ device: z.string(), hours })),
  evidenced(
    'string-weak',
    z.object({
      device: z.string(),
      string: z.string(),
      /** Its energy against what it would be as its neighbours have it, or as its own past was. */
      share,
      against: z.enum(['peers', 'past']),
      alarm: z.nullable(z.int()),
    }),
  ),
  /** The arrays offer more than the inverter is rated for. */
  evidenced('clipping', z.object({ hours, ratedAcW: z.number() })),
  evidenced('export-limit', z.object({ hours, limitW: z.number() })),
  /** Feeding in is limited and the battery takes no more. */
  evidenced('battery-full', z.object({ hours, limitW: z.number(), socPercent: z.number() })),
  evidenced('snow', z.object({ share, ambientC: z.nullable(z.number()), daysBefore: z.int() })),
  /** At the same hours of clear days; hours by the sun, which is highest at 12. */
  evidenced('shade', z.object({ fromSolarHour: z.number(), toSolarHour: z.number(), share, clearDays: z.int() })),
  evidenced('soiling', z.object({ share, perDay: z.number(), days: z.int() })),
  /** The meter at the grid cannot be right: it costs no energy, but figures and control. */
  evidenced('meter-wrong', z.object({ hours, alarm: z.nullable(z.int()) })),
]);
export type LossReason = z.infer<typeof lossReason>;
export type LossKind = LossReason['kind'];

export const lossKinds = lossReason.def.options.map((option) => option.shape.kind.def.values[0] as LossKind);

/** What would have to be known for more to be told. */
export const missingKind = z.enum([
  'place',
  'size',
  'reference',
  'power',
  'history',
  'strings',
  'grid',
  'state-of-charge',
  'export-limit',
  'rating',
  'price',
]);
export type MissingKind = z.infer<typeof missingKind>;

/** Where the light of a day is known from; `null` = nothing told of it. */
export const lightSource = z.nullable(z.enum(['sensor', 'neighbours']));

/** Days of which losses are summed. */
export const WEEK_DAYS = 7;

/** What a plant lost in its newest seven whole days. Energies in Wh; `null` = not known. */
export const lossWeek = z.object({
  first: z.string(),
  last: z.string(),
  /** Of each day what the plant gave of what it could, and the middle half of its neighbours in the same terms. */
  days: z.array(
    z.object({
      day: z.string(),
      share: z.nullable(z.number()),
      low: z.nullable(z.number()),
      high: z.nullable(z.number()),
      lossWh: energyWh,
    }),
  ),
  lossWh: energyWh,
  lossMoney: z.nullable(z.string()),
  currency: z.string(),
  /** Expected while nothing was heard: nobody knows whether it was given. */
  unknownWh: z.number(),
  source: lightSource,
  /** Neighbours that count, and whether they stand within 50 km or only in the same climate. */
  peers: z.int(),
  basis: z.nullable(z.enum(['near', 'climate'])),
  /** The likeliest first. */
  reasons: z
    .array(
      z.object({
        reason: lossReason,
        lossWh: energyWh,
        days: z.int(),
        /** The local day on which it began, as far as it is within the seven. */
        since: z.string(),
        isStanding: z.boolean(),
        confidence: z.number(),
      }),
    )
    .check(z.maxLength(12)),
  missing: z.array(missingKind),
  /** The day that shows it best. */
  evidenceDay: z.string(),
});
export type LossWeek = z.infer<typeof lossWeek>;
