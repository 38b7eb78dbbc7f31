import * as z from 'zod/mini';
import { commandState } from '../commands/command.ts';
import { settingName, settingValue } from '../commands/setting-value.ts';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { line, text } from '../fields.ts';
import type { Level } from '../levels.ts';
import { paged, paging } from '../lists.ts';
import { MOST_DEVICES_OF_A_GROUP, MOST_VALUES_OF_A_WRITE, requestID } from './remote-settings.ts';
import { settingRule } from './setting.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

const devices = z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_DEVICES_OF_A_GROUP));
const wanted = z
  .array(z.object({ name: settingName, value: settingValue }))
  .check(z.minLength(1), z.maxLength(MOST_VALUES_OF_A_WRITE));

/** Why a device is left out of a group: what it lacks, or what forbids it. */
export const groupObstacles = [
  'unknownSetting',
  'outOfRange',
  'readOnly',
  'blocked',
  'level',
  'openCommand',
  'sameValue',
] as const;

/** What would happen to a device of a group. */
export const previewRow = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  model: z.string(),
  stationName: z.string(),
  online: z.boolean(),
  values: z.array(z.object({ name: settingName, from: z.nullable(settingValue), to: settingValue })),
  /** Energy and money that the change costs a day, from the own last 30 days; null: not known, or none. */
  costWhPerDay: z.nullable(z.number()),
  costPerDay: z.nullable(z.number()),
  currency: z.string(),
  obstacle: z.nullable(z.object({ why: z.enum(groupObstacles), name: z.nullable(settingName), detail: z.string() })),
});
export type PreviewRow = z.infer<typeof previewRow>;

export const findDevices = endpoint({
  method: 'POST',
  path: '/c/v0/device/group/find',
  feature: 'remote-settings',
  summary: 'Devices of a kind in scope by serial numbers; says which are not found.',
  callers: operators,
  reads: true,
  input: z.object({
    kind: deviceKind,
    sns: z.array(text(32, 1)).check(z.minLength(1), z.maxLength(MOST_DEVICES_OF_A_GROUP)),
  }),
  result: z.object({
    found: z.array(
      z.object({ deviceID: z.string(), deviceSN: z.string(), model: z.string(), stationName: z.string() }),
    ),
    missing: z.array(z.string()),
  }),
});

export const rules = endpoint({
  method: 'POST',
  path: '/c/v0/device/group/rules',
  feature: 'remote-settings',
  summary: 'Settings that chosen devices have in common, with the bounds that hold for all of them.',
  callers: operators,
  reads: true,
  input: z.object({ deviceIDs: devices }),
  result: z.object({ rules: z.array(settingRule), devices: z.int() }),
});

export const preview = endpoint({
  method: 'POST',
  path: '/c/v0/device/group/preview',
  feature: 'remote-settings',
  summary: 'What values would change of each of the chosen devices, and which cannot take them, with the reason.',
  callers: operators,
  reads: true,
  large: true,
  input: z.object({ deviceIDs: devices, values: wanted }),
  result: z.object({ rows: z.array(previewRow), isDangerous: z.boolean() }),
});

export const run = endpoint({
  method: 'POST',
  path: '/c/v0/device/group/run',
  feature: 'remote-settings',
  summary: 'Writes values to the chosen devices; stops after so many refusals.',
  callers: operators,
  changes: ['remote-settings', 'devices', 'commands'],
  input: z.object({
    name: z._default(line(64), ''),
    deviceIDs: devices,
    values: wanted,
    /** Refusals after which nothing more is sent; null: none stop it. */
    stopAfter: z._default(z.nullable(z.int().check(z.gte(1), z.lte(MOST_DEVICES_OF_A_GROUP))), 3),
    /** The number of devices, typed, where a dangerous setting is among the values. */
    confirmation: z._default(text(64), ''),
    requestID,
  }),
  result: z.object({ groupID: z.string() }),
});

export const groupStates = ['running', 'paused', 'stopped', 'done', 'cancelled'] as const;

