import { type Channel, enable, list as listCall } from '@sonnenwarte/contract/notifications/notifications';
import { IconBell, IconMail, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountTimes } from '../account/use-account.ts';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { Toggle } from '../blocks/form/toggle.tsx';
import { RowActions } from '../blocks/list/row-actions.tsx';
import type { RowAction } from '../blocks/overlay/action-menu.tsx';
import { Button } from '../blocks/show/button.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import styles from '../blocks/show/section.module.css';
import { Section } from '../blocks/show/section.tsx';
import { read, useWrite } from '../client/queries.ts';
import { channelActions } from './channel-actions.tsx';
import { EmailForm, WebhookForm } from './channel-forms.tsx';
import { failureText } from './channel-words.ts';
import { PushButton } from './push-button.tsx';

const icons = { email: IconMail, push: IconBell, webhook: IconWebhook } as const;

/** Where notices about the account are sent. */
export function ChannelsSection() {
  const { t } = useTranslation();
  const query = useQuery(read(listCall, {}));
  const { data } = query;
  const [adding, setAdding] = useState<'email' | 'webhook'>();
  const actions = useActions(channelActions);
  return (
    <Section
      title={t('user-center.section.notifications')}
      lead={data ? t(leadOf(data), { email: data.accountEmail }) : t('notifications.told')}
    >
      {data && <p className={styles.muted}>{t('notifications.told')}</p>}
      <ReadState query={query}>
        <Skeleton height="3rem" />
      </ReadState>
      {data?.channels.length === 0 && <p className={styles.none}>{t('notifications.none')}</p>}
      <ul className={styles.rows}>
        {data?.channels.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} actions={actions.of(channel)} />
        ))}
      </ul>
      {data && (
        <div className={styles.buttons}>
          <Button onClick={() => setAdding('email')}>
            <IconMail size={16} aria-hidden="true" />
            {t('notifications.add.email')}
          </Button>
          <PushButton pushKey={data.pushKey} />
          <Button onClick={() => setAdding('webhook')}>
            <IconWebhook size={16} aria-hidden="true" />
            {t('notifications.add.webhook')}
          </Button>
        </div>
      )}
      {adding === 'email' && <EmailForm onClose={() => setAdding(undefined)} />}
      {adding === 'webhook' && <WebhookForm onClose={() => setAdding(undefined)} />}
      {actions.dialogs}
    </Section>
  );
}

const leadOf = ({ accountEmailConfirmed }: { accountEmailConfirmed: boolean }) =>
  accountEmailConfirmed ? 'notifications.lead' : 'notifications.leadUnconfirmed';

function ChannelRow({ channel, actions }: { channel: Channel; actions: readonly RowAction[] }) {
  const { t } = useTranslation();
  const { age } = useAccountTimes();
  const switching = useWrite(enable);
  const Icon = icons[channel.kind];
  const name = channelActions.nameOf(channel);

  return (
    <li className={styles.row}>
      <Icon size={22} stroke={1.6} className={styles.rowIcon} aria-hidden="true" />
      <div className={styles.rowText}>
        <span className={styles.rowName}>{name}</span>
        <span className={styles.muted}>
          {t(`notifications.kind.${channel.kind}`)}
          {channel.name !== '' && ` · ${channel.target}`}
        </span>
        <ChannelState channel={channel} age={age} />
      </div>
      <Toggle
        label={t('notifications.on')}
        about={name}
        checked={channel.enabled}
        busy={switching.isPending}
        onChange={(enabled) => switching.mutate({ id: channel.id, enabled })}
      />
      <RowActions name={name} actions={actions} />
    </li>
  );
}

interface ChannelStateProps {
  channel: Channel;
  age: (tsMs: number) => string;
}

/** What became of the newest delivery. */
function ChannelState({ channel, age }: ChannelStateProps) {
  const { t } = useTranslation();
  const { lastFailure, lastFailureMs, lastDeliveredMs } = channel;
  if (lastFailure && lastFailureMs !== null) {
    return (
      <span className={styles.failed}>
        {t('notifications.lastFailed', { age: age(lastFailureMs), reason: failureText(t, lastFailure) })}
      </span>
    );
  }
  return (
    <span className={styles.muted}>
      {lastDeliveredMs === null
        ? t('notifications.neverUsed')
        : t('notifications.lastDelivered', { age: age(lastDeliveredMs) })}
    </span>
  );
}
