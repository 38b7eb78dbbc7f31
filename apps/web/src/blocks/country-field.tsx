import { useTranslation } from 'react-i18next';
import { useCountryChoices } from './country-choices.ts';
import { type FieldProps, SelectField } from './fields.tsx';

/** A country by its ISO 3166-1 alpha-2 code. */
export function CountryField<V extends object>(props: FieldProps<V>) {
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
