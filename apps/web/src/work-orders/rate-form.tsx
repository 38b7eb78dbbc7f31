import { MOST_STARS, type WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import type { rate } from '@sonnenwarte/contract/work-orders/work-orders';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import styles from './order.module.css';

/** How well an order was solved, by whoever asked. */
export function RateForm({ row, of, onClose, onDone }: ActionProps<WorkOrderRow, typeof rate>): ReactNode {
  const { t } = useTranslation();
  const name = useId();
  const form = useEndpointForm(of, {
    initialValues: { id: row.orderID, stars: 0, text: '' },
    draft: false,
    reasons: { stars: t('work-orders.rate.choose') },
    onDone: () => {
      onDone();
      onClose();
    },
  });
  const chosen = form.values.stars;
  const error = form.errorOf('stars');
  return (
    <FormDialog
      form={form}
      title={t('work-orders.rate.title')}
      opened
      onClose={onClose}
      submitLabel={t('work-orders.rate.send')}
    >
      <fieldset className={styles.stars} aria-describedby={error === undefined ? undefined : `${name}-error`}>
        <legend>{t('work-orders.rate.stars')}</legend>
        {Array.from({ length: MOST_STARS }, (_, place) => place + 1).map((stars) => (
          <label key={stars}>
            <input
              type="radio"
              name={name}
              className="visually-hidden"
              checked={chosen === stars}
              onChange={() => form.setValue('stars', stars)}
            />
            {stars <= chosen ? (
              <IconStarFilled size={32} aria-hidden="true" />
            ) : (
              <IconStar size={32} aria-hidden="true" />
            )}
            <span className="visually-hidden">{t('work-orders.rate.star', { count: stars })}</span>
          </label>
        ))}
      </fieldset>
      {error !== undefined && (
        <p id={`${name}-error`} className={styles.error}>
          {error}
        </p>
      )}
      <TextAreaField form={form} name="text" label={t('work-orders.rate.text')} />
    </FormDialog>
  );
}
