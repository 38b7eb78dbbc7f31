import { siteTypes } from '@sonnenwarte/contract/sites/site';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../blocks/form/date-field.tsx';
import { SelectField, TextField } from '../blocks/form/fields.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { RecordField } from '../blocks/form/record-field.tsx';
import { useFormat } from '../format/use-format.ts';
import { useOrganisationSource } from '../organisations/organisation-source.ts';
import type { SiteForm } from './sections.ts';
import styles from './site-form.module.css';
import { kWpOf } from './site-values.ts';

const WATTS_PER_KILOWATT = 1000;

/** What the plant is. */
export function PlantSection({ form, withOrganisation }: { form: SiteForm; withOrganisation: boolean }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { arrays } = form.values;
  return (
    <div className={styles.fields}>
      <TextField form={form} name="name" />
      <SelectField
        form={form}
        name="type"
        options={siteTypes.map((value) => ({ value, label: t(`sites.type.${value}`) }))}
      />
      <DateField form={form} name="commissionedOn" />
      <DateField form={form} name="gridConnectedOn" />
      <NumberField form={form} name="ratedPowerW" unit="kW" holds={WATTS_PER_KILOWATT} />
      {arrays.length === 0 ? (
        <NumberField form={form} name="systemCapacity" unit={format.kWpUnit} required={false} />
      ) : (
        <p className={styles.fixed}>
          <span>{t('site-form.field.systemCapacity')}</span>
          <strong>{format.capacity(kWpOf(arrays), 2)}</strong>
          <span>{t('site-form.array.sumHint')}</span>
        </p>
      )}
      {withOrganisation && <OrganisationField form={form} />}
    </div>
  );
}

function OrganisationField({ form }: { form: SiteForm }): ReactNode {
  const source = useOrganisationSource({ enabled: true });
  return <RecordField form={form} name="organisationID" source={source} />;
}
