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
  /** The meter at the grid, or a power, cannot be right: it costs no energy, but figures and control. */
  evidenced(
    'meter-wrong',
    z.object({
      hours,
      alarm: z.nullable(z.int()),
      /** Where it is a power of PV: what it comes to, and what was counted meanwhile, Wh. */
      counted: z.optional(z.object({ toldWh: z.number(), countedWh: z.number() })),
    }),
  ),
]);
export type LossReason = z.infer<typeof lossReason>;