const counts = z.object({
  total: z.int(),
  waiting: z.int(),
  underWay: z.int(),
  /** Of those under way: the device is not there, and its command is sent as soon as it is. */
  away: z.int(),
  confirmed: z.int(),
  failed: z.int(),
  /** Of those that failed. */
  refused: z.int(),
  differs: z.int(),
  timedOut: z.int(),
  expired: z.int(),
  cancelled: z.int(),
});

export const groupRow = z.object({
  groupID: z.string(),
  name: z.string(),
  /** The group that it takes back: each device gets what it had before, and `values` is empty. */
  revertsID: z.nullable(z.string()),
  kind: deviceKind,
  by: z.string(),
  createdMs: z.int(),
  doneMs: z.nullable(z.int()),
  state: z.enum(groupStates),
  stopAfter: z.nullable(z.int()),
  /** Refusals that count for it: those since it was resumed last. */
  refusals: z.int(),
  values: z.array(z.object({ rule: settingRule, value: settingValue })),
  counts,
});
export type GroupRow = z.infer<typeof groupRow>;

export const groups = endpoint({
  method: 'POST',
  path: '/c/v0/device/group/list',
  feature: 'remote-settings',
  summary: 'Group writes of the own organisation and those below it, the newest first.',
  callers: operators,
  reads: true,
  input: z.object({ ...paging }),
  result: z.object({ ...paged, data: z.array(groupRow) }),
});

export const result = endpoint({
  method: 'GET',
  path: '/c/v0/device/group/result',
  feature: 'remote-settings',
  summary: 'A group write with the result of each device, what is not done first.',
  callers: operators,
  large: true,
  input: z.object({ groupID: z.uuid() }),
  result: z.object({
    group: groupRow,
    devices: z.array(
      z.object({
        deviceID: z.string(),
        deviceSN: z.string(),
        model: z.string(),
        stationName: z.string(),
        values: z.array(
          z.object({
            name: settingName,
            labelKey: z.string(),
            unit: z.string(),
            from: z.nullable(settingValue),
            to: settingValue,
          }),
        ),
        commandID: z.nullable(z.string()),
        /** When it was given to the device. */
        startedMs: z.nullable(z.int()),
        /** `waiting`: not given to the device yet. */
        state: z.union([commandState, z.literal('waiting')]),
        code: z.nullable(z.int()),
        message: z.string(),
        doneMs: z.nullable(z.int()),
        /** The device is not there: its command is sent as soon as it is, until then. */
        awaitedUntilMs: z.nullable(z.int()),
      }),
    ),
    /** Whether something that can trip the grid protection is among what is written: the number of devices is typed then. */
    isDangerous: z.boolean(),
    can: z.object({ control: z.boolean() }),
  }),
  names: { groupID: 'group' },
});

const control = {
  method: 'POST',
  feature: 'remote-settings',
  callers: operators,
  changes: ['remote-settings', 'devices', 'commands'],
  names: { groupID: 'group' },
} as const;

export const controlGroup = endpoint({
  ...control,
  path: '/c/v0/device/group/control',
  summary: 'Pauses a group write, goes on with it, or ends it; what is with a device is followed to its end.',
  input: z.object({ groupID: z.uuid(), action: z.enum(['pause', 'resume', 'cancel']) }),
  result: z.object({}),
});

export const retryGroup = endpoint({
  ...control,
  path: '/c/v0/device/group/retry',
  summary: 'Writes the same values again to devices of a group that did not take them, as a group of its own.',
  /** The number of these devices, typed, where a dangerous setting is among the values. */
  input: z.object({ groupID: z.uuid(), deviceIDs: devices, confirmation: z._default(text(64), '') }),
  result: z.object({ groupID: z.string() }),
});

export const revertGroup = endpoint({
  ...control,
  path: '/c/v0/device/group/revert',
  summary: 'Writes to each device of a group what it had before, as a group of its own.',
  /** The number of devices that have taken it or may have, typed, where a dangerous setting is among the values. */
  input: z.object({ groupID: z.uuid(), confirmation: z._default(text(64), '') }),
  result: z.object({ groupID: z.string() }),
});

export const groupEndpoints = {
  findDevices,
  rules,
  preview,
  run,
  groups,
  result,
  controlGroup,
  retryGroup,
  revertGroup,
};
