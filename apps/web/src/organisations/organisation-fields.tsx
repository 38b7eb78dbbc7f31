import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryField } from '../blocks/country-field.tsx';
import type { EndpointForm } from '../blocks/endpoint-form.ts';
import { TextAreaField, TextField } from '../blocks/fields.tsx';
import { FieldRow } from '../blocks/form.tsx';

export interface OrganisationValues {
  name: string;
  country: string;
  email: string;
  phone: string;
  note: string;
}

/** The fields of an organisation that people enter. */
export function OrganisationFields<V extends OrganisationValues>({ form }: { form: EndpointForm<V> }): ReactNode {
  const { t } = useTranslation();
  const fields = form as unknown as EndpointForm<OrganisationValues>;
  return (
    <>
      <TextField form={fields} name="name" label={t('organisations.field.name')} maxLength={32} />
      <FieldRow>
        <CountryField form={fields} name="country" label={t('organisations.field.country')} />
        <TextField form={fields} name="phone" type="tel" label={t('organisations.field.phone')} maxLength={32} />
      </FieldRow>
      <TextField form={fields} name="email" type="email" label={t('organisations.field.email')} maxLength={254} />
      <TextAreaField form={fields} name="note" label={t('organisations.field.note')} maxLength={500} />
    </>
  );
}
