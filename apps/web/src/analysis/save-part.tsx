import { exportSeries } from '@sonnenwarte/contract/analysis/analysis';
import type { ExportFormat } from '@sonnenwarte/contract/exports';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionMenu } from '../blocks/overlay/action-menu.tsx';
import { download } from '../client/download.ts';
import type { CalendarDay } from '../format/dates.ts';
import { useLineBroken } from '../live/line-state.ts';
import type { Plotted } from './address.ts';
import styles from './analysis.module.css';
import { inputOf } from './use-analysis.ts';

/** Saves the plots as a picture. */
export interface SavePicture {
  readonly save: () => void;
}

interface SavePartProps {
  plotted: Plotted;
  first: CalendarDay;
  last: CalendarDay;
  /** None while nothing is drawn. */
  picture: SavePicture | undefined;
}

/** What is plotted as a picture, and all of its samples as a file. */
export function SavePart({ plotted, first, last, picture }: SavePartProps): ReactNode {
  const { t } = useTranslation();
  const broken = useLineBroken();
  if (plotted.curves.length === 0) return null;
  const file = (format: ExportFormat): void => {
    const input = { ...inputOf(plotted.curves), firstDay: first, lastDay: last, format };
    // The client says what went wrong.
    void download(exportSeries, input, `analysis.${format}`).catch(() => undefined);
  };
  const away = broken ? t('common.noConnection') : undefined;
  return (
    <ActionMenu
      className={styles.tool ?? ''}
      button={
        <>
          <IconDownload size={17} aria-hidden="true" />
          {t('analysis.save')}
        </>
      }
      actions={[
        ...(picture === undefined ? [] : [{ label: t('analysis.picture'), onSelect: picture.save }]),
        { label: t('analysis.csv'), onSelect: () => file('csv'), disabledReason: away },
        { label: t('analysis.xlsx'), onSelect: () => file('xlsx'), disabledReason: away },
      ]}
    />
  );
}
