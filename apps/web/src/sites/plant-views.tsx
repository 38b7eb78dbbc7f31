import { IconList, IconMap } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import type { Query } from '../router/query.ts';
import { useTab } from '../tabs/tab-context.ts';
import styles from './plant-views.module.css';

const views = [
  { to: 'plant-view', says: 'sites.view.list', Icon: IconList },
  { to: 'plant-map', says: 'sites.view.map', Icon: IconMap },
] as const;

/** Filters of an address: what list and map have in common. How the map is coloured goes along, so that it is so again on the way back. */
export const filtersIn = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([key]) => key.startsWith('condition.') || key === 'colour'));

/** The same plants as a list or on the map; the filters go along. */
export function PlantViews(): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  const { name, query } = useTab();
  return (
    <nav className={styles.views} aria-label={t('sites.view.label')}>
      {views.map(({ to, says, Icon }) => (
        <ScreenLink
          key={to}
          to={to}
          query={filtersIn(query)}
          className={styles.view}
          aria-current={name === to ? 'page' : undefined}
        >
          <Icon size={16} aria-hidden="true" />
          <span className={phone ? 'visually-hidden' : undefined}>{t(says)}</span>
        </ScreenLink>
      ))}
    </nav>
  );
}
