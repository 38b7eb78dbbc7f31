import type { ReactNode } from 'react';
import { CountryField } from '../blocks/form/country-field.tsx';
import type { EndpointForm } from '../blocks/form/endpoint-form.ts';
import { TextAreaField, TextField } from '../blocks/form/fields.tsx';
import { FieldRow } from '../blocks/form/form.tsx';

export interface OrganisationValues {
  name: string;
  country: string;
  email: string;
  phone: string;
  note: string;
}

/** The fields of an organisation that people enter. */
export function OrganisationFields<V extends OrganisationValues>({
  form,
}: {
  form: EndpointForm<V, 'organisations'>;
}): ReactNode {
  const fields = form as unknown as EndpointForm<OrganisationValues, 'organisations'>;
  return (
    <>
      <TextField form={fields} name="name" />
      <FieldRow>
        <CountryField form={fields} name="country" />
        <TextField form={fields} name="phone" />
      </FieldRow>
      <TextField form={fields} name="email" />
      <TextAreaField form={fields} name="note" />
    </>
  );
}
