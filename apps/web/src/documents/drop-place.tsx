import { IconFileTypePdf, IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../blocks/show/button.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import styles from './documents.module.css';
import type { PendingFile, Uploads } from './use-uploads.ts';

/** Where files come in: chosen, or dropped. */
export function DropPlace({ onFiles }: { onFiles: (files: Iterable<File>) => void }): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="application/pdf,.pdf"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen once more.
          currentTarget.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>
        <IconUpload size={16} aria-hidden="true" />
        {t('documents.upload.choose')}
      </Button>
      <span>{t('documents.upload.drop')}</span>
    </div>
  );
}

/** Files on their way and those that were not taken, each with what is wrong with it. */
export function PendingFiles({ uploads }: { uploads: Uploads }): ReactNode {
  if (uploads.pending.length === 0) return null;
  return (
    <ul className={styles.pending}>
      {uploads.pending.map((file) => (
        <Pending key={file.key} file={file} uploads={uploads} />
      ))}
    </ul>
  );
}

function Pending({ file: { key, file, state, error }, uploads }: { file: PendingFile; uploads: Uploads }): ReactNode {
  const { t } = useTranslation();
  return (
    <li data-failed={state === 'failed' || undefined}>
      <div className={styles.file}>
        <IconFileTypePdf size={20} aria-hidden="true" />
        <span translate="no">{file.name}</span>
        <small role="status">{t(`documents.upload.${state}`)}</small>
        {state === 'failed' && (
          <IconButton aria-label={`${t('documents.upload.retry')}: ${file.name}`} onClick={() => uploads.retry(key)}>
            <IconRefresh size={18} aria-hidden="true" />
          </IconButton>
        )}
        {state !== 'sending' && (
          <IconButton
            aria-label={t('documents.upload.removeFile', { name: file.name })}
            onClick={() => uploads.drop(key)}
          >
            <IconX size={18} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {error !== undefined && <ErrorNotice error={error} />}
    </li>
  );
}
