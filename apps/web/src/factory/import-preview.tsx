import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import {
  importProblems,
  importRun,
  type UnitImportPreview,
  type UnitsImported,
} from '@sonnenwarte/contract/factory/imports';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportButton, ImportCounts, ImportProblems } from '../blocks/form/import-file.tsx';
import { Button } from '../blocks/show/button.tsx';
import { download } from '../client/download.ts';
import { useWrite } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './factory.module.css';

/** A hundred thousand units are written in one transaction. */
const LONGEST_IMPORT_MS = 300_000;

interface SendProps {
  checked: UnitImportPreview;
  onDone: (imported: UnitsImported) => void;
  onFailure: (error: unknown) => void;
}

/** All rows where all are good; else those that are, by a button that says so. */
export function SendButton({ checked, onDone, onFailure }: SendProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const send = useWrite(importRun, { inPlace: true, timeoutMs: LONGEST_IMPORT_MS });
  const { importID, fresh, changed, bad } = checked;
  const good = fresh + changed;
  if (good === 0) return null;
  const label = t(bad > 0 ? 'factory.import.onlyGood' : 'factory.import.all', { number: format.number(good) });
  return (
    <ImportButton
      label={send.isPending ? t('factory.import.running') : label}
      isBusy={send.isPending}
      send={() => send.mutateAsync({ importID, onlyGood: bad > 0 })}
      onDone={onDone}
      onFailure={onFailure}
    />
  );
}

/** What the file holds, and which of its rows are wrong. */
export function Preview({ checked }: { checked: UnitImportPreview }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { rows, fresh, changed, same, bad, unread, counts, problems } = checked;
  return (
    <>
      <ImportCounts>
        <strong>{t('factory.import.rows', { number: format.number(rows) })}</strong>
        <span>{t('factory.import.fresh', { number: format.number(fresh) })}</span>
        <span>{t('factory.import.changed', { number: format.number(changed) })}</span>
        <span>{t('factory.import.same', { number: format.number(same) })}</span>
        <span>{t('factory.import.bad', { number: format.number(bad) })}</span>
      </ImportCounts>
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
          <ImportProblems
            label={t('factory.import.problems')}
            problems={problems}
            lineText={(line) => t('factory.import.line', { number: format.number(line) })}
            text={({ problem, detail }) =>
              t(`factory.problem.${problem}`, {
                detail: problem === 'otherKind' ? t(`factory.kind.${detail as UnitKind}`) : detail,
              })
            }
          />
          {bad > problems.length && <p>{t('factory.import.more', { number: format.number(bad - problems.length) })}</p>}
          <ProblemFile importID={checked.importID} />
        </>
      )}
    </>
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
