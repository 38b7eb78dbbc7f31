import type { RuleRow, test } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useWrite } from '../client/queries.ts';
import { failureText } from '../notifications/channel-words.ts';
import styles from './alarm-rules.module.css';

/** Sends a test by each way of a rule and says what was sent and what arrived. */
export function TryDialog({ row, of, onClose }: ActionProps<RuleRow, typeof test>): ReactNode {
  const { t } = useTranslation();
  const trying = useWrite(of, { inPlace: true });
  const begun = useRef(false);
  const { mutate } = trying;
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate({ ruleID: row.ruleID });
  }, [mutate, row.ruleID]);
  const { data, error } = trying;
  const name = row.name || t('alarm-rules.firstRule');
  return (
    <Dialog title={t('alarm-rules.tried.title', { name })} opened onClose={onClose} shape="drawer">
      {error && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton height="6rem" />}
      {data && data.outcomes.length === 0 && <p>{t('alarm-rules.tried.nothing')}</p>}
      {data && data.outcomes.length > 0 && (
        <div className={styles.preview}>
          <p>{t('alarm-rules.tried.text')}</p>
          <div className={styles.sample}>
            <p>
              <strong>{data.sample.title}</strong>
            </p>
            <p>{data.sample.text}</p>
          </div>
          <ul className={styles.outcomes}>
            {data.outcomes.map(({ channel, target, delivered, isQueued, failure }) => (
              <li key={`${channel} ${target}`}>
                <strong>{t(`alarm-rules.channel.${channel}`)}</strong>
                {target !== '' && <small translate="no">{target}</small>}
                <Badge tone={delivered ? 'good' : isQueued ? 'neutral' : 'bad'}>
                  {delivered
                    ? t('alarm-rules.tried.arrived')
                    : isQueued
                      ? t('alarm-rules.tried.queued')
                      : t('alarm-rules.tried.failed', { reason: failureText(t, failure) })}
                </Badge>
              </li>
            ))}
          </ul>
          <p>
            <ScreenLink to="user-center">{t('alarm-rules.setUp')}</ScreenLink>
          </p>
        </div>
      )}
    </Dialog>
  );
}
