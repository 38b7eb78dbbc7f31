import { addJob } from '../jobs/jobs.ts';
import type { Uses } from '../services.ts';
import { type FormerBatch, followBatch, reckonModel, settleBatch } from './reckoning.store.ts';

type Db = Uses<'db'>['db'];

export const RECKON_JOB = 'factory.reckon';
export const FOLLOW_JOB = 'factory.follow';

interface ReckonJob {
  readonly model: string;
  readonly after: string;
}

interface FollowJob {
  readonly batchId: string;
  readonly former: FormerBatch;
  readonly after: string;
}

/** Goes on until all are done; what is left when the server ends is a job of the next one. */
async function onwards(
  from: string,
  slice: (after: string) => Promise<string | undefined>,
  ending: AbortSignal,
  leave: (after: string) => Promise<void>,
): Promise<void> {
  let after: string | undefined = from;
  while (after !== undefined) {
    if (ending.aborted) return leave(after);
    after = await slice(after);
  }
}

/** The work on units that follows changes of batches and warranties, beside whoever made them. */
export function startReckoning({ db, jobs }: Uses<'db' | 'jobs'>): void {
  jobs.on(RECKON_JOB, (payload, ending) => {
    const { model, after } = payload as ReckonJob;
    return onwards(
      after,
      (from) => reckonModel(db, model, from),
      ending,
      (from) => addJob(db, RECKON_JOB, { model, after: from } satisfies ReckonJob),
    );
  });
  jobs.on(FOLLOW_JOB, (payload, ending) => {
    const { batchId, former, after } = payload as FollowJob;
    return onwards(
      after,
      (from) => followBatch(db, batchId, former, from),
      ending,
      (from) => addJob(db, FOLLOW_JOB, { batchId, former, after: from } satisfies FollowJob),
    );
  });
  jobs.on('factory.settle', async (payload) => {
    await settleBatch(db, (payload as { batchId: string }).batchId);
  });
}

/** Has the warranties of models reckoned: as a job within a transaction, so that it comes to pass whatever happens to this process. */
export async function askToReckon(tx: Db, models: readonly string[]): Promise<void> {
  for (const model of models) await addJob(tx, RECKON_JOB, { model, after: '' } satisfies ReckonJob);
}

/** The first of them at once: who looks again sees what has changed. */
export async function reckonNow(db: Db, models: readonly string[]): Promise<void> {
  for (const model of models) await reckonModel(db, model, '');
}

export const askToFollow = (tx: Db, batchId: string, former: FormerBatch): Promise<void> =>
  addJob(tx, FOLLOW_JOB, { batchId, former, after: '' } satisfies FollowJob);
