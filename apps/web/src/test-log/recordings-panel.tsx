import type { Recording } from '@sonnenwarte/contract/test-log/test-log';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButtons } from '../blocks/actions/action-buttons.tsx';
import { Badge } from '../blocks/show/badge.tsx';
import { Button } from '../blocks/show/button.tsx';
import parts from '../blocks/show/section.module.css';
import { useFormat } from '../format/use-format.ts';
import styles from './test-log.module.css';
import { recordingActions } from './test-log-actions.tsx';

const KIB = 1_024;

interface RecordingsPanelProps {
  recordings: readonly Recording[];
  onShow: (sn: string) => void;
}

/** Dataloggers that are recorded, and what was recorded before. */
export function RecordingsPanel({ recordings, onShow }: RecordingsPanelProps): ReactNode {
  const { t } = useTranslation();
  if (recordings.length === 0) return <p className={styles.lead}>{t('test-log.recordings.none')}</p>;
  return (
    <section className={styles.recordings} aria-label={t('test-log.recordings.title')}>
      <ul className={parts.rows}>
        {recordings.map((each) => (
          <RecordingRow key={each.id} recording={each} onShow={() => onShow(each.dataloggerSN)} />
        ))}
      </ul>
    </section>
  );
}

function RecordingRow({ recording, onShow }: { recording: Recording; onShow: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { dataloggerSN, plantName, startedBy, startedAtMs, untilMs, endedAtMs, end, messages, bytes } = recording;
  return (
    <li className={styles.recording}>
      <div className={parts.rowText}>
        <span className={parts.rowName}>
          <code className={styles.code} translate="no">
            {dataloggerSN}
          </code>
          <Badge tone={end === null ? 'good' : 'neutral'}>{t(`test-log.end.${end ?? 'running'}`)}</Badge>
        </span>
        <span className={parts.muted}>
          {[plantName, startedBy].filter(Boolean).join(' · ')}
          {' · '}
          {t('test-log.recordings.span', {
            from: format.localTime(startedAtMs),
            to: format.localTime(endedAtMs ?? untilMs),
          })}
          {' · '}
          {t('test-log.recordings.held', { messages: format.number(messages), size: format.number(bytes / KIB, 0) })}
        </span>
      </div>
      <div className={styles.buttons}>
        <Button small onClick={onShow}>
          {t('test-log.recordings.show')}
          <span className="visually-hidden"> {dataloggerSN}</span>
        </Button>
        <ActionButtons table={recordingActions} row={recording} small named />
      </div>
    </li>
  );
}
