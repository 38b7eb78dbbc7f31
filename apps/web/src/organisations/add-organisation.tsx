import {
  type add,
  newKinds,
  type OrganisationKind,
  parentKinds,
} from '@sonnenwarte/contract/organisations/organisations';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { FieldGroup, FieldRow } from '../blocks/form/form.tsx';
import { FormDialog } from '../blocks/form/form-dialog.tsx';
import { useOrganisations, useParentChoices } from './organisation-choices.ts';
import { OrganisationFields } from './organisation-fields.tsx';
import { type HandedOver, PasswordDialog } from './password-dialog.tsx';

type NewKind = (typeof newKinds)[number];

/** The kind that normally hangs under another. */
const usualBelow = {
  platform: 'distributor',
  distributor: 'agent',
  agent: 'installer',
} as const satisfies Partial<Record<OrganisationKind, NewKind>>;

const kindBelow = (kind: OrganisationKind | undefined): NewKind =>
  kind === undefined || kind === 'installer' ? 'installer' : usualBelow[kind];

/** A new organisation with the account that leads it. */
export function AddOrganisation(props: ActionProps<{ id: string | undefined }, typeof add>): ReactNode {
  const { row, of, onClose } = props;
  const { t } = useTranslation();
  const choices = useParentChoices();
  const organisations = useOrganisations();
  const parent = organisations.find(({ id }) => id === row.id);
  const [made, setMade] = useState<HandedOver>();
  const form = useEndpointForm(of, {
    initialValues: {
      kind: kindBelow(parent?.kind) as NewKind,
      parentId: parent === undefined || parent.kind === 'installer' ? '' : parent.id,
      name: '',
      country: '',
      email: '',
      phone: '',
      note: '',
      user: '',
      accountEmail: '',
      accountName: '',
    },
    draft: row.id ?? 'new',
    onDone: ({ user, password }) => setMade({ user, password }),
  });
  if (made !== undefined) return <PasswordDialog {...made} onClose={onClose} />;
  const possible = choices(parentKinds[form.values.kind]);
  return (
    <FormDialog
      form={form}
      opened
      onClose={onClose}
      title={t('organisations.add.title')}
      submitLabel={t('organisations.action.add')}
    >
      <FieldGroup title={t('organisations.add.organisation')}>
        <FieldRow>
          <SelectField
            form={form}
            name="kind"
            options={newKinds.map((value) => ({ value, label: t(`organisations.kind.${value}`) }))}
          />
          <SelectField
            form={form}
            name="parentId"
            label={t('organisations.field.parent')}
            options={possible}
            placeholder={t('organisations.add.parent')}
          />
        </FieldRow>
        <OrganisationFields form={form} />
      </FieldGroup>
      <FieldGroup title={t('organisations.add.account')}>
        <p>{t('organisations.add.accountMeaning')}</p>
        <FieldRow>
          <TextField form={form} name="user" />
          <TextField form={form} name="accountName" />
        </FieldRow>
        <TextField form={form} name="accountEmail" />
      </FieldGroup>
    </FormDialog>
  );
}
