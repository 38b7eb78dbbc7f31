import {
  type Channel,
  enable,
  list as listCall,
  remove,
  test as testCall,
} from '@sonnenwarte/contract/notifications/notifications';
import { IconBell, IconMail, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/button.tsx';
import { ConfirmAction } from '../blocks/confirm-action.tsx';
import { Skeleton } from '../blocks/loading.tsx';
import { ReadState } from '../blocks/read-state.tsx';
import { RowActions } from '../blocks/row-actions.tsx';
import { read, useWrite } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';
import { EmailForm, WebhookForm } from './channel-forms.tsx';
import { PushButton } from './push-button.tsx';
import { Section } from './section.tsx';
import { Toggle } from './toggle.tsx';
import { useAccountTimes } from './use-account.ts';
import styles from './user-center.module.css';

const icons = { email: IconMail, push: IconBell, webhook: IconWebhook } as const;

/** Where notices about the account are sent. */
export function ChannelsSection() {
  const { t } = useTranslation();
  const query = useQuery(read(listCall, {}));
  const { data } = query;
  const [adding, setAdding] = useState<'email' | 'webhook'>();
  const [doomed, setDoomed] = useState<Channel>();
  const removal = useWrite(remove, { inPlace: true });
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
          <ChannelRow key={channel.id} channel={channel} onRemove={() => setDoomed(channel)} />
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
      <ConfirmAction
        title={t('notifications.ask.remove.title', { name: doomed ? doomed.name || doomed.target : '' })}
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        confirmLabel={t('notifications.action.remove')}
        danger
        onConfirm={() => removal.mutateAsync({ id: doomed?.id ?? '' })}
      >
        <p>{t('notifications.ask.remove.text')}</p>
      </ConfirmAction>
    </Section>
  );
}

const leadOf = ({ accountEmailConfirmed }: { accountEmailConfirmed: boolean }) =>
  accountEmailConfirmed ? 'notifications.lead' : 'notifications.leadUnconfirmed';

function useFailureText(): (failure: Channel['lastFailure']) => string {
  const { t } = useTranslation();
  return (failure) => (failure ? t(`notifications.failure.${failure.reason}`, { status: failure.status ?? 0 }) : '');
}

function ChannelRow({ channel, onRemove }: { channel: Channel; onRemove: () => void }) {
  const { t } = useTranslation();
  const { age } = useAccountTimes();
  const failureText = useFailureText();
  const switching = useWrite(enable);
  const testing = useWrite(testCall);
  const Icon = icons[channel.kind];
  const name = channel.name || channel.target;

  const sendTest = async () => {
    const { delivered, failure } = await testing.mutateAsync({ id: channel.id });
    showMessage({
      id: `channel-${channel.id}`,
      text: delivered ? t('notifications.testSent') : t('notifications.testFailed', { reason: failureText(failure) }),
      color: delivered ? 'brand' : 'red',
    });
  };

  return (
    <li className={styles.row}>
      <Icon size={22} stroke={1.6} className={styles.rowIcon} aria-hidden="true" />
      <div className={styles.rowText}>
        <span className={styles.rowName}>{name}</span>
        <span className={styles.muted}>
          {t(`notifications.kind.${channel.kind}`)}
          {channel.name !== '' && ` · ${channel.target}`}
        </span>
        <ChannelState channel={channel} age={age} failureText={failureText} />
      </div>
      <Toggle
        label={t('notifications.on')}
        about={name}
        checked={channel.enabled}
        busy={switching.isPending}
        onChange={(enabled) => switching.mutate({ id: channel.id, enabled })}
      />
      <RowActions
        name={name}
        actions={[
          { label: t('notifications.action.test'), onSelect: () => void sendTest().catch(() => undefined) },
          { label: t('notifications.action.remove'), onSelect: onRemove, danger: true },
        ]}
      />
    </li>
  );
}

interface ChannelStateProps {
  channel: Channel;
  age: (tsMs: number) => string;
  failureText: (failure: Channel['lastFailure']) => string;
}

/** What became of the newest delivery. */
function ChannelState({ channel, age, failureText }: ChannelStateProps) {
  const { t } = useTranslation();
  const { lastFailure, lastFailureMs, lastDeliveredMs } = channel;
  if (lastFailure && lastFailureMs !== null) {
    return (
      <span className={styles.failed}>
        {t('notifications.lastFailed', { age: age(lastFailureMs), reason: failureText(lastFailure) })}
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
