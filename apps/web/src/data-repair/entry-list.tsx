import type { Finding } from '@sonnenwarte/contract/data-repair/data-repair';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { useFormat } from '../format/use-format.ts';
import { type RepairEntry, spanText } from './entries.ts';
import styles from './repair.module.css';
import { UndoButton } from './undo-button.tsx';

interface EntryListProps {
  entries: readonly RepairEntry[];
  zone: string;
  chosen: string | undefined;
  onChoose: (entry: RepairEntry) => void;
  stationID: string;
  onUndone: () => void;
}

/** Joints, gaps, outliers and corrections, in the numbers of the chart. */
export function EntryList({ entries, zone, chosen, onChoose, stationID, onUndone }: EntryListProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (entries.length === 0) return <p className={styles.hint}>{t('data-repair.nothingUnusual')}</p>;
  return (
    <ol className={styles.entries}>
      {entries.map((entry) => (
        <li key={entry.key} data-kind={entry.mark} data-chosen={entry.key === chosen || undefined}>
          <span className={styles.number} aria-hidden="true">
            {entry.number}
          </span>
          <span className={styles.when}>{spanText(entry, zone, format)}</span>
          <span className={styles.what}>
            {entry.correction ? (
              <>
                <strong>
                  {t('data-repair.corrected')} · {entry.title(t)}
                </strong>
                <span>{entry.correction.reason}</span>
                <small>
                  {entry.correction.company}, {format.dateTime(entry.correction.madeAtMs, zone)}
                </small>
              </>
            ) : (
              <>
                <strong>{entry.title(t)}</strong>
                {entry.finding && <Readings finding={entry.finding} />}
              </>
            )}
          </span>
          <span className={styles.energy}>
            {entry.correction && <s>{format.energy(entry.correction.formerWh)}</s>} {format.energy(entry.energyWh)}
          </span>
          <span className={styles.act}>
            {entry.correction ? (
              <UndoButton stationID={stationID} correctionID={entry.correction.correctionID} onUndone={onUndone} />
            ) : (
              <Button small look="plain" onClick={() => onChoose(entry)}>
                {t('data-repair.mark')}
              </Button>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Readings({ finding: { kind, beforeWh, afterWh } }: { finding: Finding }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const kWh = (wh: number | null): string => format.number(wh === null ? null : wh / 1_000, 1);
  return (
    <>
      <span>{t('data-repair.readings', { before: kWh(beforeWh), after: kWh(afterWh) })}</span>
      <small>{t(`data-repair.treated.${kind}`)}</small>
    </>
  );
}
