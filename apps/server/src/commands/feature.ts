import { commandEndpoints } from '@sonnenwarte/contract/commands/commands';
import { forgetChanges } from '../device-settings/kept-changes.store.ts';
import { featureOf } from '../feature.ts';
import type { Services } from '../services.ts';
import { commandInfo, commandList } from './commands.service.ts';
import { forgetOrdersOfPlans } from './kept-orders.store.ts';

/** Commands to devices and dataloggers: what was ordered, and how it went. */
export const feature = featureOf(commandEndpoints, { list: commandList, info: commandInfo }, start);

/** What nobody ordered is known for two years. */
const KEPT_MS = 731 * 86_400_000;

function start({ db, jobs, nowMs }: Services): void {
  jobs.every('commands.forgetOld', '26 3 * * *', async (ending) => {
    const beforeMs = nowMs() - KEPT_MS;
    while (!ending.aborted && (await forgetOrdersOfPlans(db, beforeMs)));
    await forgetChanges(db, beforeMs, ending);
  });
}
