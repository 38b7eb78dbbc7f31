import type { ManufacturerRow, manufacturerAdd, manufacturerEdit } from '@sonnenwarte/contract/factory/manufacturers';
import type { ReactNode } from 'react';
import type { ActionProps } from '../blocks/actions/actions.tsx';
import { CountryField } from '../blocks/form/country-field.tsx';
import { type EndpointForm, useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';
import { AddDialog, EditDialog, NoteField } from './form-parts.tsx';

interface ManufacturerValues {
  name: string;
  country: string;
  contact: string;
  note: string;
}

const fresh: ManufacturerValues = { name: '', country: '', contact: '', note: '' };

export function ManufacturerAddForm({ of, onClose, words }: ActionProps<undefined, typeof manufacturerAdd>): ReactNode {
  const form = useEndpointForm(of, { initialValues: fresh, draft: 'new', onDone: onClose });
  return (
    <AddDialog form={form} label={words.label} onClose={onClose}>
      <Fields form={form} />
    </AddDialog>
  );
}

export function ManufacturerEditForm({
  row,
  of,
  onClose,
}: ActionProps<ManufacturerRow, typeof manufacturerEdit>): ReactNode {
  const { manufacturerID, name, country, contact, note } = row;
  const form = useEndpointForm(of, {
    initialValues: { name, country, contact, note } satisfies ManufacturerValues,
    draft: manufacturerID,
    prepare: (values) => ({ ...values, manufacturerID }),
    onDone: onClose,
  });
  return (
    <EditDialog form={form} name={name} onClose={onClose}>
      <Fields form={form} />
    </EditDialog>
  );
}

function Fields({ form }: { form: EndpointForm<ManufacturerValues, 'factory'> }): ReactNode {
  return (
    <>
      <TextField form={form} name="name" />
      <FieldRow>
        <CountryField form={form} name="country" required={false} />
        <TextField form={form} name="contact" required={false} />
      </FieldRow>
      <NoteField form={form} />
    </>
  );
}
