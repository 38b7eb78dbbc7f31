import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { plantLevels } from '../sites/sites.ts';

const stationID = z.uuid();
/** A plant-local month, `YYYY-MM`. */
const month = z.string().check(z.regex(/^(?:19[89]\d|20\d\d)-(?:0[1-9]|1[0-2])$/));

export const months = endpoint({
  method: 'GET',
  path: '/c/v0/plant/monthlyReport',
  feature: 'monthly-reports',
  summary: 'Months of which a plant has a report, the newest first, and whether the caller gets it by mail.',
  callers: plantLevels,
  input: z.object({ stationID }),
  result: z.object({
    /** `isRunning`: it is not over by the clock of the plant, and its report tells of the days so far. */
    months: z.array(z.object({ month: z.string(), isRunning: z.boolean() })),
    mail: z.object({
      isOn: z.boolean(),
      /** Confirmed address of the caller; empty where there is none, and no mail can be sent. */
      to: z.string(),
    }),
  }),
  names: { stationID: 'site' },
});

export const file = endpoint({
  method: 'POST',
  path: '/c/v0/plant/monthlyReport/pdf',
  feature: 'monthly-reports',
  summary: 'The report of a plant on a month as PDF, in the language of the caller.',
  callers: plantLevels,
  reads: true,
  file: true,
  input: z.object({ stationID, month }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const mail = endpoint({
  method: 'POST',
  path: '/c/v0/plant/monthlyReport/mail',
  feature: 'monthly-reports',
  summary: 'Has the report of each month of a plant sent to the confirmed address of the caller, or ends that.',
  callers: plantLevels,
  changes: ['monthly-reports'],
  input: z.object({ stationID, isOn: z.boolean() }),
  result: z.object({}),
  names: { stationID: 'site' },
});

export const monthlyReportEndpoints = { months, file, mail } as const;
