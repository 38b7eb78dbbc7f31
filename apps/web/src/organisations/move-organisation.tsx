import { type move, type OrganisationRow, parentKinds } from '@sonnenwarte/contract/organisations/organisations';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useOrganisationSource } from './organisation-source.ts';

export function MoveOrganisation({ row, of, onClose }: ActionProps<OrganisationRow, typeof move>): ReactNode {
  const { t } = useTranslation();
  const source = useOrganisationSource({ kinds: row.kind === 'platform' ? [] : parentKinds[row.kind] });
  const form = useEndpointForm(of, {
    initialValues: { id: row.id, parentID: row.parentID ?? '' },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('organisations.move.title', { name: row.name })}
      submitLabel={t('organisations.move.submit')}
    >
      <p>{t('organisations.move.meaning')}</p>
      <RecordField form={form} name="parentID" label={t('organisations.field.parent')} source={source} />
    </FormDialog>
  );
}
