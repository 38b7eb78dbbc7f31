import type { DocumentRow, edit } from '@sonnenwarte/contract/documents/documents';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { DocumentFields, sentOf, valuesOf } from './document-fields.tsx';

export function DocumentEditForm({ row, of, onClose }: ActionProps<DocumentRow, typeof edit>): ReactNode {
  const { t } = useTranslation();
  const form = useEndpointForm(of, {
    initialValues: valuesOf(row),
    draft: row.documentID,
    prepare: sentOf,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('documents.editTitle', { name: row.name })}
      opened
      wide
      onClose={onClose}
      submitLabel={t('documents.save')}
    >
      <DocumentFields form={form} path="" />
    </FormDialog>
  );
}
