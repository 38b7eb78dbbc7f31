import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { fetchFile, saveFile } from '../client/download.ts';
import { PdfPages } from '../documents/pdf-pages.tsx';
import styles from './burn-in.module.css';

interface PdfDialogProps {
  title: string;
  endpoint: Endpoint;
  input: object;
  onClose: () => void;
}

const KEPT_MS = 60_000;

/** A certificate or report as it is printed, to be read and saved. */
export function PdfDialog({ title, endpoint, input, onClose }: PdfDialogProps): ReactNode {
  const { t, i18n } = useTranslation();
  const [isUnreadable, setUnreadable] = useState(false);
  const [isShown, setShown] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['burn-in-file', endpoint.path, input, i18n.language],
    queryFn: () => fetchFile(endpoint, input),
    gcTime: KEPT_MS,
  });
  return (
    <Dialog title={title} opened onClose={onClose} shape="drawer" wide>
      <div className={styles.paper}>
        {error && <ErrorNotice error={error} retry={() => void refetch()} />}
        {isUnreadable && <p role="alert">{t('monthly-reports.unreadable')}</p>}
        {!error && !isUnreadable && !isShown && <p role="status">{t('burn-in.unit.making')}</p>}
        {data && (
          <Button look="filled" onClick={() => saveFile(data.file, data.name ?? `${title}.pdf`)}>
            <IconDownload size={16} aria-hidden="true" />
            {t('monthly-reports.download')}
          </Button>
        )}
        {data && !isUnreadable && (
          <PdfPages
            file={data.file}
            label={title}
            zoom={1}
            onPage={() => setShown(true)}
            onUnreadable={() => setUnreadable(true)}
          />
        )}
      </div>
    </Dialog>
  );
}
