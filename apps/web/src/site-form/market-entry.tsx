import type { Result } from '@sonnenwarte/contract/endpoint';
import { marketSources } from '@sonnenwarte/contract/market-prices/market-prices';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../blocks/form/fields.tsx';
import { NumberField } from '../blocks/form/number-field.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import type { SiteForm } from './sections.ts';
import styles from './tariff-entry.module.css';

type Market = Result<typeof marketSources>['sources'][number];

const CENT = 0.01;
/** Of no other currency the hundredth is what suppliers name. */
const CENTS_OF = 'EUR';

/** Markets whose prices a tariff can follow. */
export const useMarkets = (): readonly Market[] => useQuery(read(marketSources, {})).data?.sources ?? [];

interface MarketEntryProps {
  form: SiteForm;
  markets: readonly Market[];
}

/** A market that the price of purchase follows, with what comes on top. */
export function MarketEntry({ form, markets }: MarketEntryProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { purchaseMarket, currency, ianaTimezone } = form.values;
  const chosen = markets.find(({ zone }) => zone === purchaseMarket.zone);
  const offered = markets.filter(({ zone, isRead }) => isRead || zone === purchaseMarket.zone);
  const sign = format.currencySign(currency) || t('site-form.field.currency');
  const inCents = currency === CENTS_OF;
  return (
    <>
      <div className={styles.fields}>
        <SelectField
          form={form}
          name="purchaseMarket.zone"
          label={t('site-form.price.market.zone')}
          options={offered.map(({ zone }) => ({ value: zone, label: zone }))}
          required
        />
        <NumberField form={form} name="purchaseMarket.vat" label={t('site-form.price.market.vat')} unit="%" required />
        <NumberField
          key={inCents ? 'cents' : 'whole'}
          form={form}
          name="purchaseMarket.markup"
          label={t('site-form.price.market.markup')}
          unit={inCents ? 'ct/kWh' : `${sign}/kWh`}
          holds={inCents ? CENT : 1}
          required
        />
      </div>
      <p className={styles.hint}>
        {t('site-form.price.market.hint')} {chosen && <Known market={chosen} timeZone={ianaTimezone} />}
      </p>
    </>
  );
}

/** How far the prices of a market are known. */
function Known({ market, timeZone }: { market: Market; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { knownUntilMs, isRead } = market;
  if (knownUntilMs === null) return t('site-form.price.market.noneKnown');
  const until = t('site-form.price.market.knownUntil', { time: format.plantTime(knownUntilMs, timeZone) });
  return isRead ? until : `${until} ${t('site-form.price.market.notRead')}`;
}
