import * as z from 'zod/mini';
import { deviceRow } from '../devices/device.ts';
import { endpoint } from '../endpoint.ts';
import { plantDay } from '../fields.ts';
import { state } from '../status.ts';
import { queryDate, report, reportType, reportVariable } from './site.ts';
import { siteAlarms } from './site-alarms.ts';
import { siteCalendar } from './site-calendar.ts';
import { comparison } from './site-comparison.ts';
import { siteConditions } from './site-conditions.ts';
import { historyInput } from './site-history.ts';
import { sitePlaceEndpoints } from './site-places.ts';
import { siteQuality } from './site-quality.ts';
import { siteWhereFrom } from './site-where-from.ts';
import { day, detail, exportList, figures, list, live, money, plantLevels, statusAll } from './sites.ts';

const stationID = z.uuid();

export const historyReport = endpoint({
  method: 'POST',
  path: '/generic/w/v0/plant/history/report',
  feature: 'sites',
  summary: 'Energies of a plant by hour of a day, day of a month, month of a year, or year.',
  callers: plantLevels,
  reads: true,
  input: z.object({
    stationID,
    reportType,
    variables: z.array(reportVariable).check(z.minLength(1), z.maxLength(32)),
    queryDate,
  }),
  result: report,
  names: { stationID: 'site' },
});

export const devices = endpoint({
  method: 'GET',
  path: '/c/v0/plant/devices',
  feature: 'sites',
  summary: 'All devices of a plant with their dataloggers.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: z.object({
    modules: z.array(
      z.object({
        moduleSN: z.string(),
        state,
        type: z.string(),
        version: z.string(),
        signalDbm: z.nullable(z.number()),
        lastSeenMs: z.nullable(z.int()),
        intervalS: z.int(),
      }),
    ),
    devices: z.array(deviceRow),
  }),
  names: { stationID: 'site' },
});

export const alarms = endpoint({
  method: 'GET',
  path: '/c/v0/plant/alarms',
  feature: 'sites',
  summary: 'Alarms of a plant that stand now or, with a span, stood within it, and why it is offline.',
  callers: plantLevels,
  /** Plant-local days, both included; without them what stands now. */
  input: z.object({ stationID, firstDay: z.optional(plantDay()), lastDay: z.optional(plantDay()) }),
  result: siteAlarms,
  names: { stationID: 'site' },
});

export const calendar = endpoint({
  method: 'GET',
  path: '/c/v0/plant/calendar',
  feature: 'sites',
  summary: 'Yield, self-sufficiency and money of the days of a year of a plant.',
  callers: plantLevels,
  input: z.object({ stationID, year: z.coerce.number().check(z.int(), z.gte(2000), z.lte(2100)) }),
  result: siteCalendar,
  names: { stationID: 'site' },
});

export const estimates = endpoint({
  method: 'GET',
  path: '/c/v0/plant/quality',
  feature: 'sites',
  summary:
    'What of the energies of a plant was estimated, today, in the running month and year and since the beginning.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: siteQuality,
  names: { stationID: 'site' },
});

export const conditions = endpoint({
  method: 'GET',
  path: '/c/v0/plant/conditions',
  feature: 'sites',
  summary: 'What weather stations of a plant measure now, and its strings that give far less than their neighbours.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: siteConditions,
  names: { stationID: 'site' },
});

export const whereFrom = endpoint({
  method: 'GET',
  path: '/c/v0/plant/whereFrom',
  feature: 'sites',
  summary: 'Where the energy of house and vehicles came from on a plant-local day, and what it cost.',
  callers: plantLevels,
  input: z.object({ stationID, date: plantDay() }),
  result: siteWhereFrom,
  names: { stationID: 'site' },
});

export const historyExport = endpoint({
  method: 'POST',
  path: '/generic/w/v0/plant/history/export',
  feature: 'sites',
  summary: 'Energies of a plant within a range of days, by five minutes, hour, day or month, as a CSV or XLSX file.',
  callers: plantLevels,
  reads: true,
  file: true,
  input: historyInput,
  result: z.null(),
  names: { stationID: 'site' },
});

export const siteEndpoints = {
  list,
  exportList,
  statusAll,
  detail,
  live,
  figures,
  day,
  historyReport,
  devices,
  ...sitePlaceEndpoints,
  alarms,
  calendar,
  money,
  estimates,
  conditions,
  whereFrom,
  comparison,
  historyExport,
};
