import type { ReportPreview } from '@sonnenwarte/contract/reports/report';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '../format/bytes-text.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './size-figures.module.css';

/** How large a report becomes, and how long that takes, before it is asked for. */
export function SizeFigures({ preview }: { preview: ReportPreview | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const unknown = '–';
  const figures = [
    {
      key: 'rowsPerSheet',
      text: preview ? format.number(preview.sheetRows) : unknown,
    },
    { key: 'size', text: preview ? bytesText(preview.bytes, format) : unknown },
    { key: 'done', text: preview ? format.seconds(Math.max(1, Math.ceil(preview.seconds))) : unknown },
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(({ key, text }) => (
        <div key={key}>
          <dt>{t(`reports.form.${key}`)}</dt>
          <dd>
            {text}
            {key === 'done' && preview !== undefined && preview.ahead > 0 && (
              <small> {t('reports.form.waits', { place: format.number(preview.ahead + 1) })}</small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
