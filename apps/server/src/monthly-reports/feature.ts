import { monthlyReportEndpoints } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import { addJob } from '../jobs/jobs.ts';
import { PdfMaker } from '../papers/pdf-maker.ts';
import type { Services } from '../services.ts';
import { MAIL_REPORT, mailNext } from './mail-reports.ts';
import { mailReports, monthsOfPlant, reportFile } from './monthly-reports.service.ts';
import { forgetMails } from './monthly-reports.store.ts';
import { pdfThread, type SheetTask } from './pdf/sheet.ts';

/** The report of each month of a plant, as PDF and by mail. */
export const feature = featureOf(
  monthlyReportEndpoints,
  { months: monthsOfPlant, file: reportFile, mail: mailReports },
  start,
);

/** Plants end their months at any quarter of an hour. */
const WATCH_AT = '3,18,33,48 * * * *';
const FORGET_AT = '50 4 * * *';
const KEPT_MS = 400 * 86_400_000;

function start(services: Services, { fastify }: Api) {
  const { db, jobs, nowMs } = services;
  const maker = new PdfMaker<SheetTask>(services.liveClock, pdfThread);
  jobs.on(
    MAIL_REPORT,
    async (_, ending) => {
      await mailNext({ ...services, maker }, ending);
    },
    'making',
  );
  // What is due, and what a server that was killed has left.
  jobs.every('monthlyReports.watch', WATCH_AT, () => addJob(db, MAIL_REPORT));
  jobs.every('monthlyReports.forget', FORGET_AT, async () => {
    await forgetMails(db, new Date(nowMs() - KEPT_MS));
  });
  fastify.addHook('onReady', () => addJob(db, MAIL_REPORT));
  fastify.addHook('onClose', () => maker.stop());
  return { maker };
}
