import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Api } from '../http/serve.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../stores/schema.ts';
import { deliverJob } from './delivery.ts';
import { bindNotifications } from './notifications.routes.ts';
import { DELIVER, type Delivery } from './notify.ts';
import { vapidKeys } from './web-push.ts';

/** Channels of an account, and the notices that are sent on them. */
export function notificationsFeature(
  api: Api,
  { db, jobs, config }: { db: Kysely<Database>; jobs: Jobs; config: Config },
): void {
  const parts = {
    db,
    rules: { privateAddresses: config.webhookPrivate, plainLoopback: !config.production },
    contact: `mailto:${/<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`,
  };
  bindNotifications(api, parts);
  api.fastify.addHook('onReady', async () => {
    await vapidKeys(db);
  });
  jobs.on(DELIVER, (payload) => deliverJob(parts, payload as Delivery));
}
