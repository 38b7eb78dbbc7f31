import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../overlay/dialog.tsx';
import { Button } from '../show/button.tsx';
import { ErrorNotice } from '../show/error-notice.tsx';
import { FilePick } from './file-pick.tsx';
import styles from './import-file.module.css';

/** A file that was chosen: what the server makes of it, before anything is imported. */
export interface CheckedImport<C> {
  readonly checked: C | undefined;
  readonly isReading: boolean;
  readonly failure: unknown;
  readonly take: (file: File | undefined) => void;
  readonly fail: (error: unknown) => void;
  /** Forgets the file that was chosen. */
  readonly drop: () => void;
}

/** Has a chosen file checked; of several that are chosen one after the other the last counts. */
export function useImportFile<C>(check: (file: File) => Promise<C>): CheckedImport<C> {
  const [checked, setChecked] = useState<C>();
  const [isReading, setReading] = useState(false);
  const [failure, fail] = useState<unknown>();
  const newest = useRef(0);
  const drop = () => {
    newest.current += 1;
    setChecked(undefined);
    setReading(false);
    fail(undefined);
  };
  const take = (file: File | undefined) => {
    drop();
    if (file === undefined) return;
    const own = newest.current;
    const isNewest = () => own === newest.current;
    setReading(true);
    check(file)
      .then((found) => isNewest() && setChecked(() => found))
      .catch((error: unknown) => isNewest() && fail(error))
      .finally(() => isNewest() && setReading(false));
  };
  return { checked, isReading, failure, take, fail, drop };
}

interface ImportDialogProps<C> {
  title: string;
  lead: string;
  file: { label: string; hint: string; disabled?: boolean };
  reading: string;
  state: CheckedImport<C>;
  /** Above the file: what it is imported into, and its id. */
  before?: ReactNode;
  into?: string;
  /** Below its hint. */
  beside?: ReactNode;
  preview: (checked: C) => ReactNode;
  /** Buttons once it is checked, where there is something to be done with it. */
  buttons: (checked: C) => ReactNode;
  onClose: () => void;
}

/** A CSV file is chosen, looked at with what is wrong with its rows, and imported. */
export function ImportFileDialog<C>(props: ImportDialogProps<C>): ReactNode {
  const { title, lead, file, reading, state, before, into, beside, preview, buttons, onClose } = props;
  const { t } = useTranslation();
  const { checked, isReading, failure, take } = state;
  return (
    <Dialog
      title={title}
      opened
      onClose={onClose}
      shape="drawer"
      wide
      footer={
        <div className={styles.buttons}>
          {checked !== undefined && buttons(checked)}
          <Button onClick={onClose}>{t('blocks.cancel')}</Button>
        </div>
      }
    >
      <div className={styles.stack}>
        <p>{lead}</p>
        {before}
        <FilePick key={into} {...file} accept=".csv,.txt,text/csv,text/plain" onPick={take}>
          {beside !== undefined && <div className={styles.buttons}>{beside}</div>}
        </FilePick>
        {isReading && <p role="status">{reading}</p>}
        {failure !== undefined && <ErrorNotice error={failure} />}
        {checked !== undefined && (
          <div className={styles.stack} role="status">
            {preview(checked)}
          </div>
        )}
      </div>
    </Dialog>
  );
}

interface ImportButtonProps<R> {
  label: string;
  isBusy: boolean;
  send: () => Promise<R>;
  onDone: (done: R) => void;
  onFailure: (error: unknown) => void;
}

/** Imports what was looked at, once however often it is pressed. */
export function ImportButton<R>({ label, isBusy, send, onDone, onFailure }: ImportButtonProps<R>): ReactNode {
  return (
    <Button
      look="filled"
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) send().then(onDone, onFailure);
      }}
    >
      {label}
    </Button>
  );
}

/** How many rows of each sort there are. */
export function ImportCounts({ children }: { children: ReactNode }): ReactNode {
  return <p className={styles.counts}>{children}</p>;
}

interface Problem {
  readonly line: number;
  readonly sn: string;
}

interface ProblemsProps<P extends Problem> {
  label: string;
  problems: readonly P[];
  lineText: (line: number) => string;
  text: (problem: P) => ReactNode;
}

/** Rows that cannot be imported, each with its line, why, and its serial number. */
export function ImportProblems<P extends Problem>({ label, problems, lineText, text }: ProblemsProps<P>): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keys
    <ul className={styles.problems} aria-label={label} tabIndex={0}>
      {problems.map((problem) => (
        <li key={problem.line}>
          <span>{lineText(problem.line)}</span>
          <span>
            {text(problem)}
            {problem.sn !== '' && (
              <>
                {' '}
                <code translate="no">{problem.sn}</code>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
