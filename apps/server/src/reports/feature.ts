import { reportEndpoints } from '@sonnenwarte/contract/reports/reports';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import { addJob } from '../jobs/jobs.ts';
import type { Services } from '../services.ts';
import { forgetOld } from './forget.ts';
import { MAKE_REPORT, makeNext } from './maker.ts';
import { ReportFiles } from './report-files.ts';
import {
  cancelOf,
  createReport,
  downloadOf,
  plantsOf,
  previewOf,
  removeOf,
  reportDetailOf,
  reportListOf,
  retryOf,
  variablesOf,
} from './reports.service.ts';
import { countOpen } from './reports.store.ts';
import {
  addScheduleOf,
  askWhatIsDue,
  editScheduleOf,
  pauseScheduleOf,
  removeScheduleOf,
  scheduleListOf,
} from './schedules.service.ts';

/** Reports of devices and plants, made in the background and again by schedule. */
export const feature = featureOf(
  reportEndpoints,
  {
    list: reportListOf,
    exportList: { find: reportListOf, own: { bytes: ({ bytes }) => bytes } },
    detail: reportDetailOf,
    variables: variablesOf,
    plants: plantsOf,
    preview: previewOf,
    create: createReport,
    cancel: cancelOf,
    retry: retryOf,
    remove: removeOf,
    download: downloadOf,
    scheduleList: scheduleListOf,
    exportSchedules: { find: scheduleListOf, own: { at: ({ at, ianaTimezone }) => `${at} ${ianaTimezone}` } },
    scheduleAdd: addScheduleOf,
    scheduleEdit: editScheduleOf,
    schedulePause: pauseScheduleOf,
    scheduleRemove: removeScheduleOf,
  },
  start,
);

const EVERY_MINUTE = '* * * * *';
const FORGET_AT = '20 4 * * *';

function start(services: Services, { fastify }: Api) {
  const { db, jobs } = services;
  const files = new ReportFiles(services.config.dataDir);
  jobs.on(
    MAKE_REPORT,
    async (_, ending) => {
      await makeNext({ ...services, files }, ending);
    },
    'making',
  );
  // What was due, what was put back, and what a server that was killed has left.
  jobs.every('reports.watch', EVERY_MINUTE, async (ending) => {
    await askWhatIsDue(services, ending);
    if ((await countOpen(db)) > 0) await addJob(db, MAKE_REPORT);
  });
  jobs.every('reports.forget', FORGET_AT, (ending) => forgetOld({ ...services, files }, ending));
  fastify.addHook('onReady', async () => {
    if ((await countOpen(db)) > 0) await addJob(db, MAKE_REPORT);
  });
  return { files };
}
