import { MOST_TOLD_PER_HOUR, preview, type RuleTerms } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createTypingPause } from '../blocks/form/typing-pause.ts';
import { Skeleton } from '../blocks/show/loading.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { localZone } from '../format/local-zone.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './alarm-rules.module.css';

const MOST_SHOWN = 5;

/** A text as it was when typing paused last. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  const [pause] = useState(createTypingPause);
  useEffect(() => {
    pause.wait(() => settle(text));
    return () => void pause.drop();
  }, [pause, text]);
  return settled;
}

/** What the rule would have told whoever writes it in the last days; while it contradicts itself nothing is shown. */
export function RulePreview({ terms }: { terms: RuleTerms }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { moment } = useMoments();
  const alarmText = useAlarmText();
  // A rule needs no name to be looked at.
  const settled = useSettled(
    JSON.stringify({ ...terms, name: terms.name || '–', receivers: [], escalateMinutes: null, escalateTo: [] }),
  );
  const input = preview.input.safeParse(JSON.parse(settled));
  const isWhole =
    input.success &&
    (terms.mode === 'atOnce' || terms.digestAt !== '') &&
    (terms.quietFrom === '') === (terms.quietTo === '');
  const { data } = useQuery({
    ...read(preview, input.success ? input.data : { ...terms, name: '–' }, { quiet: true }),
    enabled: isWhole,
    placeholderData: keepPreviousData,
  });
  if (!isWhole) return null;
  if (data === undefined) return <Skeleton height="6rem" />;
  const most = Math.max(1, ...data.days.map(({ deliveries }) => deliveries));
  const [first, last] = [data.days.at(0)?.day, data.days.at(-1)?.day];
  return (
    <div className={styles.preview} role="status">
      {data.deliveries === 0 ? (
        <p>{t('alarm-rules.preview.none')}</p>
      ) : (
        <>
          <p>
            {t('alarm-rules.preview.summary', { count: data.deliveries, incidents: format.number(data.incidents) })}{' '}
            {data.digests > 0 && t('alarm-rules.preview.digests', { count: data.digests })}
          </p>
          <div className={styles.bars} role="img" aria-label={t('alarm-rules.preview.perDay')}>
            {data.days.map(({ day, deliveries }) => (
              <span
                key={day}
                data-empty={deliveries === 0 || undefined}
                title={t('alarm-rules.preview.dayOf', { day: format.day(day), count: deliveries })}
                style={{ '--share': deliveries / most } as CSSProperties}
              />
            ))}
          </div>
          {first !== undefined && last !== undefined && (
            <div className={styles.ends} aria-hidden="true">
              <span>{format.day(first)}</span>
              <span>{format.day(last)}</span>
            </div>
          )}
          <strong>{t('alarm-rules.preview.newest')}</strong>
          <ul className={styles.newest}>
            {data.newest.slice(0, MOST_SHOWN).map(({ atMs, code, incidents, plantName }) => (
              <li key={`${atMs} ${code} ${plantName}`}>
                <span>
                  {incidents > 1
                    ? t('alarm-rules.preview.severalAt', { alarm: alarmText(code).name, count: incidents - 1 })
                    : `${alarmText(code).name} – ${plantName}`}
                </span>
                <time>{moment(atMs, localZone())}</time>
              </li>
            ))}
          </ul>
        </>
      )}
      {data.isMore && <p className={styles.quiet}>{t('alarm-rules.preview.more')}</p>}
      <p className={styles.quiet}>{t('alarm-rules.preview.cap', { count: MOST_TOLD_PER_HOUR })}</p>
    </div>
  );
}
