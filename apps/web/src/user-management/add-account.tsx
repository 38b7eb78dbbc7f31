import type { Level } from '@sonnenwarte/contract/levels';
import { organisationKinds, parentKinds } from '@sonnenwarte/contract/organisations/organisations';
import type { add } from '@sonnenwarte/contract/user-management/user-management';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CountryField } from '../blocks/form/country-field.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import { type HandedOver, PasswordDialog } from '../organisations/password-dialog.tsx';

const kindOfLevel = { 2: 'installer', 3: 'agent', 4: 'distributor' } as const;

interface Values {
  level: Level;
  organisationID: string;
  organisation: string;
  user: string;
  email: string;
  name: string;
  phone: string;
  country: string;
}

/** A new account; levels that have an organisation get one with it. */
export function AddAccount(props: ActionProps<{ levels: readonly Level[] }, typeof add>): ReactNode {
  const { row, of, onClose } = props;
  const { levels } = row;
  const { t } = useTranslation();
  const [made, setMade] = useState<HandedOver>();
  const initialValues: Values = {
    level: levels[0] ?? 1,
    organisationID: '',
    organisation: '',
    user: '',
    email: '',
    name: '',
    phone: '',
    country: '',
  };
  const form = useEndpointForm(of, {
    initialValues,
    prepare: ({ organisationID, organisation, ...values }) => ({
      ...values,
      ...(values.level !== 10 && values.level !== 255 && { organisationID }),
      ...((values.level === 2 || values.level === 3 || values.level === 4) && { organisation }),
    }),
    onDone: ({ user, password }) => setMade({ user, password }),
  });
  const { level } = form.values;
  const kind = level === 2 || level === 3 || level === 4 ? kindOfLevel[level] : undefined;
  const source = useOrganisationSource({
    kinds: kind === undefined ? organisationKinds.toReversed() : parentKinds[kind],
  });
  if (made !== undefined) return <PasswordDialog {...made} onClose={onClose} />;
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('user-management.add.title')}
      submitLabel={t('user-management.action.add')}
    >
      <SelectField form={form} name="level" options={levels.map((value) => ({ value, label: t(`levels.${value}`) }))} />
      {kind === undefined && level !== 1 && <p>{t('user-management.add.platform')}</p>}
      {kind !== undefined && <p>{t('user-management.add.makesOrganisation')}</p>}
      {kind !== undefined && (
        <TextField form={form} name="organisation" label={t('user-management.field.newOrganisation')} required />
      )}
      {(kind !== undefined || level === 1) && (
        <RecordField
          form={form}
          name="organisationID"
          label={t(kind === undefined ? 'user-management.field.organisation' : 'user-management.field.parent')}
          source={source}
          required
        />
      )}
      <FieldRow>
        <TextField form={form} name="user" />
        <TextField form={form} name="name" />
      </FieldRow>
      <TextField form={form} name="email" />
      <FieldRow>
        <TextField form={form} name="phone" />
        <CountryField form={form} name="country" />
      </FieldRow>
    </FormDialog>
  );
}
