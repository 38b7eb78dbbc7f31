import { addPush } from '@sonnenwarte/contract/notifications/notifications';
import { sessions } from '@sonnenwarte/contract/user-center/user-center';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import styles from '../blocks/show/section.module.css';
import { read, useWrite } from '../client/queries.ts';
import { showMessage } from '../client/reporting.ts';
import { canSubscribe, subscribe } from './push-subscription.ts';

/** Has this browser receive notices, also while the portal is not open in it. */
export function PushButton({ pushKey }: { pushKey: string }) {
  const { t } = useTranslation();
  const here = useQuery(read(sessions, {})).data?.sessions.find(({ current }) => current);
  const add = useWrite(addPush);
  const [busy, setBusy] = useState(false);
  if (!canSubscribe()) return <p className={styles.muted}>{t('notifications.pushUnsupported')}</p>;

  const begin = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const subscription = await subscribe(pushKey);
      if (typeof subscription === 'string') {
        const text = t(subscription === 'denied' ? 'notifications.pushDenied' : 'notifications.pushFailed');
        showMessage({ id: 'push', text, color: 'yellow' });
        return;
      }
      const name = [here?.browser, here?.system].filter(Boolean).join(', ').slice(0, 32);
      await add.mutateAsync({ name, ...subscription }).catch(() => undefined);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Button onClick={() => void begin()} aria-disabled={busy}>
      <IconBell size={16} aria-hidden="true" />
      {t('notifications.add.push')}
    </Button>
  );
}
