import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CountryField } from '../blocks/form/country-field.tsx';
import { CheckField, SelectField, TextField } from '../blocks/form/fields.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { shownZone } from '../user-center/time-zones.ts';
import type { Position } from './mercator.ts';
import { PinMap } from './pin-map.tsx';
import { PlaceSearch } from './place-search.tsx';
import type { SiteForm } from './sections.ts';
import styles from './site-form.module.css';
import type { SiteValues, Typed } from './site-values.ts';
import { usePlaceFill } from './use-place-fill.ts';

const isWithin = (value: Typed, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most;

function positionOf({ position: { latitude, longitude } }: SiteValues): Position | undefined {
  return isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined;
}

/** Where the plant is: found by name, by the pin, or typed. */
export function PlaceSection({ form }: { form: SiteForm }): ReactNode {
  const { t } = useTranslation();
  const { values } = form;
  const [first] = useState({ country: values.country, city: values.city, ianaTimezone: values.ianaTimezone });
  const pin = usePlaceFill(form, first);
  const zones = useMemo(() => {
    const known = Intl.supportedValuesOf('timeZone');
    const all =
      values.ianaTimezone === '' || known.includes(values.ianaTimezone) ? known : [values.ianaTimezone, ...known];
    return all.map((value) => ({ value, label: shownZone(value) }));
  }, [values.ianaTimezone]);
  return (
    <div className={styles.place}>
      <PlaceSearch onChoose={pin.choose} />
      <div className={styles.placeFields}>
        <div className={styles.fields}>
          <CountryField form={form} name="country" />
          <TextField form={form} name="city" />
          <TextField form={form} name="address" />
          <TextField form={form} name="postcode" />
          <NumberField form={form} name="position.latitude" unit="°" required={false} />
          <NumberField form={form} name="position.longitude" unit="°" required={false} />
        </div>
        <div className={styles.fields}>
          <SelectField form={form} name="ianaTimezone" options={zones} />
          <CheckField form={form} name="summerTime" hint={t('site-form.place.summerTimeHint')} />
        </div>
      </div>
      <div className={styles.mapSide}>
        <PinMap position={positionOf(values)} name={pin.name} onPut={pin.put} />
        {pin.error !== undefined && <ErrorNotice error={pin.error} keepsShown />}
      </div>
    </div>
  );
}
