import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import {
  importProblems,
  importRun,
  type UnitImportPreview,
  type UnitRowProblem,
  type UnitsImported,
} from '@sonnenwarte/contract/factory/imports';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import chosen from '../blocks/form/import-file.module.css';
import { Button } from '../blocks/show/button.tsx';
import { download } from '../client/download.ts';
import { useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './factory.module.css';

/** A hundred thousand units are written in one transaction. */
const LONGEST_IMPORT_MS = 300_000;

export type CheckedFile = UnitImportPreview;

interface ButtonsProps {
  checked: CheckedFile;
  onDone: (imported: UnitsImported) => void;
  onFailure: (error: unknown) => void;
  onClose: () => void;
}

/** All rows where all are good; else those that are, by a button that says so. */
export function ImportButtons({ checked, onDone, onFailure, onClose }: ButtonsProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useWrite(importRun, { inPlace: true, timeoutMs: LONGEST_IMPORT_MS });
  const { importID, fresh, changed, bad } = checked;
  const good = fresh + changed;
  const onlyGood = bad > 0;
  return (
    <div className={styles.buttons}>
      {good > 0 && (
        <Button
          look="filled"
          aria-disabled={send.isPending}
          onClick={() => {
            if (!send.isPending) send.mutateAsync({ importID, onlyGood }).then(onDone, onFailure);
          }}
        >
          {send.isPending
            ? t('factory.import.running')
            : t(onlyGood ? 'factory.import.onlyGood' : 'factory.import.all', { number: format.number(good) })}
        </Button>
      )}
      <Button onClick={onClose}>{t('blocks.cancel')}</Button>
    </div>
  );
}

/** What the file holds, and which of its rows are wrong. */
export function Preview({ checked }: { checked: CheckedFile }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { rows, fresh, changed, same, bad, unread, counts, problems } = checked;
  return (
    <div className={styles.stack} role="status">
      <p className={chosen.counts}>
        <strong>{t('factory.import.rows', { number: format.number(rows) })}</strong>
        <span>{t('factory.import.fresh', { number: format.number(fresh) })}</span>
        <span>{t('factory.import.changed', { number: format.number(changed) })}</span>
        <span>{t('factory.import.same', { number: format.number(same) })}</span>
        <span>{t('factory.import.bad', { number: format.number(bad) })}</span>
      </p>
      {unread.length > 0 && <p className={styles.note}>{t('factory.import.unread', { names: unread.join(', ') })}</p>}
      {bad === 0 && fresh + changed === 0 && <p>{t('factory.import.nothingNew')}</p>}
      {bad > 0 && (
        <>
          <p>{t('factory.import.badHint')}</p>
          <ul>
            {counts.map(({ problem, count }) => (
              <li key={problem}>
                {t(`factory.problemKind.${problem}`)}: {format.number(count)}
              </li>
            ))}
          </ul>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keys */}
          <ul className={chosen.problems} aria-label={t('factory.import.problems')} tabIndex={0}>
            {problems.map((each) => (
              <ProblemLine key={each.line} problem={each} />
            ))}
          </ul>
          {bad > problems.length && <p>{t('factory.import.more', { number: format.number(bad - problems.length) })}</p>}
          <ProblemFile importID={checked.importID} />
        </>
      )}
    </div>
  );
}

function ProblemFile({ importID }: { importID: string }): ReactNode {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  return (
    <div className={styles.buttons}>
      <Button
        small
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return;
          setBusy(true);
          download(importProblems, { importID }, 'errors.csv')
            .catch(() => undefined)
            .finally(() => setBusy(false));
        }}
      >
        {t('factory.import.problemsButton')}
      </Button>
    </div>
  );
}

function ProblemLine({ problem: { line, sn, problem, detail } }: { problem: UnitRowProblem }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const told = problem === 'otherKind' ? t(`factory.kind.${detail as UnitKind}`) : detail;
  return (
    <li>
      <span>{t('factory.import.line', { number: format.number(line) })}</span>
      <span>
        {t(`factory.problem.${problem}`, { detail: told })}
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
