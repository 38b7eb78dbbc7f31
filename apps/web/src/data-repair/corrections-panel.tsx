import type { CorrectionRow } from '@sonnenwarte/contract/data-repair/corrections';
import { repairEndpoints } from '@sonnenwarte/contract/data-repair/data-repair';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './corrections.module.css';
import { spanText } from './entries.ts';

const SHOWN_AT_FIRST = 3;

/** What has been corrected by hand in the figures of a plant, with what they were before, for everybody who sees it. */
export function CorrectionsPanel({ stationID }: { stationID: string }): ReactNode {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const { data } = useQuery(read(repairEndpoints.corrections, { stationID }));
  if (!data || data.corrections.length === 0) return null;
  const shown = all ? data.corrections : data.corrections.slice(0, SHOWN_AT_FIRST);
  return (
    <Panel title={t('data-repair.byHand')}>
      <ul className={styles.list}>
        {shown.map((correction) => (
          <Correction key={correction.correctionID} correction={correction} zone={data.ianaTimezone} />
        ))}
      </ul>
      {shown.length < data.corrections.length && (
        <Button small look="plain" onClick={() => setAll(true)}>
          {t('data-repair.showAll')}
        </Button>
      )}
    </Panel>
  );
}

function Correction({ correction, zone }: { correction: CorrectionRow; zone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { channel, way, days, reason, company, madeAtMs } = correction;
  return (
    <li>
      <IconPencil size={18} aria-hidden="true" />
      <div>
        {days.map(({ day, beforeWh, afterWh }) => (
          <p key={day}>
            <strong>{format.dayLong(day)}</strong>: {t(`data-repair.channel.${channel}`)} {format.energy(afterWh)},{' '}
            {t('data-repair.formerly', { energy: format.energy(beforeWh) })}
          </p>
        ))}
        <small>
          {spanText(correction, zone, format)} · {t(`data-repair.way.${way}`)} · {reason} · {company},{' '}
          {format.dateTime(madeAtMs, zone)}
        </small>
      </div>
    </li>
  );
}
