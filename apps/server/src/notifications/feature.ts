import { notificationEndpoints } from '@sonnenwarte/contract/notifications/notifications';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import {
  addEmail,
  addPush,
  addWebhook,
  channelList,
  enableChannel,
  newTestPace,
  removeChannel,
  testChannel,
} from './channels.service.ts';
import { deliverJob } from './delivery.ts';
import { DELIVER, type Delivery } from './notify.ts';
import { vapidKeys } from './web-push.ts';

/** Channels of an account, and the notices that are sent on them. */
export const feature = featureOf(
  notificationEndpoints,
  {
    list: channelList,
    addEmail,
    addWebhook,
    addPush,
    enable: enableChannel,
    test: testChannel,
    remove: removeChannel,
  },
  start,
);

function start({ db, jobs, config }: Uses<'db' | 'jobs' | 'config'>, { fastify }: Api) {
  const rules = { privateAddresses: config.webhookPrivate, plainLoopback: !config.production };
  const contact = `mailto:${/<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`;
  fastify.addHook('onReady', async () => {
    await vapidKeys(db);
  });
  jobs.on(DELIVER, (payload) => deliverJob({ db, rules, contact }, payload as Delivery), 'outgoing');
  return { rules, contact, testPace: newTestPace() };
}
