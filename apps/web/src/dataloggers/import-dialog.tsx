import {
  type Imported,
  type ImportPreview,
  type importCheck,
  importFile,
  MOST_IMPORT_CHARACTERS,
} from '@sonnenwarte/contract/dataloggers/managing';
import { errno } from '@sonnenwarte/contract/errors';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import {
  ImportButton,
  ImportCounts,
  ImportFileDialog,
  ImportProblems,
  useImportFile,
} from '../blocks/form/import-file.tsx';
import { useErrorText } from '../blocks/show/error-notice.tsx';
import { call } from '../client/call.ts';
import { ApiError } from '../client/failures.ts';
import type { Permitted } from '../client/permit.ts';
import { useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { CredentialsShown } from './credentials-shown.tsx';
import type { Binding } from './datalogger-actions.tsx';
import styles from './dataloggers.module.css';
import { textOfFile } from './file-text.ts';

const SHOWN_SAMPLE = 5;

type Checked = { readonly file: string; readonly preview: ImportPreview };

/** Serial numbers of a file: read, looked at with what is wrong with its rows, and imported; then their passwords, this once. */
export function ImportDialog({ of, onClose, onDone, words }: ActionProps<Binding, typeof importCheck>): ReactNode {
  const { t } = useTranslation();
  const [imported, setImported] = useState<Imported>();
  const permitted = usePermit()(importFile);
  const chosen = useImportFile(async (picked): Promise<Checked> => {
    const file = await textOfFile(picked);
    if (file.length > MOST_IMPORT_CHARACTERS) throw new ApiError(errno.fileTooLarge, '', null);
    if (file.trim() === '') throw new ApiError(errno.importEmpty, '', null);
    return { file, preview: await call(of, { file }, { inPlace: true }) };
  });

  if (imported !== undefined) {
    return (
      <CredentialsShown
        imported={imported}
        onClose={() => {
          onDone();
          onClose();
        }}
      />
    );
  }
  return (
    <ImportFileDialog
      title={words.label}
      lead={t('dataloggers.import.lead')}
      file={{ label: t('dataloggers.import.file'), hint: t('dataloggers.import.hint') }}
      reading={t('dataloggers.import.reading')}
      state={chosen}
      onClose={onClose}
      preview={({ preview }) => <Preview preview={preview} />}
      buttons={(checked) =>
        permitted !== undefined &&
        checked.preview.good > 0 && (
          <SendButton checked={checked} of={permitted} onDone={setImported} onFailure={chosen.fail} />
        )
      }
    />
  );
}

interface SendProps {
  checked: Checked;
  of: Permitted<typeof importFile>;
  onDone: (imported: Imported) => void;
  onFailure: (error: unknown) => void;
}

/** All rows where all are good; else those that are, by a button that says so. */
function SendButton({ checked: { file, preview }, of, onDone, onFailure }: SendProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useWrite(of, { inPlace: true });
  const onlyGood = preview.bad > 0;
  return (
    <ImportButton
      label={t(onlyGood ? 'dataloggers.import.onlyGood' : 'dataloggers.import.all', {
        number: format.number(preview.good),
      })}
      isBusy={send.isPending}
      send={() => send.mutateAsync({ file, onlyGood })}
      onDone={onDone}
      onFailure={onFailure}
    />
  );
}

/** What the file holds, and which of its rows are wrong. */
function Preview({ preview: { rows, good, bad, problems, sample } }: { preview: ImportPreview }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <ImportCounts>
        <span>{t('dataloggers.import.rows', { number: format.number(rows) })}</span>
        <span>{t('dataloggers.import.good', { number: format.number(good) })}</span>
        <span>{t('dataloggers.import.bad', { number: format.number(bad) })}</span>
      </ImportCounts>
      {bad > 0 && (
        <>
          <p>{t('dataloggers.import.badHint')}</p>
          <ImportProblems
            label={t('dataloggers.import.problems')}
            problems={problems}
            lineText={(line) => t('dataloggers.import.line', { number: format.number(line) })}
            text={({ errno: number }) => <Why errno={number} />}
          />
          {bad > problems.length && (
            <p>{t('dataloggers.import.more', { number: format.number(bad - problems.length) })}</p>
          )}
        </>
      )}
      {sample.length > 0 && (
        <p className={styles.note}>
          {t('dataloggers.import.first', {
            list: sample
              .slice(0, SHOWN_SAMPLE)
              .map(({ sn }) => sn)
              .join(', '),
          })}
        </p>
      )}
    </>
  );
}

/** Why a row cannot be imported. */
const Why = ({ errno: number }: { errno: number }): ReactNode => useErrorText(new ApiError(number, '', null));
