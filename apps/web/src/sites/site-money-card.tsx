import { money } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from '../blocks/overlay/hint.tsx';
import { QualityMark } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './site-money-card.module.css';

const REFRESH_MS = 60_000;
const rows = ['without', 'saved', 'paid', 'earned'] as const;

/** Today's money: what the plant saved and earned, and what was paid all the same. Each says how it was worked out. */
export function SiteMoneyCard({ stationID, timeZone }: { stationID: string; timeZone: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({ ...read(money, { stationID }), refetchInterval: REFRESH_MS });
  if (data === undefined) return null;
  const { purchase, untilMs, isPurchaseUnknown } = data.priceNow;
  const price = format.spokenPrice(purchase, data.currency);
  const known =
    purchase !== null &&
    (untilMs === null
      ? t('sites.money.priceNow', { price })
      : t('sites.money.priceNowUntil', { price, time: format.time(untilMs, timeZone) }));
  const priceNow = isPurchaseUnknown ? t('sites.money.priceNowUnknown') : known;
  const shown = rows.filter((row) => data[row] !== null);
  if (shown.length === 0) {
    if (data.isPartUnknown) return <p className={styles.none}>{t('sites.money.unknownToday')}</p>;
    return data.hasPrices ? null : <p className={styles.none}>{t('sites.money.noPrices')}</p>;
  }
  return (
    <Panel title={t('sites.section.money')} actions={priceNow && <span className={styles.none}>{priceNow}</span>}>
      <dl className={styles.money} data-ages>
        {shown.map((row) => (
          <div key={row} data-row={row}>
            <dt>
              <Hint text={t(`sites.money.hint.${row}`)}>{t(`sites.money.${row}`)}</Hint>
            </dt>
            <dd>
              {format.money(data[row], data.currency)}
              <QualityMark quality={data.quality} />
            </dd>
          </div>
        ))}
      </dl>
      {data.isPartUnknown && <p className={styles.none}>{t('sites.money.unknownToday')}</p>}
    </Panel>
  );
}
