import { type add, batches, plans } from '@sonnenwarte/contract/burn-in/burn-in';
import { MOST_UNITS } from '@sonnenwarte/contract/burn-in/plan';
import { IconScan } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { CheckField, TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { Button } from '../blocks/show/button.tsx';
import { openScreen } from '../blocks/show/screen-link.tsx';
import { useFormat } from '../format/use-format.ts';
import type { ScanFailure } from '../site-form/code-scanner.tsx';
import styles from './burn-in.module.css';
import { doublesIn, EMPTY_PLACE, placesIn, serialInCode, serialsIn, withPlace } from './scanned-sn.ts';

const CodeScanner = lazy(async () => ({ default: (await import('../site-form/code-scanner.tsx')).CodeScanner }));

const scanned = (code: string) => {
  const sn = serialInCode(code);
  return sn === undefined ? undefined : { sn, key: '' };
};

/** A new run: the rack, its serial numbers typed, scanned or pasted, the plan and the batch. */
export function RunForm({ of, words, onClose }: ActionProps<undefined, typeof add>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const [isScanning, setScanning] = useState(false);
  const [failure, setFailure] = useState<ScanFailure>();
  const form = useEndpointForm(of, {
    initialValues: { rack: '', planID: '', batchID: '', batchNumber: '', setsLoad: false, sns: '' },
    draft: 'new',
    prepare: ({ sns, batchID, ...values }) => ({
      ...values,
      batchID: batchID === '' ? null : batchID,
      sns: placesIn(sns),
    }),
    reasons: { sns: t('burn-in.run.snsWrong') },
    onDone: ({ runID }) => {
      onClose();
      openScreen({ to: 'aging-inverter', query: { run: runID } });
    },
  });
  const serials = serialsIn(form.values.sns);
  const doubles = doublesIn(form.values.sns);
  const empty = placesIn(form.values.sns).length - serials.length;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={words.label} wide>
      <TextField form={form} name="rack" />
      <RecordField
        form={form}
        name="planID"
        required
        source={{ endpoint: plans, search: t('burn-in.run.choosePlan'), none: t('burn-in.run.noPlan') }}
      />
      <RecordField
        form={form}
        name="batchID"
        required={false}
        source={{ endpoint: batches, search: t('burn-in.run.chooseBatch'), none: t('burn-in.run.noBatch') }}
      />
      {form.values.batchID === '' && (
        <TextField form={form} name="batchNumber" description={t('burn-in.run.batchHint')} />
      )}
      {failure !== undefined && (
        <p className={styles.bad} role="alert">
          {t(`site-form.scan.${failure}`)}
        </p>
      )}
      {isScanning ? (
        <Suspense fallback={<p>{t('site-form.scan.starting')}</p>}>
          <CodeScanner
            modules={serials.map((sn) => ({ sn, key: '' }))}
            moduleOf={scanned}
            foreign={t('burn-in.run.foreign')}
            onFound={({ sn }) => form.setValue('sns', withPlace(form.values.sns, sn))}
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
          <IconScan size={18} aria-hidden="true" /> {t('burn-in.run.scan')}
        </Button>
      )}
      <TextAreaField
        form={form}
        name="sns"
        rows={8}
        required
        description={t('burn-in.run.snsHint', { most: format.number(MOST_UNITS) })}
      />
      <Button small onClick={() => form.setValue('sns', withPlace(form.values.sns, EMPTY_PLACE))}>
        {t('burn-in.run.leaveEmpty')}
      </Button>
      <p role="status" className={styles.about}>
        <span>{t('burn-in.run.counted', { number: format.number(serials.length) })}</span>
        {empty > 0 && <span>{t('burn-in.run.emptyCounted', { number: format.number(empty) })}</span>}
      </p>
      {doubles.length > 0 && (
        <p className={styles.bad} role="status">
          {t('burn-in.run.twice', { sns: doubles.join(', ') })}
        </p>
      )}
      <CheckField form={form} name="setsLoad" description={t('burn-in.run.loadHint')} />
    </FormDialog>
  );
}
