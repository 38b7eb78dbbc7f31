import { deletionEndpoints } from '@sonnenwarte/contract/deletions/deletions';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { deletionList, undoDeletion } from './deletions.service.ts';
import { JOIN_HISTORY, joinHistories } from './history-removal.ts';
import { purgeDeletions } from './purge.job.ts';

/** What was deleted in the last 30 days, its undo, and the purge afterwards. */
export const feature = featureOf(deletionEndpoints, { list: deletionList, undo: undoDeletion }, start);

function start(services: Services): void {
  services.jobs.every('deletions.purge', '20 2 * * *', (ending) =>
    purgeDeletions({ ...services, ending }, services.nowMs()),
  );
  services.jobs.every(JOIN_HISTORY, '* * * * *', (ending) => joinHistories(services, ending));
}
