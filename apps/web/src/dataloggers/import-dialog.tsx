import {
  type Imported,
  type ImportPreview,
  type ImportProblem,
  type importCheck,
  importFile,
  MOST_IMPORT_CHARACTERS,
} from '@sonnenwarte/contract/dataloggers/managing';
import { errno } from '@sonnenwarte/contract/errors';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { usePermit } from '../blocks/actions/can.tsx';
import { FilePick } from '../blocks/form/file-pick.tsx';
import chosen from '../blocks/form/import-file.module.css';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { ErrorNotice, useErrorText } from '../blocks/show/error-notice.tsx';
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
  const [checked, setChecked] = useState<Checked>();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [imported, setImported] = useState<Imported>();
  const permitted = usePermit()(importFile);

  const take = async (chosen: File | undefined) => {
    setChecked(undefined);
    setFailure(undefined);
    if (chosen === undefined) return;
    setReading(true);
    try {
      const file = await textOfFile(chosen);
      if (file.length > MOST_IMPORT_CHARACTERS) throw new ApiError(errno.fileTooLarge, '', null);
      if (file.trim() === '') throw new ApiError(errno.importEmpty, '', null);
      setChecked({ file, preview: await call(of, { file }, { inPlace: true }) });
    } catch (error) {
      setFailure(error);
    } finally {
      setReading(false);
    }
  };

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
    <Dialog
      title={words.label}
      opened
      onClose={onClose}
      shape="drawer"
      wide
      footer={
        checked !== undefined && permitted !== undefined && checked.preview.good > 0 ? (
          <ImportButtons checked={checked} of={permitted} onDone={setImported} onFailure={setFailure} />
        ) : (
          <Button onClick={onClose}>{t('blocks.cancel')}</Button>
        )
      }
    >
      <div className={styles.stack}>
        <p>{t('dataloggers.import.lead')}</p>
        <FilePick
          label={t('dataloggers.import.file')}
          hint={t('dataloggers.import.hint')}
          accept=".csv,.txt,text/csv,text/plain"
          onPick={(file) => void take(file)}
        />
        {isReading && <p role="status">{t('dataloggers.import.reading')}</p>}
        {failure !== undefined && <ErrorNotice error={failure} />}
        {checked !== undefined && <Preview preview={checked.preview} />}
      </div>
    </Dialog>
  );
}

interface ButtonsProps {
  checked: Checked;
  of: Permitted<typeof importFile>;
  onDone: (imported: Imported) => void;
  onFailure: (error: unknown) => void;
}

/** All rows where all are good; else those that are, by a button that says so. */
function ImportButtons({ checked: { file, preview }, of, onDone, onFailure }: ButtonsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useWrite(of, { inPlace: true });
  const onlyGood = preview.bad > 0;
  return (
    <Button
      look="filled"
      aria-disabled={send.isPending}
      onClick={() => {
        if (!send.isPending) send.mutateAsync({ file, onlyGood }).then(onDone, onFailure);
      }}
    >
      {t(onlyGood ? 'dataloggers.import.onlyGood' : 'dataloggers.import.all', { number: format.number(preview.good) })}
    </Button>
  );
}

/** What the file holds, and which of its rows are wrong. */
function Preview({ preview: { rows, good, bad, problems, sample } }: { preview: ImportPreview }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={styles.stack} role="status">
      <p className={chosen.counts}>
        <span>{t('dataloggers.import.rows', { number: format.number(rows) })}</span>
        <span>{t('dataloggers.import.good', { number: format.number(good) })}</span>
        <span>{t('dataloggers.import.bad', { number: format.number(bad) })}</span>
      </p>
      {bad > 0 && (
        <>
          <p>{t('dataloggers.import.badHint')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keys */}
          <ul className={chosen.problems} aria-label={t('dataloggers.import.problems')} tabIndex={0}>
            {problems.map((problem) => (
              <ProblemLine key={problem.line} problem={problem} />
            ))}
          </ul>
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
    </div>
  );
}

function ProblemLine({ problem: { line, sn, errno: number } }: { problem: ImportProblem }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const text = useErrorText(new ApiError(number, '', null));
  return (
    <li>
      <span>{t('dataloggers.import.line', { number: format.number(line) })}</span>
      <span>
        {text}
        {sn !== '' && (
          <>
            {' '}
            <code translate="no">{sn}</code>
          </>
        )}
      </span>
    </li>
  );
}
