import type { HandoverNow } from '@sonnenwarte/contract/handover/handover';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../format/use-format.ts';
import styles from './handover.module.css';

/** How far the customer has come, each step with its time as it happens. */
export function HandoverSteps({ now }: { now: HandoverNow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const account = t(now.newAccount ? 'handover.step.accountMade' : 'handover.step.signedIn', { user: now.usedBy });
  const steps = [
    { name: 'opened', label: t('handover.step.opened'), atMs: now.openedMs },
    { name: 'account', label: now.usedMs === null ? t('handover.step.account') : account, atMs: now.usedMs },
    { name: 'seen', label: t('handover.step.seen'), atMs: now.seenMs },
    { name: 'email', label: t('handover.step.email'), atMs: now.emailConfirmedMs },
  ];
  return (
    <section className={styles.steps}>
      <h3>{t('handover.steps')}</h3>
      <ol aria-live="polite">
        {steps.map(({ name, label, atMs }) => (
          <li key={name} data-done={atMs !== null || undefined}>
            {atMs === null ? <IconCircleDashed aria-hidden="true" /> : <IconCircleCheck aria-hidden="true" />}
            <span>{label}</span>
            <span className={styles.at}>{atMs === null ? t('handover.pending') : format.localTime(atMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
