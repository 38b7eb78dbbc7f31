import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DateField } from '../blocks/form/date-field.tsx';
import { Segmented } from '../blocks/form/segmented.tsx';
import { localDay } from '../format/dates.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { CurrencyField } from './currency-field.tsx';
import { priceEffectOf } from './price-effect.ts';
import type { SiteForm } from './sections.ts';
import styles from './site-form.module.css';
import { type PriceValidity, pricesChanged, type SiteRecord } from './site-values.ts';
import { TariffEntry } from './tariff-entry.tsx';
import { TariffList } from './tariff-list.tsx';

const MINUTE_MS = 60_000;

const validities = ['now', 'beginning', 'day'] as const satisfies readonly PriceValidity[];

/** What energy costs and earns; a plant that is edited is also asked from when on. */
export function PricesSection({ form, site }: { form: SiteForm; site: SiteRecord | undefined }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { values } = form;
  const now = useNow(MINUTE_MS);
  const today = site === undefined ? '' : localDay(now, site.ianaTimezone);
  const isComing = values.priceValidity === 'day' && values.priceValidFrom > today;
  const isPast = values.priceValidity !== 'now' && !isComing;
  const effect = priceEffectOf(values, site?.tariffs ?? []);
  const until = effect.until === undefined ? undefined : format.day(effect.until);
  const changed = site !== undefined && pricesChanged(values, site);
  return (
    <div className={styles.prices}>
      <TariffEntry form={form} of="purchase" />
      <TariffEntry form={form} of="feedIn" />
      <div className={styles.currency}>
        <CurrencyField form={form} />
      </div>
      {changed && (
        <div className={styles.validity}>
          <span className={styles.ask}>{t('site-form.price.validFrom')}</span>
          <Segmented
            label={t('site-form.price.validFrom')}
            value={values.priceValidity}
            onChange={(next) => form.setValue('priceValidity', next)}
            options={validities.map((value) => ({ value, label: t(`site-form.price.validity.${value}`) }))}
          />
          {values.priceValidity === 'day' && <DateField form={form} name="priceValidFrom" required />}
          {effect.replaces.map((day) => (
            <strong key={day} className={styles.replaces}>
              {day === null
                ? t('site-form.price.effect.replacesBeginning')
                : t('site-form.price.effect.replaces', { day: format.day(day) })}
            </strong>
          ))}
          {until !== undefined && isPast ? (
            <p className={styles.hint}>{t('site-form.price.effect.pastUntil', { day: until })}</p>
          ) : (
            <p className={styles.hint}>
              {t(`site-form.price.meaning.${isComing ? 'coming' : values.priceValidity}`)}{' '}
              {until !== undefined && t('site-form.price.effect.until', { day: until })}
            </p>
          )}
        </div>
      )}
      {site !== undefined && !changed && site.pricesSince !== null && (
        <p className={styles.hint}>{t('site-form.price.since', { day: format.day(site.pricesSince) })}</p>
      )}
      {site !== undefined && <TariffList site={site} />}
    </div>
  );
}
