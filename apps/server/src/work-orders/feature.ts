import { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import { PictureMaker } from '../pictures/picture-maker.ts';
import type { Services } from '../services.ts';
import {
  assignOrder,
  beginOrder,
  closeOrder,
  handOrderDown,
  handOrderUp,
  orderAssignees,
  rateOrder,
  reopenOrder,
  setWaiting,
  solveOrder,
  writeMessage,
} from './acts.service.ts';
import { closeWhatIsSolved } from './closing.ts';
import { createOrder, orderDevices, orderPlants, orderSubject } from './create.service.ts';
import { orderDetail, orderThread } from './detail.service.ts';
import { orderList, orderSummary, questionTypesFor } from './orders.service.ts';
import { showPicture, takeBackPicture, takePicture } from './pictures.service.ts';
import { forgetUnused } from './pictures.store.ts';
import { answerTemplates, editTemplate, keepTemplate, removeTemplate } from './templates.service.ts';

/** What people ask of those who look after their plants. */
export const feature = featureOf(
  workOrderEndpoints,
  {
    create: createOrder,
    questionTypes: questionTypesFor,
    subject: orderSubject,
    plants: orderPlants,
    devices: orderDevices,
    list: orderList,
    exportList: { find: orderList, own: {} },
    summary: orderSummary,
    detail: orderDetail,
    thread: orderThread,
    message: writeMessage,
    begin: beginOrder,
    assign: assignOrder,
    assignees: orderAssignees,
    handUp: handOrderUp,
    handDown: handOrderDown,
    wait: setWaiting,
    solve: solveOrder,
    close: closeOrder,
    reopen: reopenOrder,
    rate: rateOrder,
    uploadPicture: takePicture,
    picture: showPicture,
    removePicture: takeBackPicture,
    templates: answerTemplates,
    addTemplate: keepTemplate,
    editTemplate,
    removeTemplate,
  },
  start,
);

const CLOSE_AT = '20 4 * * *';
const FORGET_AT = '25 4 * * *';
/** A picture that is in no entry after a day was given up. */
const UNUSED_FOR_MS = 86_400_000;

function start({ db, jobs, nowMs, liveClock }: Services, { fastify }: Api) {
  const pictures = new PictureMaker(liveClock);
  fastify.addHook('preClose', async () => pictures.stop());
  jobs.every('work-orders.close', CLOSE_AT, async (ending) => {
    while (!ending.aborted && (await closeWhatIsSolved(db, nowMs())) > 0);
  });
  jobs.every('work-orders.forget-pictures', FORGET_AT, async () => {
    await forgetUnused(db, new Date(nowMs() - UNUSED_FOR_MS));
  });
  return { pictures };
}
