import type { ReportPreview, RowQuality } from '@sonnenwarte/contract/reports/report';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './preview-panel.module.css';
import type { ReportValues } from './report-values.ts';

const SHOWN_ROWS = 8;

interface PreviewPanelProps {
  source: ReportValues['source'];
  /** Nothing is known while too little is chosen. */
  preview: ReportPreview | undefined;
  /** The preview is of what was chosen before. */
  isOfBefore: boolean;
  isAsked: boolean;
  /** Why there can be none. */
  reason: string | undefined;
  error: unknown;
  retry: () => void;
}

/** The first rows of the file as it becomes: units, clock, gaps and how each row came about. */
export function PreviewPanel({
  source,
  preview,
  isOfBefore,
  isAsked,
  reason,
  error,
  retry,
}: PreviewPanelProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const counts = preview && {
    shown: format.number(preview.rows.length),
    total: format.number(preview.totalRows),
  };
  return (
    <Panel
      title={t('reports.preview.title')}
      actions={
        counts && (
          <span className={styles.legend}>
            <Quality quality="estimated" /> <Quality quality="missing" />
            <span>
              {source === 'devices' ? t('reports.preview.some', counts) : t('reports.preview.somePlants', counts)}
            </span>
          </span>
        )
      }
    >
      {error != null && <ErrorNotice error={error} retry={retry} keepsShown={preview !== undefined} />}
      {!isAsked && preview === undefined && <EmptyState text={reason ?? t('reports.preview.choose')} />}
      {isAsked && preview === undefined && error == null && (
        <LoadingSkeleton>
          {Array.from({ length: SHOWN_ROWS }, (_, index) => index).map((index) => (
            <Skeleton key={index} height="1.6rem" />
          ))}
        </LoadingSkeleton>
      )}
      {preview !== undefined && preview.rows.length === 0 && <EmptyState text={t('reports.form.nothing')} />}
      {preview !== undefined && preview.rows.length > 0 && <PreviewTable preview={preview} isOfBefore={isOfBefore} />}
    </Panel>
  );
}

function Quality({ quality }: { quality: RowQuality }): ReactNode {
  const { t } = useTranslation();
  const meaning =
    quality === 'incomplete' || quality === 'missing' ? { title: t(`reports.meaning.${quality}`) } : undefined;
  return (
    <span className={styles.quality} data-quality={quality} {...meaning}>
      {quality === 'estimated' && <span aria-hidden="true">~ </span>}
      {t(`reports.quality.${quality}`)}
    </span>
  );
}

function PreviewTable({ preview, isOfBefore }: { preview: ReportPreview; isOfBefore: boolean }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const decimals = preview.columns.map((_, place) =>
    Math.max(0, ...preview.rows.map(({ values }) => decimalsOf(values[place] ?? null))),
  );
  return (
    <section
      className={styles.scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by keys
      tabIndex={0}
      aria-label={`${t('reports.preview.title')}: ${preview.name}`}
      data-before={isOfBefore || undefined}
    >
      <table className={styles.preview}>
        <caption translate="no">{preview.name}</caption>
        <thead>
          <tr>
            <th scope="col">
              {t('reports.preview.time')}
              <small>{preview.ianaTimezone}</small>
            </th>
            {preview.columns.map(({ label, unit, way }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may be called alike
              <th key={place} scope="col" data-number>
                {label}
                <small>
                  {[unit, way === 'told' || way === 'sum' ? '' : t(`reports.way.${way}`)]
                    .filter((each) => each !== '')
                    .join(', ')}
                </small>
              </th>
            ))}
            <th scope="col">{t('reports.file.quality')}</th>
          </tr>
        </thead>
        <tbody>
          {preview.rows.map(({ tsMs, localTime, values, quality }) => (
            <tr key={tsMs} data-quality={quality}>
              <td>
                {localTime.slice(0, -6)}
                <small> {localTime.slice(-6)}</small>
              </td>
              {values.map((value, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column stays in its place
                <td key={place} data-number>
                  {value === null ? '' : format.number(value, decimals[place])}
                </td>
              ))}
              <td>
                <Quality quality={quality} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const MOST_DECIMALS = 3;

/** Decimals that a number is written with. */
function decimalsOf(value: number | null): number {
  if (value === null) return 0;
  return Math.min(MOST_DECIMALS, (String(value).split('.')[1] ?? '').length);
}
