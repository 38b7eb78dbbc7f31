import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';

/** Most alarms that one answer names. */
export const MOST_SITE_ALARMS = 200;

/** An alarm of a device of a plant; `untilMs` is `null` while it stands. */
export const siteAlarm = z.object({
  code: z.int(),
  level: z.int(),
  sinceMs: z.int(),
  untilMs: z.nullable(z.int()),
  deviceID: z.string(),
  deviceSN: z.string(),
  kind: deviceKind,
});
export type SiteAlarm = z.infer<typeof siteAlarm>;

/**
 * Why a plant is offline: `noLogger` no datalogger is linked to it, `neverHeard` none has ever connected, `silent` none is
 * connected, `noValues` one is connected and tells no values.
 */
export const silenceReason = z.enum(['noLogger', 'neverHeard', 'silent', 'noValues']);

/** The silence of a plant that is offline. */
export const siteSilence = z.object({
  reason: silenceReason,
  /** Time of the newest value; `null` before the first. */
  sinceMs: z.nullable(z.int()),
  /** The datalogger that was heard last. */
  moduleSN: z.string(),
  moduleType: z.string(),
  /** When it was heard last, be it without values. */
  lastSeenMs: z.nullable(z.int()),
});
export type SiteSilence = z.infer<typeof siteSilence>;

/** A change of what a plant is counted by. Prices per kWh as decimal strings, as they are valid from then on. */
export const siteChange = z.object({
  atMs: z.int(),
  what: z.enum(['prices']),
  price: z.nullable(z.string()),
  purchasePrice: z.nullable(z.string()),
  currency: z.string(),
});
export type SiteChange = z.infer<typeof siteChange>;

/** Alarms that stand now or, of a span, stood within it, the worst and the newest first. */
export const siteAlarms = z.object({
  alarms: z.array(siteAlarm),
  /** How many there are; `alarms` holds the first of them. */
  total: z.int(),
  /** Of a span: what was changed within it. */
  changes: z.array(siteChange),
  /** Why the plant is offline now; `null` while it is not. */
  silence: z.nullable(siteSilence),
});
export type SiteAlarms = z.infer<typeof siteAlarms>;
