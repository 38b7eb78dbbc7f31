import { type DocumentRow, file } from '@sonnenwarte/contract/documents/documents';
import { IconDownload, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { fetchFile, saveFile } from '../client/download.ts';
import { kindOf } from './document-words.ts';
import { PdfPages } from './pdf-pages.tsx';
import { VideoLink } from './video-link.tsx';
import styles from './viewer.module.css';

type Shown = Pick<DocumentRow, 'documentID' | 'name' | 'type' | 'language' | 'videoLink'>;

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3] as const;
const WHOLE_WIDTH = 2;
const KEPT_MS = 300_000;

/** As an action of a row. */
export const DocumentReader = ({ row, onClose }: ActionProps<DocumentRow, typeof file>): ReactNode => (
  <DocumentViewer shown={row} onClose={onClose} />
);

/** A document, page below page. */
export function DocumentViewer({ shown, onClose }: { shown: Shown; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { documentID, name, videoLink } = shown;
  const [zoom, setZoom] = useState(WHOLE_WIDTH);
  const [page, setPage] = useState<{ page: number; count: number }>();
  const [isUnreadable, setUnreadable] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['document-file', documentID],
    queryFn: async () => (await fetchFile(file, { documentID })).file,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  return (
    <Dialog
      title={name}
      opened
      onClose={onClose}
      shape="drawer"
      wide
      footer={
        <div className={styles.tools}>
          <span className={styles.page} role="status">
            {page && t('documents.viewer.page', page)}
          </span>
          <IconButton
            aria-label={t('documents.viewer.zoomOut')}
            disabled={page === undefined || zoom === 0}
            onClick={() => setZoom(zoom - 1)}
          >
            <IconZoomOut size={20} aria-hidden="true" />
          </IconButton>
          <IconButton
            aria-label={t('documents.viewer.zoomIn')}
            disabled={page === undefined || zoom === ZOOMS.length - 1}
            onClick={() => setZoom(zoom + 1)}
          >
            <IconZoomIn size={20} aria-hidden="true" />
          </IconButton>
          <Button disabled={data === undefined} onClick={() => data && saveFile(data, `${name}.pdf`)}>
            <IconDownload size={16} aria-hidden="true" />
            {t('documents.viewer.download')}
          </Button>
        </div>
      }
    >
      <p className={styles.about}>
        {kindOf(shown as DocumentRow, t)} <VideoLink to={videoLink} name={name} />
      </p>
      {error && <ErrorNotice error={error} retry={() => void refetch()} />}
      {isUnreadable && <p role="alert">{t('documents.viewer.unreadable')}</p>}
      {!error && !isUnreadable && page === undefined && <p role="status">{t('documents.viewer.loading')}</p>}
      {data && !isUnreadable && (
        <PdfPages
          file={data}
          label={t('documents.viewer.pages', { name })}
          zoom={ZOOMS[zoom] ?? 1}
          onPage={setPage}
          onUnreadable={() => setUnreadable(true)}
        />
      )}
    </Dialog>
  );
}
