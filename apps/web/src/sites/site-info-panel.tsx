import type { Site } from '@sonnenwarte/contract/sites/site';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { type Property, PropertyList } from '../blocks/show/property-list.tsx';
import { priceLimits } from '../format/price-limits.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './sites.module.css';

/** Whom to ask; a telephone number stays on one line. */
function Contact({ who, orElse }: { who: Site['user']; orElse: string }): ReactNode {
  const known = [...new Set([who.name, who.phone, who.email])].filter((each) => each !== '');
  if (known.length === 0) return orElse === '' ? NOT_MEASURED : orElse;
  return known.map((each, index) => (
    <Fragment key={each}>
      {index > 0 && ' · '}
      {each === who.phone ? <span className={styles.whole}>{each}</span> : each}
    </Fragment>
  ));
}

/** What is written down of a plant. */
export function SiteInfoPanel({ site }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = (day: string | null): string | null =>
    day && /^\d{4}-\d{2}-\d{2}/.test(day) ? format.day(day.slice(0, 10)) : null;
  const position = site.position && format.position(site.position);
  const priceText = (now: string | null, periods: Site['purchasePeriods']): string => {
    if (periods === null) return format.price(now, site.currency);
    const limits = priceLimits(periods).map((price) => format.price(price, site.currency));
    return `${limits.join(' – ')}, ${t('sites.money.now', { price: format.price(now, site.currency) })}`;
  };
  const purchaseText = (): string => {
    if (site.purchaseMarket === null) return priceText(site.purchasePrice, site.purchasePeriods);
    const now =
      site.purchasePrice === null
        ? t('sites.money.notKnown')
        : t('sites.money.now', { price: format.price(site.purchasePrice, site.currency) });
    return t('sites.money.dynamic', { zone: site.purchaseMarket.zone, now });
  };
  const items: Property[] = [
    { label: t('sites.field.type'), value: t(`sites.type.${site.type}`) },
    {
      label: t('sites.field.address'),
      value: [
        site.address,
        [site.postcode, site.city].filter((each) => each !== '').join(' '),
        format.country(site.country),
      ]
        .filter((each) => each !== '')
        .join(', '),
    },
    { label: t('sites.field.position'), value: position },
    { label: t('sites.field.ianaTimezone'), value: site.ianaTimezone },
    {
      label: t('sites.field.systemCapacity'),
      value: format.capacity(site.systemCapacity, 2),
    },
    { label: t('sites.field.ratedPowerW'), value: format.power(site.ratedPowerW) },
    { label: t('sites.field.batteryCapacityWh'), value: format.energy(site.batteryCapacityWh) },
    { label: t('sites.field.price'), value: priceText(site.price, site.feedInPeriods) },
    { label: t('sites.field.purchasePrice'), value: purchaseText() },
    { label: t('sites.field.commissionedOn'), value: calendar(site.commissionedOn) },
    { label: t('sites.field.gridConnectedOn'), value: calendar(site.gridConnectedOn) },
    { label: t('sites.field.owner'), value: <Contact who={site.user} orElse={site.owner} /> },
    { label: t('sites.field.installer'), value: <Contact who={site.installerContact} orElse={site.installer} /> },
  ];
  return (
    <Panel title={t('sites.section.info')}>
      <PropertyList items={items} />
    </Panel>
  );
}
