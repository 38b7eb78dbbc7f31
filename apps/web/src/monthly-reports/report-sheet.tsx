import { file } from '@sonnenwarte/contract/monthly-reports/monthly-reports';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { fetchFile, saveFile } from '../client/download.ts';
import { PdfPages } from '../documents/pdf-pages.tsx';
import styles from './monthly-reports.module.css';

interface SheetProps {
  stationID: string;
  month: string;
  /** Of the month. */
  name: string;
  plant: string;
}

const KEPT_MS = 60_000;

/** The page of a month as it is saved and mailed. */
export function ReportSheet({ stationID, month, name, plant }: SheetProps): ReactNode {
  const { t, i18n } = useTranslation();
  const [isUnreadable, setUnreadable] = useState(false);
  const [isShown, setShown] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['monthly-report-file', stationID, month, i18n.language],
    queryFn: () => fetchFile(file, { stationID, month }),
    gcTime: KEPT_MS,
  });
  return (
    <>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isUnreadable && <p role="alert">{t('monthly-reports.unreadable')}</p>}
      {!error && !isUnreadable && !isShown && <p role="status">{t('monthly-reports.making')}</p>}
      {data && (
        <div className={styles.tools}>
          <Button onClick={() => saveFile(data.file, data.name ?? `${plant} ${month}.pdf`)}>
            <IconDownload size={16} aria-hidden="true" />
            {t('monthly-reports.download')}
          </Button>
        </div>
      )}
      {data && !isUnreadable && (
        <PdfPages
          file={data.file}
          label={t('monthly-reports.pages', { month: name })}
          zoom={1}
          onPage={() => setShown(true)}
          onUnreadable={() => setUnreadable(true)}
        />
      )}
    </>
  );
}
