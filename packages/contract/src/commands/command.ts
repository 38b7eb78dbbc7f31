import * as z from 'zod/mini';
import { settingName, settingValue } from './setting-value.ts';

export const commandKinds = ['write', 'read', 'action'] as const;
export const commandKind = z.enum(commandKinds);
export type CommandKind = z.infer<typeof commandKind>;

/** Why a command was given: by hand, as a part of a group, to undo, from a preset, by a plan, by the controller of an EMS, by the portal itself. */
export const commandSources = ['hand', 'group', 'revert', 'preset', 'plan', 'ems', 'portal'] as const;
export const commandSource = z.enum(commandSources);
export type CommandSource = z.infer<typeof commandSource>;

/**
 * The way of a command: `queued` (waits for its turn or for the device), `sent`, `acknowledged` (the device has done it, as it says), `confirmed` (its
 * values were read back as they were wanted; a datalogger that was to restart, or to take a new password, has connected again, with that). Or why not: `refused` with the device's code, `differs` (read back as something else), `timedOut` (whether
 * it was done is not known), `expired` (never sent, or not done in time, as the device says), `cancelled` (taken back before it was sent).
 */
export const commandStates = [
  'queued',
  'sent',
  'acknowledged',
  'confirmed',
  'refused',
  'differs',
  'timedOut',
  'expired',
  'cancelled',
] as const;
export const commandState = z.enum(commandStates);
export type CommandState = z.infer<typeof commandState>;

export const openCommandStates = ['queued', 'sent', 'acknowledged'] as const satisfies readonly CommandState[];
export const isOpenCommand = (state: CommandState): boolean => openCommandStates.some((open) => open === state);

/** What a device can be told to do. */
export const deviceActions = [
  'Reboot',
  'ClearHistory',
  'ClearAlarm',
  'StartStop',
  'IvScan',
  'FaultRecordList',
  'FaultRecordRead',
  'NewCredential',
] as const;
export const deviceAction = z.enum(deviceActions);

/** Of a write its values, of a read its names or prefixes that end in `*`, of an action its name with parameters. */
export const commandContent = z.object({
  values: z.optional(z.record(settingName, settingValue)),
  names: z.optional(z.array(z.string())),
  action: z.optional(deviceAction),
  parameters: z.optional(z.record(z.string(), settingValue)),
});
export type CommandContent = z.infer<typeof commandContent>;

const time = z.nullable(z.int());

/** A command as screens show it. */
export const command = z.object({
  commandID: z.string(),
  /** Of whom it is for: a device, or a datalogger itself. */
  subjectID: z.string(),
  subjectSN: z.string(),
  kind: commandKind,
  content: commandContent,
  source: commandSource,
  /** Who gave it; empty for the portal itself, or an account that is no more. */
  orderedBy: z.string(),
  state: commandState,
  /** Result code of the device (0 ok, 1 unknown, 2 out of range, 3 read-only, 4 busy, 5 not answering, 6 refused, 7 differs, 8 expired, 9 internal, 10 partial). */
  code: z.nullable(z.int()),
  /** What the device said to it. */
  message: z.string(),
  before: z.record(z.string(), settingValue),
  readBack: z.nullable(z.record(z.string(), settingValue)),
  tries: z.int(),
  createdMs: z.int(),
  expiresMs: z.int(),
  sentMs: time,
  acknowledgedMs: time,
  doneMs: time,
  /** It waits: for one before it, or for a device that is not there. */
  waitsFor: z.nullable(z.enum(['turn', 'device'])),
});
export type Command = z.infer<typeof command>;
