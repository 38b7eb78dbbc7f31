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
import { RecordField } from '../blocks/form/record-field.tsx';
import { OrganisationFields } from './organisation-fields.tsx';
import { useOrganisationSource } from './organisation-source.ts';
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

/** Where the new one hangs to begin with; nowhere in particular without an id. */
export interface Above {
  id: string | undefined;
  kind?: OrganisationKind;
}

/** A new organisation with the account that leads it. */
export function AddOrganisation(props: ActionProps<Above, typeof add>): ReactNode {
  const { row, of, onClose } = props;
  const { t } = useTranslation();
  const [made, setMade] = useState<HandedOver>();
  const form = useEndpointForm(of, {
    initialValues: {
      kind: kindBelow(row.kind) as NewKind,
      parentID: row.kind === 'installer' ? '' : (row.id ?? ''),
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
  const source = useOrganisationSource({ kinds: parentKinds[form.values.kind] });
  if (made !== undefined) return <PasswordDialog {...made} onClose={onClose} />;
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
          <RecordField form={form} name="parentID" label={t('organisations.field.parent')} source={source} />
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
