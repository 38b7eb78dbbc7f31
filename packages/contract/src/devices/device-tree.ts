import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { levels } from '../levels.ts';
import { paged, paging } from '../lists.ts';
import { state, states } from '../status.ts';
import { activeAlarm, deviceCondition, deviceKind } from './device.ts';
import { meterRoles } from './device-lists.ts';

/** Devices below one datalogger that an answer holds; `deviceCount` says how many there are. */
export const MOST_BELOW_LOGGER = 50;

const amount = z.nullable(z.number());

/** A device below its datalogger. While that is silent it has no alarm of its own: what is said of the datalogger explains it. */
export const treeDevice = z.object({
  deviceID: z.string(),
  deviceSN: z.string(),
  kind: deviceKind,
  deviceType: z.string(),
  meterRole: z.nullable(z.enum(meterRoles)),
  state,
  alarm: z.nullable(activeAlarm),
  /** W; of a battery positive while it discharges, of a meter while the plant imports. */
  nowW: amount,
  todayWh: amount,
  socPercent: amount,
  exportLimitW: amount,
  strategy: z.string(),
  firmware: z.string(),
  updatedAtMs: z.nullable(z.int()),
  intervalS: z.int(),
  /** Of its plant. */
  ianaTimezone: z.nullable(z.string()),
});
export type TreeDevice = z.infer<typeof treeDevice>;

export const treeLogger = z.object({
  moduleSN: z.string(),
  moduleType: z.string(),
  deviceType: z.string(),
  stationID: z.nullable(z.string()),
  plantName: z.string(),
  isOnline: z.boolean(),
  signalDbm: amount,
  firmware: z.string(),
  lastSeenMs: z.nullable(z.int()),
  intervalS: z.int(),
  deviceCount: z.int(),
  devices: z.array(treeDevice),
});
export type TreeLogger = z.infer<typeof treeLogger>;

export const tree = endpoint({
  method: 'POST',
  path: '/c/v0/device/tree',
  feature: 'devices',
  summary:
    'Dataloggers with the devices in scope below them, those first whose devices need a hand: the dataloggers of which a device of the kind passes the filters.',
  callers: levels,
  reads: true,
  input: z.object({
    ...paging,
    condition: z._default(
      z.object({
        kind: z.optional(deviceKind),
        state: z.optional(state),
        states: z.optional(states),
        content: deviceCondition.shape.content,
        deviates: deviceCondition.shape.deviates,
      }),
      { content: '' },
    ),
  }),
  result: z.object({ ...paged, modules: z.array(treeLogger) }),
});
