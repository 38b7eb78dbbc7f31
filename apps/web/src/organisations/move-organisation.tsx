import { type move, type OrganisationRow, parentKinds } from '@sonnenwarte/contract/organisations/organisations';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField } from '../blocks/form/fields.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { useParentChoices } from './organisation-choices.ts';

export function MoveOrganisation({ row, of, onClose }: ActionProps<OrganisationRow, typeof move>): ReactNode {
  const { t } = useTranslation();
  const choices = useParentChoices();
  const form = useEndpointForm(of, {
    initialValues: { id: row.id, parentId: row.parentId ?? '' },
    onDone: onClose,
  });
  const kinds = row.kind === 'platform' ? [] : parentKinds[row.kind];
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('organisations.move.title', { name: row.name })}
      submitLabel={t('organisations.move.submit')}
    >
      <p>{t('organisations.move.meaning')}</p>
      <SelectField
        form={form}
        name="parentId"
        label={t('organisations.field.parent')}
        options={choices(kinds)}
        placeholder={t('organisations.add.parent')}
      />
    </FormDialog>
  );
}
