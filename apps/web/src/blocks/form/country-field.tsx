import { useTranslation } from 'react-i18next';
import { useCountryChoices } from './country-choices.ts';
import type { FieldName } from './endpoint-form.ts';
import type { FieldProps } from './field-frame.tsx';
import { SelectField } from './fields.tsx';

/** A country by its ISO 3166-1 alpha-2 code. */
export function CountryField<V extends object, F extends string, N extends FieldName<V>>(props: FieldProps<V, F, N>) {
  const { t } = useTranslation();
  const options = useCountryChoices();
  const value = props.form.valueOf(props.name);
  const known = options.length > 0 || typeof value !== 'string' || value === '';
  return (
    <SelectField
      {...props}
      options={known ? options : [{ value, label: value }]}
      placeholder={t('blocks.chooseCountry')}
      autoComplete="country"
    />
  );
}
