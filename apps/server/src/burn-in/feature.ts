import { burnInEndpoints } from '@sonnenwarte/contract/burn-in/burn-in';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import { PdfMaker } from '../papers/pdf-maker.ts';
import type { Services } from '../services.ts';
import { type PaperTask, pdfThread } from './paper.ts';
import { certificateFile, runReportFile } from './papers.service.ts';
import { addPlan, batchesOf, editPlan, planListOf, plansOf, removePlan } from './plans.service.ts';
import { alarmListOf, reportOf, unitDetailOf, unitListOf } from './results.service.ts';
import { Rounds } from './rounds.ts';
import {
  abortRunOf,
  addRun,
  boardOf,
  removeRunOf,
  removeUnitOf,
  runListOf,
  runsOf,
  settleLoadOf,
  startRunOf,
} from './runs.service.ts';

const numbered = ({ runNumber }: { readonly runNumber: number }) => runNumber;

/** Burn-in runs of new inverters at the factory. */
export const feature = featureOf(
  burnInEndpoints,
  {
    planList: planListOf,
    plans: plansOf,
    planAdd: addPlan,
    planEdit: editPlan,
    planRemove: removePlan,
    batches: batchesOf,
    list: runListOf,
    exportList: { find: runListOf, own: { number: ({ number }) => number } },
    runs: runsOf,
    board: boardOf,
    add: addRun,
    start: startRunOf,
    abort: abortRunOf,
    remove: removeRunOf,
    removeUnit: removeUnitOf,
    settleLoad: settleLoadOf,
    unitList: unitListOf,
    exportUnits: {
      find: unitListOf,
      own: {
        runNumber: numbered,
        outputPercent: ({ outputPercent }) => outputPercent,
        efficiencyPercent: ({ efficiencyPercent }) => efficiencyPercent,
        temperatureC: ({ temperatureC }) => temperatureC,
      },
    },
    report: reportOf,
    unit: unitDetailOf,
    alarmList: alarmListOf,
    exportAlarms: {
      find: alarmListOf,
      own: {
        code: ({ code }) => code,
        level: ({ level }) => level,
        runNumber: numbered,
        failed: ({ failed }) => (failed ? 1 : 0),
      },
    },
    certificate: certificateFile,
    runReport: runReportFile,
  },
  start,
);

const EVERY_MINUTE = '* * * * *';

function start(services: Services, { fastify }: Api) {
  const maker = new PdfMaker<PaperTask>(services.liveClock, pdfThread);
  const rounds = new Rounds(services);
  // What a server that was killed has left, and what nobody else looks after.
  services.jobs.every('burnIn.judge', EVERY_MINUTE, (ending) => rounds.judge(ending));
  fastify.addHook('onReady', async () => rounds.begin());
  fastify.addHook('onClose', () => {
    maker.stop();
    return rounds.stop();
  });
  return { maker };
}
