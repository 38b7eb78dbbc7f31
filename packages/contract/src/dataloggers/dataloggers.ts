import * as z from 'zod/mini';
import { deviceKind } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { paged, paging, searchText, sortedBy } from '../lists.ts';
import { managingEndpoints } from './managing.ts';

const plantLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];
const operators = [2, 3, 4, 255] as const satisfies readonly Level[];

/** A signal below this is weak: messages are lost, dBm. */
export const WEAK_SIGNAL_DBM = -85;
/** So many samples in its buffer are more than what is just being sent. */
export const MANY_PENDING = 10;

export const dataloggerStates = ['offline', 'quarantined', 'struggling', 'free', 'online'] as const;
/**
 * `offline`: of a plant and not heard; `quarantined`: nobody has let it in yet; `struggling`: heard, with a weak signal or samples that wait;
 * `free`: of no plant; `online`: heard.
 */
export const dataloggerState = z.enum(dataloggerStates);
export type DataloggerState = z.infer<typeof dataloggerState>;

export const uplinks = ['tls', 'plain'] as const;

export const dataloggerRow = z.object({
  moduleID: z.string(),
  moduleSN: z.string(),
  /** WiFi, 4G, LAN, as it tells. */
  moduleType: z.string(),
  model: z.string(),
  plantName: z.string(),
  stationID: z.nullable(z.string()),
  state: dataloggerState,
  /** 1 online, 2 offline. */
  communication: z.int(),
  quarantined: z.boolean(),
  /** dBm. */
  signal: z.nullable(z.number()),
  ip: z.string(),
  version: z.string(),
  hardware: z.string(),
  /** Door of the portal by which it came last: with or without TLS; null where that is not known. */
  uplink: z.nullable(z.enum(uplinks)),
  lastSeenMs: z.nullable(z.int()),
  intervalS: z.int(),
  /** Devices behind it, and how many of them are heard. */
  children: z.int(),
  childrenHeard: z.int(),
  /** Samples that wait in its buffer. */
  pending: z.nullable(z.number()),
  can: z.object({
    /** It is one of the records of which `detail` tells. */
    look: z.boolean(),
    bind: z.boolean(),
    unbind: z.boolean(),
    delete: z.boolean(),
    adopt: z.boolean(),
    refuse: z.boolean(),
    renewPassword: z.boolean(),
  }),
});
export type DataloggerRow = z.infer<typeof dataloggerRow>;

export const dataloggerFields = fieldsOf(dataloggerRow)({
  moduleSN: is.serial,
  state: is.choice('dataloggers.state', dataloggerStates),
  moduleType: is.text,
  model: is.text,
  plantName: is.text,
  signal: is.count,
  ip: is.text,
  version: is.text,
  hardware: is.text,
  uplink: is.choice('dataloggers.uplink', uplinks),
  lastSeenMs: is.time,
  children: unsorted(is.count),
  childrenHeard: unsorted(is.count),
  pending: is.count,
});

const condition = z.object({
  communication: z._default(z.int().check(z.gte(0), z.lte(2)), 0),
  moduleSN: z._default(searchText, ''),
  moduleType: z._default(searchText, ''),
  /** In serial number, model, plant and address in its network. */
  content: z._default(searchText, ''),
  state: z.optional(dataloggerState),
  states: z.optional(z.array(dataloggerState).check(z.maxLength(dataloggerStates.length))),
  stationID: z.optional(z.uuid()),
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/module/list',
  feature: 'dataloggers',
  summary:
    'Dataloggers in scope, by page, filter and order. `communication` 0 all, 1 online, 2 offline. Those in quarantine are told to who holds `device:viewUncreated`.',
  callers: plantLevels,
  reads: true,
  list: { rows: 'data', key: 'moduleID', fields: dataloggerFields },
  input: z.object({
    ...paging,
    condition: z._default(condition, { communication: 0, moduleSN: '', moduleType: '', content: '' }),
    sort: sortedBy(dataloggerFields, 'state'),
  }),
  result: z.object({ ...paged, data: z.array(dataloggerRow) }),
});

export const exportList = exportOf(list);

export const counts = endpoint({
  method: 'GET',
  path: '/c/v0/module/counts',
  feature: 'dataloggers',
  summary: 'How many dataloggers in scope are in which state.',
  callers: plantLevels,
  input: z.object({}),
  result: z.object({ total: z.int(), states: z.record(dataloggerState, z.int()) }),
});

/** What was done with a datalogger by whom. */
const past = z.object({ atMs: z.int(), action: z.string(), actor: z.string(), plant: z.string() });

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/module/detail',
  feature: 'dataloggers',
  summary: 'A datalogger with the devices behind it, its alarms and who linked it when.',
  callers: operators,
  input: z.object({ moduleID: z.uuid() }),
  result: z.object({
    module: dataloggerRow,
    organisation: z.string(),
    /** Of its plant; UTC where it has none. */
    ianaTimezone: z.string(),
    profile: z.string(),
    /** Zone of its own clock, as it tells. */
    clockZone: z.string(),
    bornMs: z.nullable(z.int()),
    createdMs: z.int(),
    /** `own`: it has a password of its own; `provisioning`: a provisioning key stands for it; `none`: it has never had one. */
    credential: z.enum(['own', 'provisioning', 'none']),
    /** Until when the passwords before the newest are good. */
    formerUntilMs: z.nullable(z.int()),
    devices: z.array(
      z.object({
        deviceID: z.string(),
        deviceSN: z.string(),
        kind: deviceKind,
        model: z.string(),
        state: z.enum(['normal', 'alarm', 'fault', 'offline']),
        lastSeenMs: z.nullable(z.int()),
      }),
    ),
    alarms: z.array(z.object({ code: z.int(), level: z.int(), sinceMs: z.int() })),
    history: z.array(past),
  }),
  names: { moduleID: 'dataloggerID' },
});
export type DataloggerDetail = z.infer<(typeof detail)['result']>;

export const signal = endpoint({
  method: 'GET',
  path: '/c/v0/module/signal',
  feature: 'dataloggers',
  summary:
    'Signal of a datalogger over the last day, week or month: mean and lowest of each of some 300 parts, and what waited at most.',
  callers: operators,
  input: z.object({
    moduleID: z.uuid(),
    hours: z._default(z.union([z.literal('24'), z.literal('168'), z.literal('720')]), '24'),
  }),
  result: z.object({
    startMs: z.int(),
    endMs: z.int(),
    tsMs: z.array(z.int()),
    meanDbm: z.array(z.nullable(z.number())),
    lowestDbm: z.array(z.nullable(z.number())),
    pending: z.array(z.nullable(z.number())),
  }),
  names: { moduleID: 'dataloggerID' },
});

export const dataloggerEndpoints = { list, exportList, counts, detail, signal, ...managingEndpoints } as const;
