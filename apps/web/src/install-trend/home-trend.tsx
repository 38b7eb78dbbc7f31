import { trend } from '@sonnenwarte/contract/install-trend/install-trend';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { read } from '../client/queries.ts';
import { addMonths, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useGroupName } from './group-name.ts';
import { TrendBars } from './trend-bars.tsx';

const MONTHS = 12;

/** How the fleet grew over the last year, with the way to all of it. */
export function HomeTrend(): ReactNode {
  const { t } = useTranslation();
  const nameOf = useGroupName();
  const month = localDay(Date.now(), localZone()).slice(0, 7);
  const first = addMonths(`${month}-01`, 1 - MONTHS).slice(0, 7);
  const query = useQuery(read(trend, { condition: { by: 'country', first, last: month } }));
  return (
    <Panel
      title={t('routes.install-trend')}
      actions={<ScreenLink to="install-trend">{t('install-trend.open')}</ScreenLink>}
    >
      <ReadState query={query}>
        <Skeleton height="12rem" />
      </ReadState>
      {query.data?.groups.length === 0 && <p>{t('install-trend.noneInYear')}</p>}
      {query.data && query.data.groups.length > 0 && (
        <TrendBars
          trend={query.data}
          measure="plants"
          nameOf={(group) => nameOf('country', group)}
          heightPx={180}
          brief
        />
      )}
    </Panel>
  );
}
