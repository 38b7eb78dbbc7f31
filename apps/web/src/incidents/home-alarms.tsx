import type { summary } from '@sonnenwarte/contract/incidents/incident-summary';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './home-alarms.module.css';

/** As the contract says, whose file would bring the causes of all alarms along. */
const call = { method: 'GET', path: '/c/v0/alarm/summary', feature: 'incidents' } as typeof summary;
const REFRESH_MS = 60_000;

/** How many alarms are open and wait for somebody, each with the way to them. */
export function HomeAlarms({ to, mine }: { to: RouteName; mine: boolean }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const counts = useQuery({ ...read(call, {}, { quiet: true }), refetchInterval: REFRESH_MS }).data?.counts;
  const views = ['open', 'unacknowledged', ...(mine ? (['mine'] as const) : [])] as const;
  return (
    <div className={styles.alarms}>
      <strong>{t('routes.alarm')}</strong>
      <ul aria-label={t('routes.alarm')} data-ages>
        {views.map((view) => (
          <li key={view}>
            <ScreenLink
              to={to}
              query={{ 'condition.view': view }}
              data-waits={(view !== 'open' && (counts?.[view] ?? 0) > 0) || undefined}
            >
              {t(`incidents.view.${view}`)} <b>{counts === undefined ? NOT_MEASURED : format.number(counts[view])}</b>
            </ScreenLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
