import type { Site } from '@sonnenwarte/contract/sites/site';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../blocks/show/panel.tsx';
import { type Property, PropertyList } from '../blocks/show/property-list.tsx';
import { priceLimits } from '../format/price-limits.ts';
import { useFormat } from '../format/use-format.ts';

const POSITION_DECIMALS = 4;

/** What is written down of a plant. */
export function SiteInfoPanel({ site }: { site: Site }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = (day: string | null): string | null =>
    day && /^\d{4}-\d{2}-\d{2}/.test(day) ? format.day(day.slice(0, 10)) : null;
  const position = site.position
    ? `${format.number(site.position.latitude, POSITION_DECIMALS)}, ${format.number(site.position.longitude, POSITION_DECIMALS)}`
    : null;
  const contact = (who: Site['user']): string =>
    [who.name, who.phone, who.email].filter((each) => each !== '').join(' · ');
  const priceText = (now: string | null, periods: Site['purchasePeriods']): string => {
    if (periods === null) return format.price(now, site.currency);
    const limits = priceLimits(periods).map((price) => format.price(price, site.currency));
    return `${limits.join(' – ')}, ${t('sites.money.now', { price: format.unitPrice(now, site.currency) })}`;
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
    { label: t('sites.field.purchasePrice'), value: priceText(site.purchasePrice, site.purchasePeriods) },
    { label: t('sites.field.commissionedOn'), value: calendar(site.commissionedOn) },
    { label: t('sites.field.gridConnectedOn'), value: calendar(site.gridConnectedOn) },
    { label: t('sites.field.owner'), value: contact(site.user) || site.owner },
    { label: t('sites.field.installer'), value: contact(site.installerContact) || site.installer },
  ];
  return (
    <Panel title={t('sites.section.info')}>
      <PropertyList items={items} />
    </Panel>
  );
}
