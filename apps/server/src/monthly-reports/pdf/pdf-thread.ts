import { parentPort } from 'node:worker_threads';
import { drawReport } from './draw-sheet.ts';
import type { DrawnAnswer, DrawTask } from './pdf-maker.ts';

parentPort?.on('message', async ({ id, task }: DrawTask) => {
  const answer: DrawnAnswer = await drawReport(task).then(
    (pdf) => ({ id, pdf: new Uint8Array(pdf) }),
    (error: unknown) => ({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
  parentPort?.postMessage(answer);
});
