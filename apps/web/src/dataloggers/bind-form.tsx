import { type DataloggerRow, list } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { type bind, plants } from '@sonnenwarte/contract/dataloggers/managing';
import type { Result } from '@sonnenwarte/contract/endpoint';
import { IconScan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { Dialog } from '../blocks/overlay/dialog.tsx';
import { Button } from '../blocks/show/button.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import type { ScanFailure } from '../site-form/code-scanner.tsx';
import { inGroups } from '../site-form/pasted-modules.ts';
import type { Binding } from './datalogger-actions.tsx';
import { DataloggerStateMark, Signal } from './datalogger-cells.tsx';
import styles from './dataloggers.module.css';
import { usePlantSource } from './plant-source.ts';

const CodeScanner = lazy(async () => ({ default: (await import('../site-form/code-scanner.tsx')).CodeScanner }));

/** Links a datalogger to a plant by its number and key, typed or scanned; then shows how it comes alive. */
export function BindForm({ row, of, onClose, words }: ActionProps<Binding | DataloggerRow, typeof bind>): ReactNode {
  const { t } = useTranslation();
  const [done, setDone] = useState<Result<typeof bind>>();
  const [isScanning, setScanning] = useState(false);
  const [failure, setFailure] = useState<ScanFailure>();
  const source = usePlantSource(plants);
  const form = useEndpointForm(of, {
    initialValues: { stationID: row.stationID ?? '', sn: row.moduleSN ?? '', key: '' },
    draft: false,
    prepare: (values) => ({ ...values, sn: values.sn.replaceAll(/\s/g, ''), key: values.key.trim() }),
    onDone: (result) => setDone(result),
  });
  if (done !== undefined) return <Alive sn={done.moduleSN} plantName={done.plantName} onClose={onClose} />;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label}>
      <RecordField form={form} name="stationID" source={source} required />
      {failure !== undefined && (
        <p className={styles.bad} role="alert">
          {t(`site-form.scan.${failure}`)}
        </p>
      )}
      {isScanning ? (
        <Suspense fallback={<p>{t('site-form.scan.starting')}</p>}>
          <CodeScanner
            modules={[]}
            onFound={({ sn, key }) => {
              form.setValue('sn', sn);
              if (key !== '') form.setValue('key', key);
              setScanning(false);
            }}
            onEnd={() => setScanning(false)}
            onFailure={(reason) => {
              setFailure(reason);
              setScanning(false);
            }}
          />
        </Suspense>
      ) : (
        <Button
          wide
          onClick={() => {
            setFailure(undefined);
            setScanning(true);
          }}
        >
          <IconScan size={18} aria-hidden="true" /> {t('dataloggers.bind.scan')}
        </Button>
      )}
      <TextField form={form} name="sn" placeholder={t('site-form.module.snPlaceholder')} />
      <TextField form={form} name="key" description={t('site-form.module.keyHint')} />
    </FormDialog>
  );
}

const LOOK_MS = 2_000;

/** What comes of a datalogger that has just been linked. */
function Alive({ sn, plantName, onClose }: { sn: string; plantName: string; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    ...read(list, { condition: { moduleSN: sn } }),
    refetchInterval: LOOK_MS,
  });
  const datalogger = data?.data.find(({ moduleSN }) => moduleSN === sn);
  const isHeard = datalogger?.communication === 1;
  const said = isHeard ? t('dataloggers.bind.heard') : t('dataloggers.bind.waiting');
  return (
    <Dialog
      title={t('dataloggers.bind.done', { name: inGroups(sn), plant: plantName })}
      opened
      onClose={onClose}
      footer={
        <Button look="filled" onClick={onClose}>
          {t('dataloggers.bind.close')}
        </Button>
      }
    >
      <div className={styles.stack}>
        <p role="status" className={styles.alive} data-heard={isHeard || undefined}>
          {said}
        </p>
        {datalogger !== undefined && (
          <PropertyList
            items={[
              { label: t('dataloggers.field.state'), value: <DataloggerStateMark row={datalogger} /> },
              { label: t('dataloggers.field.signal'), value: <Signal dbm={datalogger.signal} /> },
              {
                label: t('dataloggers.field.children'),
                value: t('dataloggers.heardOf', {
                  heard: format.number(datalogger.childrenHeard),
                  all: format.number(datalogger.children),
                }),
              },
              { label: t('dataloggers.field.lastSeenMs'), value: format.localTime(datalogger.lastSeenMs) },
            ]}
          />
        )}
        {!isHeard && <p>{t('dataloggers.bind.waitingHint')}</p>}
      </div>
    </Dialog>
  );
}
