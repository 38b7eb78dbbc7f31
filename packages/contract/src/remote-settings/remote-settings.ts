import * as z from 'zod/mini';
import { command } from '../commands/command.ts';
import { settingName, settingValue } from '../commands/setting-value.ts';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { line, text } from '../fields.ts';
import type { Level } from '../levels.ts';
import { paged, paging } from '../lists.ts';
import { state } from '../status.ts';
import { settingChange, settingRow, settingRule, writer } from './setting.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const readers = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

export const MOST_VALUES_OF_A_WRITE = 40;
export const MOST_DEVICES_OF_A_GROUP = 2_000;
export const MOST_PRESETS = 200;

/** A device by its id; a datalogger by the id of the list of dataloggers. */
const subjectID = z.uuid();

const values = z
  .array(
    z.object({
      name: settingName,
      value: settingValue,
      /** What the device said of it when it was edited; refused where it says something else by now. Null: it had said nothing. */
      basedOn: z.optional(z.nullable(settingValue)),
    }),
  )
  .check(z.minLength(1), z.maxLength(MOST_VALUES_OF_A_WRITE));

/** The full serial number, typed; spaces do not count. Needed where a dangerous setting is among the values. */
const confirmation = z._default(text(64), '');

/** Of the caller's own making: what comes again under it, as after an answer that was lost, is done once and answered as it was. */
export const requestID = z.optional(z.uuid());

const subject = z.object({
  subjectID: z.string(),
  subjectSN: z.string(),
  kind: z.union([deviceKind, z.literal('logger')]),
  model: z.string(),
  firmware: z.string(),
  moduleSN: z.string(),
  stationID: z.nullable(z.string()),
  stationName: z.string(),
  ianaTimezone: z.nullable(z.string()),
  state,
  online: z.boolean(),
});

export const view = endpoint({
  method: 'GET',
  path: '/c/v0/device/setting/view',
  feature: 'remote-settings',
  summary:
    'Settings of a device or datalogger: rules, what it says, what it is meant to be, drift, and what is under way.',
  callers: operators,
  input: z.object({ id: subjectID }),
  result: z.object({
    subject,
    settings: z.array(settingRow),
    writer: z.nullable(writer),
    /** Open commands and those of the last ten minutes, the newest first. */
    commands: z.array(command),
    can: z.object({ write: z.boolean() }),
  }),
  names: { id: 'device' },
});

export const read = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/read',
  feature: 'remote-settings',
  summary: 'Reads settings from the device: all of them, or those named.',
  callers: operators,
  changes: ['remote-settings', 'commands'],
  input: z.object({ id: subjectID, names: z._default(z.array(settingName).check(z.maxLength(64)), []) }),
  result: z.object({ commandID: z.string() }),
  names: { id: 'device' },
});

export const write = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/write',
  feature: 'remote-settings',
  summary: 'Writes settings, all or nothing, within the bounds of their rules.',
  callers: operators,
  changes: ['remote-settings', 'commands'],
  input: z.object({ id: subjectID, values, confirmation, requestID }),
  result: z.object({ commandID: z.string() }),
  names: { id: 'device' },
});

export const accept = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/accept',
  feature: 'remote-settings',
  summary: 'Takes what a device has changed by itself for what it is meant to be.',
  callers: operators,
  changes: ['remote-settings', 'devices'],
  input: z.object({
    id: subjectID,
    /** Each with the value that was looked at: another one that has come since is not taken unseen. */
    values: z.array(z.object({ name: settingName, value: settingValue })).check(z.minLength(1), z.maxLength(64)),
  }),
  result: z.object({}),
  names: { id: 'device' },
});

export const restore = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/restore',
  feature: 'remote-settings',
  summary: 'Writes again what drifted settings are meant to be.',
  callers: operators,
  changes: ['remote-settings', 'devices', 'commands'],
  input: z.object({ id: subjectID, names: z.array(settingName).check(z.minLength(1), z.maxLength(64)), confirmation }),
  result: z.object({ commandID: z.string() }),
  names: { id: 'device' },
});

export const revert = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/revert',
  feature: 'remote-settings',
  summary: 'Writes the value that a setting had before a change.',
  callers: operators,
  changes: ['remote-settings', 'devices', 'commands'],
  input: z.object({ id: subjectID, changeID: text(20), confirmation }),
  result: z.object({ commandID: z.string() }),
  names: { id: 'device' },
});

export const history = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/history',
  feature: 'remote-settings',
  summary: 'Changes of the settings of a device, or of one of them: who, when, from, to, by what. The newest first.',
  callers: operators,
  reads: true,
  input: z.object({ id: subjectID, name: z.optional(settingName), ...paging }),
  result: z.object({ ...paged, data: z.array(settingChange) }),
  names: { id: 'device' },
});

export const cancel = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/cancel',
  feature: 'remote-settings',
  summary: 'Takes back a command that has not been sent yet.',
  callers: operators,
  changes: ['remote-settings', 'commands'],
  input: z.object({ id: subjectID, commandID: text(26, 26) }),
  result: z.object({ cancelled: z.boolean() }),
  names: { id: 'device' },
});

/** Drift of devices in scope, for notices on other screens. */
export const drift = endpoint({
  method: 'GET',
  path: '/c/v0/device/setting/drift',
  feature: 'remote-settings',
  summary: 'Settings of a device that it has changed by itself.',
  callers: readers,
  input: z.object({ id: subjectID }),
  result: z.object({ settings: z.array(settingRow), can: z.object({ write: z.boolean() }) }),
  names: { id: 'device' },
});

const presetValues = z
  .array(z.object({ name: settingName, value: settingValue }))
  .check(z.minLength(1), z.maxLength(MOST_VALUES_OF_A_WRITE));

export const presets = endpoint({
  method: 'GET',
  path: '/c/v0/device/setting/presets',
  feature: 'remote-settings',
  summary: 'Presets of the own organisation, and of those above it, for a kind of device.',
  callers: operators,
  input: z.object({ kind: z.union([deviceKind, z.literal('logger')]) }),
  result: z.object({
    presets: z.array(
      z.object({
        presetID: z.string(),
        name: z.string(),
        values: z.array(z.object({ rule: settingRule, value: settingValue })),
        by: z.string(),
        atMs: z.int(),
        can: z.object({ remove: z.boolean() }),
      }),
    ),
  }),
});

export const addPreset = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/presets/add',
  feature: 'remote-settings',
  summary: 'Keeps values under a name for the own organisation.',
  callers: operators,
  changes: ['remote-settings'],
  input: z.object({ kind: z.union([deviceKind, z.literal('logger')]), name: line(64, 1), values: presetValues }),
  result: z.object({ presetID: z.string() }),
});

export const removePreset = endpoint({
  method: 'POST',
  path: '/c/v0/device/setting/presets/remove',
  feature: 'remote-settings',
  summary: 'Takes away a preset of the own organisation.',
  callers: operators,
  changes: ['remote-settings'],
  input: z.object({ presetID: z.uuid() }),
  result: z.object({}),
  names: { presetID: 'preset' },
});

export const settingsEndpoints = {
  view,
  read,
  write,
  accept,
  restore,
  revert,
  history,
  cancel,
  drift,
  presets,
  addPreset,
  removePreset,
};
