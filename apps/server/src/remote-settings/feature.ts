import { remoteSettingEndpoints } from '@sonnenwarte/contract/remote-settings/remote-setting-endpoints';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import { forgetAsked } from './asked-once.store.ts';
import { findGroupDevices, groupRules, previewGroup } from './group-preview.ts';
import { GroupRunner } from './group-runner.ts';
import { controlGroup, groupList, groupResult, retryGroup, revertGroup, runGroup } from './groups.service.ts';
import { addPreset, presetList, removePreset } from './presets.service.ts';
import {
  acceptDrift,
  cancelCommand,
  driftOf,
  historyOf,
  readSettings,
  restoreSettings,
  revertChange,
  viewOf,
  writeSettings,
} from './settings.service.ts';

/** What was asked once is known for so long. */
const REQUESTS_KEPT_MS = 7 * 24 * 3_600_000;

/** Settings of devices and dataloggers: as they are, as they are meant to be, and how they become so; one by one or many at once. */
export const feature = featureOf(
  remoteSettingEndpoints,
  {
    view: viewOf,
    read: readSettings,
    write: writeSettings,
    accept: acceptDrift,
    restore: restoreSettings,
    revert: revertChange,
    history: historyOf,
    cancel: cancelCommand,
    drift: driftOf,
    presets: presetList,
    addPreset,
    removePreset,
    findDevices: findGroupDevices,
    rules: groupRules,
    preview: previewGroup,
    run: runGroup,
    groups: groupList,
    result: groupResult,
    controlGroup,
    retryGroup,
    revertGroup,
  },
  start,
);

function start({ db, commands, nowMs, jobs, logger }: Services, { fastify }: Api) {
  const groups = new GroupRunner({ db, commands, nowMs, logger });
  fastify.addHook('onReady', () =>
    groups.takeUp().catch((error: unknown) => logger.warn({ err: error }, 'groups of settings are taken up later')),
  );
  fastify.addHook('onClose', () => groups.close());
  // What a process left when it was ended, or could not take further for a moment.
  jobs.every('remote-settings.groups', '* * * * *', () => groups.takeUpIdle());
  jobs.every('remote-settings.requests', '40 3 * * *', async () => {
    await forgetAsked(db, new Date(nowMs() - REQUESTS_KEPT_MS));
  });
  return { groups };
}
