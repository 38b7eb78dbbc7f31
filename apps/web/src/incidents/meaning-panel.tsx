import { alarmFactsOf } from '@sonnenwarte/contract/incidents/alarm-facts';
import type { IncidentDetail } from '@sonnenwarte/contract/incidents/incidents';
import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './incident.module.css';
import { likelyCauses } from './likely-causes.ts';

/** What an alarm means, in our words and in those of the device, and what it probably comes from. */
export function MeaningPanel({ data: { incident, found } }: { data: IncidentDetail }): ReactNode {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const { code, extra, cause: settled } = incident;
  const key = `alarm-facts.meaning.${code}`;
  const meaning = i18n.exists(key) ? String(i18n.t(key as 'flow.title')) : t('alarm-facts.meaning.other');
  const causes = likelyCauses(alarmFactsOf(code).causes, found);
  const counted = found.reduce((sum, { incidents }) => sum + incidents, 0);
  return (
    <Panel title={t('incidents.meaning.title')}>
      <p>{meaning}</p>
      {extra !== '' && (
        <p className={styles.extra}>
          {t('incidents.meaning.device')} <q>{extra}</q>
        </p>
      )}
      {settled !== null && (
        <p className={styles.settled}>
          {t('incidents.meaning.settled')} <strong>{t(`alarm-facts.cause.${settled}`)}</strong>
        </p>
      )}
      {causes.length > 0 && (
        <>
          <h3 className={styles.subhead}>{t('incidents.meaning.causes')}</h3>
          <ul className={styles.causes}>
            {causes.map(({ cause, share }) => (
              <li key={cause}>
                <span>{t(`alarm-facts.cause.${cause}`)}</span>
                {share !== null && (
                  <>
                    <span className={styles.share} aria-hidden="true">
                      <i style={{ '--share': share } as CSSProperties} />
                    </span>
                    <strong>{format.percent(100 * share)}</strong>
                  </>
                )}
              </li>
            ))}
          </ul>
          {counted > 0 && <p className={styles.quiet}>{t('incidents.meaning.source', { count: counted })}</p>}
        </>
      )}
    </Panel>
  );
}
