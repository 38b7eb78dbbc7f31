import { gridControllers, type setGridLimit } from '@sonnenwarte/contract/ems/ems';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { useFormat } from '../format/use-format.ts';
import styles from './ems.module.css';
import type { GridLimit } from './grid-actions.tsx';

interface Values {
  stationID: string;
  controller: 'device' | 'portal';
  exportLimitW: number | string;
}

/** Who holds which limit, with what that means before it is chosen. */
export function GridLimitForm({
  row,
  of,
  onClose,
  onDone,
  words,
}: ActionProps<GridLimit, typeof setGridLimit>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const possible = gridControllers.filter((each) => (each === 'device' ? row.device !== null : row.obstacle === null));
  const form = useEndpointForm(of, {
    initialValues: {
      stationID: row.stationID,
      controller: row.controller ?? possible[0] ?? 'portal',
      exportLimitW: row.exportLimitW ?? row.device?.exportLimitW ?? '',
    } as Values,
    draft: row.stationID,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const { controller } = form.values;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={t('ems.save')}>
      {possible.length > 1 && (
        <Segmented
          label={t('ems.field.controller')}
          value={controller}
          wide
          options={possible.map((value) => ({ value, label: t(`ems.controller.${value}`) }))}
          onChange={(value) => form.setValue('controller', value)}
        />
      )}
      <p className={styles.meaning}>{t(`ems.meaning.${controller}`, { device: row.device?.deviceSN ?? '' })}</p>
      {possible.length === 1 && row.obstacle !== null && (
        <p className={styles.meaning}>{t(`ems.obstacle.${row.obstacle}`)}</p>
      )}
      <NumberField
        form={form}
        name="exportLimitW"
        unit="kW"
        holds={1_000}
        description={
          row.exportLimitW === null
            ? t('ems.limitHint')
            : t('ems.limitBefore', { power: format.power(row.exportLimitW) })
        }
      />
    </FormDialog>
  );
}
