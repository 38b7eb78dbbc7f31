import { type add, takeBack } from '@sonnenwarte/contract/documents/documents';
import { MAX_UPLOAD_FILES } from '@sonnenwarte/contract/limits';
import { IconFileTypePdf, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { IconButton } from '../blocks/show/button.tsx';
import { write } from '../client/queries.ts';
import { useGlobalState } from '../state/global-state.ts';
import { DocumentFields, type DocumentValues, sentOf } from './document-fields.tsx';
import styles from './documents.module.css';
import { DropPlace, PendingFiles } from './drop-place.tsx';
import { languageOfFile, nameOfFile } from './file-name.ts';
import { useUploads } from './use-uploads.ts';

/** Where this fails the file is forgotten after a day. */
const giveUp = (documentID: string) => write(takeBack, { documentID }, { quiet: true }).catch(() => undefined);

/** Files become documents: each is uploaded at once, named while others are on their way, and all are saved together. */
export function DocumentAddForm({ of, onClose, onDone }: ActionProps<undefined, typeof add>): ReactNode {
  const { t } = useTranslation();
  const language = useGlobalState((state) => state.language);
  const fileNames = useRef(new Map<string, string>());
  const form = useEndpointForm(of, {
    initialValues: { documents: [] as DocumentValues[] },
    draft: false,
    prepare: ({ documents }) => ({ documents: documents.map(sentOf) }),
    check: ({ documents }) => ({
      documents:
        documents.length === 0
          ? t('documents.upload.none')
          : uploads.pending.some(({ state }) => state !== 'failed')
            ? t('documents.upload.underWay')
            : undefined,
    }),
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const latest = useRef(form);
  latest.current = form;
  const uploads = useUploads((file, documentID) => {
    const { values, insertRow } = latest.current;
    const before = values.documents.at(-1);
    fileNames.current.set(documentID, file.name);
    // What comes together is mostly about the same devices.
    insertRow('documents', values.documents.length, {
      documentID,
      name: nameOfFile(file.name),
      type: before?.type ?? 'userManual',
      language: languageOfFile(file.name) ?? before?.language ?? language,
      product: before?.product ?? '',
      models: before?.models ?? '',
      videoLink: '',
    } satisfies DocumentValues);
  });
  const rows = form.rowsOf('documents');
  const error = form.errorOf('documents');
  const leave = () => {
    for (const { key } of uploads.pending) uploads.drop(key);
    for (const { documentID } of form.values.documents) void giveUp(documentID);
    onClose();
  };
  return (
    <FormDialog
      form={form}
      title={t('documents.addTitle')}
      opened
      wide
      onClose={leave}
      submitLabel={t('documents.save')}
    >
      <DropPlace onFiles={(files) => uploads.add(files, MAX_UPLOAD_FILES - rows.length)} />
      {uploads.leftOut.length > 0 && (
        <p className={styles.error} role="alert">
          {t('documents.upload.tooMany', { names: uploads.leftOut.join(', ') })}
        </p>
      )}
      <PendingFiles uploads={uploads} />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {rows.map((row, at) => {
        const documentID = form.values.documents[at]?.documentID ?? '';
        const fileName = fileNames.current.get(documentID) ?? '';
        return (
          <fieldset key={row.key} className={styles.document}>
            <legend className="visually-hidden">{fileName}</legend>
            <div className={styles.file}>
              <IconFileTypePdf size={20} aria-hidden="true" />
              <span translate="no">{fileName}</span>
              <small>{t('documents.upload.done')}</small>
              <IconButton
                aria-label={t('documents.upload.removeFile', { name: fileName })}
                onClick={() => {
                  form.removeRow('documents', at);
                  void giveUp(documentID);
                }}
              >
                <IconTrash size={18} aria-hidden="true" />
              </IconButton>
            </div>
            <DocumentFields form={form} path={`${row.path}.`} />
          </fieldset>
        );
      })}
    </FormDialog>
  );
}
