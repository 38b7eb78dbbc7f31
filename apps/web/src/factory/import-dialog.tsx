import {
  type importCheck,
  importDrop,
  MOST_UNIT_ROWS,
  type UnitsImported,
} from '@sonnenwarte/contract/factory/imports';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { ImportCounts, ImportFileDialog, useImportFile } from '../blocks/form/import-file.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { RecordEntry } from '../blocks/widgets/record-entry.tsx';
import { call } from '../client/call.ts';
import { saveFile } from '../client/download.ts';
import { upload } from '../client/upload.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './factory.module.css';
import type { ImportInto } from './factory-actions.tsx';
import { Preview, SendButton } from './import-preview.tsx';
import { useBatchSource } from './sources.ts';

const SAMPLE =
  '\ufeffSN,ODM-SN,model,firmware,delivered on\r\nSW8K2603000117,OD-771203,SW-8K,1.4.2,2026-03-02\r\nSW8K2603000118,OD-771204,,,\r\n';

/** Serial numbers of a file, into a batch: read, looked at with what is wrong with its rows, and imported. */
export function ImportDialog({ row, of, onClose, words }: ActionProps<ImportInto, typeof importCheck>): ReactNode {
  const { t } = useTranslation();
  const source = useBatchSource();
  const format = useFormat();
  const [batchID, setBatchID] = useState(row.batchID ?? '');
  const [imported, setImported] = useState<UnitsImported>();
  const file = useImportFile((chosen) => upload(of, { batchID }, chosen));
  const id = useId();
  const waiting = useForgotten(file.checked?.importID);

  if (imported !== undefined) return <Done title={words.label} imported={imported} onClose={onClose} />;
  return (
    <ImportFileDialog
      // For another batch another file is chosen.
      into={batchID}
      title={row.number === undefined ? words.label : `${words.label}: ${row.number}`}
      lead={t('factory.import.lead')}
      file={{
        label: t('factory.import.file'),
        hint:
          batchID === ''
            ? t('factory.import.batchFirst')
            : t('factory.import.hint', { number: format.number(MOST_UNIT_ROWS) }),
        disabled: batchID === '',
      }}
      reading={t('factory.import.reading')}
      state={file}
      onClose={onClose}
      before={
        row.batchID === undefined && (
          <div className={styles.batch}>
            <label id={`${id}-batch-label`} htmlFor={`${id}-batch`}>
              {t('factory.units.field.batch')}
            </label>
            <RecordEntry
              id={`${id}-batch`}
              labelledBy={`${id}-batch-label`}
              source={source}
              value={batchID}
              required
              onChange={(chosen) => {
                setBatchID(chosen);
                file.drop();
              }}
            />
          </div>
        )
      }
      beside={
        <Button small onClick={() => saveFile(new Blob([SAMPLE], { type: 'text/csv' }), 'serial-numbers.csv')}>
          {t('factory.import.sample')}
        </Button>
      }
      preview={(checked) => <Preview checked={checked} />}
      buttons={(checked) => (
        <SendButton
          checked={checked}
          onFailure={file.fail}
          onDone={(done) => {
            waiting.current = undefined;
            setImported(done);
          }}
        />
      )}
    />
  );
}

/** A file that was read and is not imported is forgotten with the dialog, or with the next one. */
function useForgotten(importID: string | undefined) {
  const waiting = useRef<string>(undefined);
  useEffect(() => {
    waiting.current = importID;
    return () => {
      const left = waiting.current;
      waiting.current = undefined;
      if (left !== undefined) call(importDrop, { importID: left }, { quiet: true }).catch(() => undefined);
    };
  }, [importID]);
  return waiting;
}

function Done({
  title,
  imported,
  onClose,
}: {
  title: string;
  imported: UnitsImported;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { added, changed, same, skipped } = imported;
  return (
    <Dialog
      title={title}
      opened
      onClose={onClose}
      footer={
        <Button look="filled" onClick={onClose}>
          {t('factory.import.close')}
        </Button>
      }
    >
      <div className={styles.stack} role="status">
        <p>{added + changed === 0 ? t('factory.import.nothing') : t('factory.import.done')}</p>
        <ImportCounts>
          <span>{t('factory.import.fresh', { number: format.number(added) })}</span>
          <span>{t('factory.import.changed', { number: format.number(changed) })}</span>
          <span>{t('factory.import.same', { number: format.number(same) })}</span>
          {skipped > 0 && <span>{t('factory.import.skipped', { number: format.number(skipped) })}</span>}
        </ImportCounts>
      </div>
    </Dialog>
  );
}
