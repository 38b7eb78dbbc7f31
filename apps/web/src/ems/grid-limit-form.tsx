import { type GridController, gridControllers, type setGridLimit } from '@sonnenwarte/contract/ems/ems';
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
import { useSpeedText } from './speed-text.ts';

interface Values {
  stationID: string;
  controller: GridController;
  exportLimitW: number | string;
  purchaseController: GridController;
  purchaseLimitW: number | string;
}

/** Who holds which limits, with what that means before it is chosen. */
export function GridLimitForm({
  row,
  of,
  onClose,
  onDone,
  words,
}: ActionProps<GridLimit, typeof setGridLimit>): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const speedOf = useSpeedText();
  const { purchase } = row;
  const isOwn = row.controller === null && purchase.controller === null;
  const sold = gridControllers.filter((each) => (each === 'device' ? row.device !== null : row.obstacle === null));
  const bought = gridControllers.filter((each) => purchase.obstacles[each] === null);
  const form = useEndpointForm(of, {
    initialValues: {
      stationID: row.stationID,
      controller: row.controller ?? sold[0] ?? 'portal',
      // A limit that the device holds by itself is taken over as it is.
      exportLimitW: row.exportLimitW ?? (isOwn ? (row.device?.exportLimitW ?? '') : ''),
      purchaseController: purchase.controller ?? bought[0] ?? 'portal',
      purchaseLimitW: purchase.limitW ?? '',
    } as Values,
    check: ({ purchaseController, purchaseLimitW }) => {
      const mostW = purchase.mostW[purchaseController];
      const isOver = typeof purchaseLimitW === 'number' && purchaseLimitW > mostW;
      return { purchaseLimitW: isOver ? t('ems.atMost', { power: format.power(mostW) }) : undefined };
    },
    draft: row.stationID,
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const { controller, purchaseController } = form.values;
  const device = row.device?.deviceSN ?? '';
  const described = (limitW: number | null, hint: string): string =>
    limitW === null ? hint : `${t('ems.limitNow', { power: format.power(limitW) })} ${hint}`;
  return (
    <FormDialog form={form} title={words.label} opened onClose={onClose} submitLabel={t('ems.save')}>
      <fieldset className={styles.part}>
        <legend className={styles.heading}>{t('ems.side.sold')}</legend>
        {sold.length === 0 && <p className={styles.meaning}>{t(`ems.obstacle.${row.obstacle ?? 'noInverter'}`)}</p>}
        {sold.length > 0 && (
          <>
            <Holders
              label={`${t('ems.side.sold')}: ${t('ems.field.controller')}`}
              possible={sold}
              value={controller}
              onChange={(value) => form.setValue('controller', value)}
            />
            <p className={styles.meaning}>{t(`ems.meaning.${controller}`, { device })}</p>
            {controller === 'portal' && <p className={styles.meaning}>{speedOf(row)}</p>}
            {sold.length === 1 && row.obstacle !== null && (
              <p className={styles.meaning}>{t(`ems.obstacle.${row.obstacle}`)}</p>
            )}
            <NumberField
              form={form}
              name="exportLimitW"
              unit="kW"
              holds={1_000}
              description={described(row.exportLimitW, t('ems.limitHint'))}
            />
          </>
        )}
      </fieldset>
      <fieldset className={styles.part}>
        <legend className={styles.heading}>{t('ems.side.bought')}</legend>
        {bought.length === 0 && (
          <p className={styles.meaning}>{t(`ems.purchase.obstacle.${purchase.obstacles.portal ?? 'noBattery'}`)}</p>
        )}
        {bought.length > 0 && (
          <>
            <Holders
              label={`${t('ems.side.bought')}: ${t('ems.field.controller')}`}
              possible={bought}
              value={purchaseController}
              onChange={(value) => form.setValue('purchaseController', value)}
            />
            <p className={styles.meaning}>{t(`ems.purchase.meaning.${purchaseController}`, { device })}</p>
            <NumberField
              form={form}
              name="purchaseLimitW"
              unit="kW"
              holds={1_000}
              description={described(purchase.limitW, t('ems.purchase.hint'))}
            />
          </>
        )}
      </fieldset>
    </FormDialog>
  );
}

interface HoldersProps {
  label: string;
  possible: readonly GridController[];
  value: GridController;
  onChange: (value: GridController) => void;
}

function Holders({ label, possible, value, onChange }: HoldersProps): ReactNode {
  const { t } = useTranslation();
  if (possible.length < 2) return null;
  return (
    <Segmented
      label={label}
      value={value}
      wide
      options={possible.map((each) => ({ value: each, label: t(`ems.controller.${each}`) }))}
      onChange={onChange}
    />
  );
}
