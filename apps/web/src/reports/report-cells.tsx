import { type ReportRow, reportFormats } from '@sonnenwarte/contract/reports/report';
import { download as downloadCall } from '@sonnenwarte/contract/reports/reports';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Can } from '../blocks/actions/can.tsx';
import { Badge, type Tone } from '../blocks/show/badge.tsx';
import { download } from '../client/download.ts';
import { bytesText } from '../format/bytes-text.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './report-rows.module.css';

const tones: Readonly<Record<ReportRow['state'], Tone>> = {
  queued: 'neutral',
  processing: 'brand',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

/** How far a report is, with the reason where there is no file. */
export function StateCell({ row }: { row: ReportRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, progress, ahead, failure, missing, finishedMs } = row;
  return (
    <span className={styles.state}>
      <Badge tone={tones[state]}>{t(`reports.state.${state}`)}</Badge>
      {state === 'processing' && (
        <>
          <progress max={100} value={progress} aria-label={t(`reports.state.${state}`)} />
          <span>{format.percent(progress)}</span>
        </>
      )}
      {state === 'queued' && ahead !== null && (
        <span>{t('reports.row.place', { place: format.number(ahead + 1) })}</span>
      )}
      {state === 'completed' && <span>{format.localTime(finishedMs)}</span>}
      {missing > 0 && <span>{t('reports.row.missing', { number: format.number(missing) })}</span>}
      {failure !== null && <span className={styles.failure}>{t(`reports.failure.${failure}`)}</span>}
    </span>
  );
}

/** What it is about: how many, which days, how far apart. */
export function AboutCell({ row }: { row: ReportRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const days =
    row.firstDay === row.lastDay
      ? format.day(row.firstDay)
      : t('reports.row.days', { first: format.day(row.firstDay), last: format.day(row.lastDay) });
  return (
    <span className={styles.about}>
      <strong>{row.name}</strong>
      <small>
        {[
          `${t(`reports.source.${row.source}`)}: ${format.number(row.things)}`,
          days,
          t(`reports.interval.${row.interval}`),
          row.isScheduled ? t('reports.row.scheduled') : '',
        ]
          .filter((each) => each !== '')
          .join(' · ')}
      </small>
    </span>
  );
}

export function SizeCell({ row: { bytes } }: { row: ReportRow }): ReactNode {
  const format = useFormat();
  return bytes === null ? '–' : bytesText(bytes, format);
}

const words = { csv: 'CSV', xlsx: 'XLSX', parquet: 'Parquet' } as const;

/** The file in each format; nothing while there is none. */
export function FilesCell({ row }: { row: ReportRow }): ReactNode {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  if (!row.can.download) return null;
  const save = async (format: keyof typeof words) => {
    if (busy) return;
    setBusy(true);
    try {
      await download(downloadCall, { id: row.reportID, format }, `${row.name}.${format}`);
    } catch {
      // The client has said it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Can of={downloadCall}>
      <span className={styles.files}>
        {reportFormats.map((format) => (
          <button
            key={format}
            type="button"
            aria-disabled={busy || undefined}
            aria-label={t('reports.row.download', { format: words[format] })}
            onClick={(event) => {
              event.stopPropagation();
              void save(format);
            }}
          >
            {words[format]}
          </button>
        ))}
      </span>
    </Can>
  );
}
