import type { UnitRow, unitWarranty } from '@sonnenwarte/contract/factory/units';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { DateField } from '../blocks/form/date-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';

/** Sets on which day the warranty of a unit begins, or leaves that to its term again. */
export function UnitWarrantyForm({ row, of, onClose }: ActionProps<UnitRow, typeof unitWarranty>): ReactNode {
  const { t } = useTranslation();
  const { sn, deliveredOn, warrantyFrom, warrantySet } = row;
  const text = t('factory.units.warrantyDay');
  const form = useEndpointForm(of, {
    initialValues: { beginsOn: warrantySet ? (warrantyFrom ?? '') : '' },
    draft: sn,
    prepare: ({ beginsOn }) => ({ sn, beginsOn: beginsOn === '' ? null : beginsOn }),
    onDone: onClose,
    check: ({ beginsOn }) =>
      beginsOn !== '' && deliveredOn !== null && beginsOn < deliveredOn ? { beginsOn: text } : {},
    reasons: { beginsOn: { wrong: text } },
  });
  return (
    <FormDialog
      form={form}
      title={t('factory.units.warrantyTitle', { name: sn })}
      opened
      onClose={onClose}
      submitLabel={t('factory.save')}
    >
      <p>{t('factory.units.warrantyLead')}</p>
      <DateField form={form} name="beginsOn" required={false} />
    </FormDialog>
  );
}
