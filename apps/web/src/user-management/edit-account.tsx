import type { Result } from '@sonnenwarte/contract/endpoint';
import { type AccountRow, detail, type edit } from '@sonnenwarte/contract/user-management/user-management';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CountryField } from '../blocks/form/country-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { ReadFirst } from '../blocks/overlay/read-first.tsx';
import { read } from '../client/queries.ts';

export function EditAccount({ row, of, onClose }: ActionProps<AccountRow, typeof edit>): ReactNode {
  const { id, user } = row;
  const { t } = useTranslation();
  const account = useQuery({ ...read(detail, { id }), gcTime: 0 });
  return (
    <ReadFirst query={account} onClose={onClose} shape="drawer" title={t('user-management.edit.title', { user })}>
      {(known) => <EditForm account={known} of={of} onClose={onClose} />}
    </ReadFirst>
  );
}

interface EditFormProps extends Pick<ActionProps<AccountRow, typeof edit>, 'of' | 'onClose'> {
  account: Result<typeof detail>;
}

function EditForm({ account, of, onClose }: EditFormProps): ReactNode {
  const { t } = useTranslation();
  const { id, user, name, email, phone, country, city, address, postcode, note } = account;
  const form = useEndpointForm(of, {
    initialValues: { id, name, email, phone, country, city, address, postcode, note },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('user-management.edit.title', { user })}
      submitLabel={t('organisations.edit.submit')}
    >
      <FieldRow>
        <TextField form={form} name="name" />
        <TextField form={form} name="phone" />
      </FieldRow>
      <TextField form={form} name="email" />
      <TextField form={form} name="address" />
      <FieldRow>
        <TextField form={form} name="postcode" />
        <TextField form={form} name="city" />
      </FieldRow>
      <CountryField form={form} name="country" />
      <TextAreaField form={form} name="note" />
    </FormDialog>
  );
}
