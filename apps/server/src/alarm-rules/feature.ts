import { alarmRuleEndpoints } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { alarmName } from '../exports/alarm-name.ts';
import { knownPhrase } from '../exports/phrase-text.ts';
import { featureOf } from '../feature.ts';
import type { Api } from '../http/serve.ts';
import type { Services } from '../services.ts';
import { DELIVER_ALARM, deliverAlarm, type QueuedDelivery } from './deliver.ts';
import { deliveryList } from './deliveries.service.ts';
import { MOST_MAIL_TRIES } from './deliveries.store.ts';
import { TellingKeeper } from './keeper.ts';
import { previewRule } from './preview.service.ts';
import {
  addRule,
  editRule,
  enableRule,
  leave,
  organisationChoices,
  plantChoices,
  receiverChoices,
  removeRule,
  ruleList,
} from './rules.service.ts';
import { forgetDeliveries, forgetTellings, keepOutcomes } from './tell.store.ts';
import { newTestPace, tryRule } from './try-rule.ts';

/** Who is told of which incidents, when and by which way. */
export const feature = featureOf(
  alarmRuleEndpoints,
  {
    list: ruleList,
    exportList: {
      find: ruleList,
      own: {
        levels: ({ levels }, { language }) =>
          levels.map((level) => knownPhrase(`incidents.level.${level}`, language) ?? level).join(', '),
        channels: ({ channels }, { language }) =>
          channels.map((channel) => knownPhrase(`alarm-rules.channel.${channel}`, language) ?? channel).join(', '),
        delayMinutes: ({ delayMinutes }) => delayMinutes,
        receivers: ({ receivers }) => receivers.map(({ name }) => name).join(', '),
      },
    },
    add: addRule,
    edit: editRule,
    enable: enableRule,
    remove: removeRule,
    leave,
    preview: previewRule,
    test: tryRule,
    receivers: receiverChoices,
    organisations: organisationChoices,
    plants: plantChoices,
    deliveries: deliveryList,
    exportDeliveries: {
      find: deliveryList,
      own: { code: ({ code }, { language }) => (code === null ? '' : `${code} ${alarmName(code, language)}`) },
    },
  },
  start,
);

const FORGET_AT = '55 3 * * *';
const FORGOTTEN_AT_ONCE = 5_000;

function start(services: Services, { fastify }: Api) {
  const { db, jobs, config, nowMs } = services;
  const rules = { privateAddresses: config.webhookPrivate, plainLoopback: !config.production };
  const contact = `mailto:${/<([^>]+)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom}`;
  const parts = { db, rules, contact };
  const keeper = new TellingKeeper(services);
  fastify.addHook('onReady', async () => keeper.start());
  fastify.addHook('preClose', async () => keeper.stop());
  jobs.on(DELIVER_ALARM, (payload) => deliverAlarm(parts, payload as QueuedDelivery, nowMs()), 'outgoing');
  jobs.every('alarm-rules.forget', FORGET_AT, async (ending) => {
    await keepOutcomes(db, MOST_MAIL_TRIES);
    for (const forget of [forgetDeliveries, forgetTellings])
      while (!ending.aborted && (await forget(db, new Date(nowMs()), FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  });
  return { ...parts, testPace: newTestPace() };
}
