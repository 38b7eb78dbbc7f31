import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountries } from '../blocks/form/country-choices.ts';
import { SelectField } from '../blocks/form/fields.tsx';
import { useFormat } from '../format/use-format.ts';
import { currencyChoices } from './currency-choices.ts';
import { filling } from './fill-place.ts';
import type { SiteForm } from './sections.ts';

/** Fills in the currency of a country that was chosen since, where no other was chosen by hand. */
function useCurrencyOfCountry(form: SiteForm): void {
  const { values } = form;
  const countries = useCountries();
  const now = useRef(form);
  now.current = form;
  const begun = useRef(values.country);
  useEffect(() => {
    if (countries.length === 0 || values.country === begun.current) return;
    begun.current = values.country;
    const currency = countries.find(({ code }) => code === values.country)?.currency ?? '';
    const { change, filled } = filling({ currency }, now.current.values, now.current.values.filled);
    if (change.currency !== undefined) now.current.setValues({ ...change, filled });
  }, [countries, values.country]);
}

/** The currency of the prices: by its name, that of the country until another one is chosen. */
export function CurrencyField({ form }: { form: SiteForm }): ReactNode {
  const { t } = useTranslation();
  const { locale } = useFormat();
  const countries = useCountries();
  const { currency } = form.values;
  useCurrencyOfCountry(form);
  const options = useMemo(
    () => currencyChoices([currency, ...countries.map((country) => country.currency)], locale),
    [countries, currency, locale],
  );
  return <SelectField form={form} name="currency" options={options} description={t('site-form.price.currencyHint')} />;
}
