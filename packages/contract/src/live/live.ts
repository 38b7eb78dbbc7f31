import * as z from 'zod/mini';
import { deviceRow, latestValue } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { text } from '../fields.ts';
import { fleetSummary } from '../fleet/fleet.ts';
import { handoverNow } from '../handover/handover.ts';
import { levels } from '../levels.ts';
import { figures, siteLive } from '../sites/site.ts';

/**
 * One message of the live stream. `hello` comes first with the server's time; `beat` every two seconds proves that the
 * stream lives; a subject out of scope or unknown gives `gone`. Each watched subject is sent at once with its current state,
 * then when it changes, at most once a second.
 */
export const liveEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), nowMs: z.int() }),
  z.object({ type: z.literal('beat'), nowMs: z.int() }),
  z.object({ type: z.literal('site'), site: siteLive, today: figures }),
  z.object({ type: z.literal('device'), device: deviceRow, values: z.array(latestValue) }),
  z.object({ type: z.literal('fleet'), fleet: fleetSummary }),
  z.object({ type: z.literal('handover'), stationID: z.string(), handover: z.nullable(handoverNow) }),
  /** Settings, a group write, incidents, messages, work orders, fault records or burn-in runs are others than at `atMs` before; what they are is read by their own calls. */
  z.object({ type: z.literal('changed'), subject: z.string(), atMs: z.int() }),
  z.object({ type: z.literal('gone'), subject: z.string() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/**
 * `fleet`, `incidents` (of whomever: what the caller sees of them is read by its calls), `messages` (to the caller), `workOrders` and, for who works on them, `workOrderNotes` (of whomever), `faultRecords` (of whomever), `burnIn` (runs at the factory, for administrators), `site:<stationID>`, `device:<deviceID>`, `handover:<stationID>` (for who hands plants over), `settings:<id>` of a device or datalogger with
 * its commands, `group:<groupID>` of a group write.
 */
export const subject = text(64).check(
  z.regex(
    /^(fleet|incidents|messages|workOrders|workOrderNotes|faultRecords|burnIn|(site|device|handover|settings|group):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  ),
);

export const MAX_SUBJECTS = 60;
/** A stream without a beat for two of these is dead, so that a cut is noticed within five seconds. */
export const BEAT_MS = 2_000;

export const stream = endpoint({
  method: 'POST',
  path: '/c/v0/live',
  feature: 'live',
  summary: 'Server-sent events of what the caller looks at. Opened anew with other subjects when that changes.',
  callers: levels,
  reads: true,
  stream: true,
  input: z.object({ subjects: z.array(subject).check(z.maxLength(MAX_SUBJECTS)) }),
  result: liveEvent,
});

export const liveEndpoints = { stream };
