import type { edit, OrganisationRow } from '@sonnenwarte/contract/organisations/organisations';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { OrganisationFields } from './organisation-fields.tsx';

export function EditOrganisation({ row, of, onClose }: ActionProps<OrganisationRow, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const { id, name, country, email, phone, note } = row;
  const form = useEndpointForm(of, {
    initialValues: { id, name, country, email, phone, note },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('organisations.edit.title', { name })}
      submitLabel={t('organisations.edit.submit')}
    >
      <OrganisationFields form={form} />
    </FormDialog>
  );
}
