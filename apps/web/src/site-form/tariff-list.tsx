import { dropTariff } from '@sonnenwarte/contract/site-form/site-form';
import type { KeptDayPrices } from '@sonnenwarte/contract/sites/day-prices';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { actionsOf } from '../blocks/actions/actions.tsx';
import { Can } from '../blocks/actions/can.tsx';
import { useActions } from '../blocks/actions/use-actions.tsx';
import { Button } from '../blocks/show/button.tsx';
import { priceLimits } from '../format/price-limits.ts';
import { useFormat } from '../format/use-format.ts';
import type { SiteRecord } from './site-values.ts';
import styles from './tariff-entry.module.css';

type Tariff = SiteRecord['tariffs'][number];
interface TariffRow extends Tariff {
  stationID: string;
  /** The day as it is shown. */
  name: string;
}

const { asks, table } = actionsOf<TariffRow>();

const tariffActions = table(
  'site-form',
  { nameOf: ({ name }) => name },
  {
    dropTariff: asks(dropTariff, ({ stationID, fromMs }) => ({ stationID, fromMs: fromMs ?? 0 }), {
      icon: IconTrash,
      danger: true,
    }),
  },
);

function DropButton({ tariff }: { tariff: TariffRow }): ReactNode {
  const actions = useActions(tariffActions);
  return (
    <>
      {actions.byName(tariff).map(({ name, action: { of, icon: Icon }, label, begin }) => (
        <Can key={name} of={of}>
          <Button small onClick={begin} aria-label={`${label}: ${tariff.name}`}>
            {Icon && <Icon size={16} aria-hidden="true" />} {label}
          </Button>
        </Can>
      ))}
      {/* The question is a form, and none may stand within another. */}
      {createPortal(actions.dialogs, document.body)}
    </>
  );
}

/** All prices of a plant with the day from which they are valid; all but those from the beginning can be taken back. */
export function TariffList({ site }: { site: SiteRecord }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (site.tariffs.length < 2) return null;
  const nameTariff = (tariff: Tariff): TariffRow => ({
    ...tariff,
    stationID: site.stationID,
    name:
      tariff.validFrom === null
        ? t('site-form.price.fromBeginning')
        : t('site-form.price.fromDay', { day: format.day(tariff.validFrom) }),
  });
  const priceText = (one: string | null, periods: KeptDayPrices | null, currency: string): string =>
    periods === null
      ? format.price(one, currency)
      : priceLimits(periods)
          .map((price) => format.price(price, currency))
          .join(' – ');
  return (
    <div>
      <span className={styles.name}>{t('site-form.price.all')}</span>
      <ul className={styles.list} aria-label={t('site-form.price.all')}>
        {site.tariffs.map(nameTariff).map((tariff) => (
          <li key={tariff.fromMs} className={styles.item} data-when={tariff.when}>
            <strong>{tariff.name}</strong>
            <span>
              {t('site-form.price.purchase')}{' '}
              {tariff.purchaseMarket === null
                ? priceText(tariff.purchasePrice, tariff.purchasePeriods, tariff.currency)
                : t('site-form.price.market.followed', { zone: tariff.purchaseMarket.zone })}
            </span>
            <span>
              {t('site-form.price.feedIn')} {priceText(tariff.price, tariff.feedInPeriods, tariff.currency)}
            </span>
            {tariff.when !== 'future' && <span>{t(`site-form.price.when.${tariff.when}`)}</span>}
            {tariff.fromMs !== null && <DropButton tariff={tariff} />}
          </li>
        ))}
      </ul>
    </div>
  );
}
