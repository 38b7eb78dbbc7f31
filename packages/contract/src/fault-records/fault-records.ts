import * as z from 'zod/mini';
import { choice, choosing } from '../choices.ts';
import { endpoint } from '../endpoint.ts';
import { exportOf } from '../exports.ts';
import { fieldsOf, is, unsorted } from '../kinds.ts';
import type { Level } from '../levels.ts';
import { filteredBy, paged, paging, sortedBy } from '../lists.ts';
import { faultRecordRow, MOST_ASKED, recordContent, recordFailure, recordFellow } from './fault-record.ts';
import { recordStates } from './record-moves.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const timeMs = z.int().check(z.gte(0), z.lte(8.64e15));

export const faultRecordFields = fieldsOf(faultRecordRow)({
  deviceSN: is.serial,
  plantName: is.text,
  code: is.own,
  occurredMs: is.time,
  trigger: is.own,
  state: is.choice('fault-records.state', recordStates),
  index: unsorted(is.count),
  bytes: is.own,
});

export const list = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/list',
  feature: 'fault-records',
  summary: 'Fault records of devices in scope, fetched ones and those that devices keep, the newest first.',
  callers: operators,
  code: 'errorRecord:query',
  reads: true,
  list: { rows: 'records', key: 'recordID', fields: faultRecordFields },
  input: z.object({
    ...paging,
    condition: filteredBy({
      states: z.optional(z.array(z.enum(recordStates)).check(z.maxLength(recordStates.length))),
      code: z.optional(z.int().check(z.gte(0), z.lte(2_147_483_647))),
      stationID: z.optional(z.uuid()),
      deviceID: z.optional(z.uuid()),
      /** The fault began in this time. */
      fromMs: z.optional(timeMs),
      toMs: z.optional(timeMs),
    }),
    sort: sortedBy(faultRecordFields, 'occurredMs', 'desc'),
  }),
  result: z.object({ ...paged, records: z.array(faultRecordRow) }),
});
export const exportList = exportOf(list);

export const detail = endpoint({
  method: 'GET',
  path: '/c/v0/device/faultRecord/detail',
  feature: 'fault-records',
  summary: 'A fault record with its values and waveforms, and the records with which it can be compared.',
  callers: operators,
  code: 'errorRecord:query',
  large: true,
  input: z.object({ id: z.uuid() }),
  result: z.object({
    record: faultRecordRow,
    /** `null` until it has been fetched. */
    content: z.nullable(recordContent),
    fellows: z.array(recordFellow),
  }),
  names: { id: 'faultRecord' },
});

export const listing = endpoint({
  method: 'GET',
  path: '/c/v0/device/faultRecord/listing',
  feature: 'fault-records',
  summary: 'What a device said last of the fault records that it keeps, and whether it is being asked.',
  callers: operators,
  code: 'errorRecord:query',
  input: z.object({ deviceID: z.uuid() }),
  result: z.object({
    deviceSN: z.string(),
    ianaTimezone: z.string(),
    isAsked: z.boolean(),
    failure: z.nullable(recordFailure),
    deviceCode: z.nullable(z.int()),
    /** When it told its list last, and how many were in it; `null`: never. */
    listedMs: z.nullable(z.int()),
    listed: z.int(),
  }),
  names: { deviceID: 'device' },
});

export const devices = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/devices',
  feature: 'fault-records',
  summary: 'Inverters in scope that match a text, which can be asked for their fault records.',
  callers: operators,
  code: 'errorRecord:query',
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const plants = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/plants',
  feature: 'fault-records',
  summary: 'Plants in scope that match a text, by which fault records can be filtered.',
  callers: operators,
  code: 'errorRecord:query',
  reads: true,
  input: z.object(choosing),
  result: z.object({ choices: z.array(choice) }),
});

export const refresh = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/refresh',
  feature: 'fault-records',
  summary: 'Asks a device which fault records it keeps.',
  callers: operators,
  code: 'errorRecord:query',
  changes: ['fault-records', 'commands'],
  input: z.object({ deviceID: z.uuid() }),
  result: z.object({}),
  names: { deviceID: 'device' },
});

export const fetchRecords = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/fetch',
  feature: 'fault-records',
  summary: 'Asks devices for fault records that they keep.',
  callers: operators,
  code: 'errorRecord:query',
  changes: ['fault-records', 'commands'],
  input: z.object({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(MOST_ASKED)) }),
  result: z.object({ asked: z.int() }),
  names: { ids: 'faultRecord' },
});

export const recordFormats = ['csv', 'comtrade'] as const;

export const download = endpoint({
  method: 'POST',
  path: '/c/v0/device/faultRecord/download',
  feature: 'fault-records',
  summary:
    'A fault record as an archive: two CSV tables (values, waveforms), or COMTRADE (IEEE C37.111-1999, ASCII) with the values in its header file.',
  callers: operators,
  code: 'errorRecord:download',
  reads: true,
  file: true,
  input: z.object({ id: z.uuid(), format: z._default(z.enum(recordFormats), 'csv') }),
  result: z.null(),
  names: { id: 'faultRecord' },
});

export const faultRecordEndpoints = {
  list,
  exportList,
  detail,
  listing,
  devices,
  plants,
  refresh,
  fetchRecords,
  download,
} as const;
