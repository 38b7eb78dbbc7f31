import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { list } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { LoadingSkeleton, Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { HomeClaims } from '../device-claims/home-claims.tsx';
import { useFormat } from '../format/use-format.ts';
import { PreliminaryCount } from '../sites/preliminary.tsx';
import { EstimatedSums } from './estimated-sums.tsx';
import styles from './fleet.module.css';
import { HomePending } from './home-pending.tsx';
import { FLEET_INTERVAL_S, useFleetNow } from './use-fleet-now.ts';
import { StateTiles, Verdict } from './verdict.tsx';

const REFRESH_MS = 30_000;
const W_PER_KW = 1000;
const severity = { fault: 0, alarm: 1, offline: 2, normal: 3 } as const;

/** Home of who looks after plants: what is wrong and where, then what the plants give. */
export function FleetHome(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { fleet, broken, error, retry } = useFleetNow();
  if (!fleet) return <HomePending error={error} retry={retry} />;
  const { plants } = fleet;
  const installedCapacity = fleet.installedCapacity ?? 0;
  const share =
    fleet.pvPowerW === null || installedCapacity <= 0 ? null : (100 * fleet.pvPowerW) / (installedCapacity * W_PER_KW);
  const perKwp = fleet.todayWh === null || installedCapacity <= 0 ? null : fleet.todayWh / installedCapacity;
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{t('routes.bus-index')}</h1>
        <Freshness asOfMs={fleet.asOfMs} intervalS={FLEET_INTERVAL_S} />
      </header>
      {plants.total === 0 ? (
        <EmptyState text={t('fleet.noPlants')} />
      ) : (
        <>
          <Panel>
            <div className={styles.state}>
              <Verdict
                counts={plants}
                asOfMs={broken ? fleet.asOfMs : undefined}
                text={(count, texts) => t('fleet.attention', { count, ...texts })}
                textThen={(texts) => t('fleet.then.plants', texts)}
              />
              <StateTiles
                label={t('fleet.plants')}
                counts={plants}
                target={(state) => ({ to: 'plant-view', query: { 'condition.state': state } })}
              />
            </div>
          </Panel>
          <HomeClaims />
          <PreliminaryCount of="plants" count={fleet.preliminary} total={plants.total} />
          <KeyFigures>
            <KeyFigure
              label={t('fleet.powerNow')}
              {...format.powerQuantity(fleet.pvPowerW)}
              tone="pv"
              late={broken}
              note={
                fleet.reporting < plants.total
                  ? t('fleet.reporting', { number: format.number(fleet.reporting), total: format.number(plants.total) })
                  : share === null
                    ? undefined
                    : t('fleet.share', { percent: format.percent(share) })
              }
            />
            <KeyFigure
              label={t('fleet.today')}
              {...format.energyQuantity(fleet.todayWh)}
              tone="pv"
              late={broken}
              note={perKwp === null ? undefined : t('fleet.perKwp', { value: format.energy(perKwp) })}
            />
            <KeyFigure label={t('fleet.month')} {...format.energyQuantity(fleet.monthWh)} tone="brand" />
            <KeyFigure label={t('fleet.total')} {...format.energyQuantity(fleet.totalWh)} tone="brand" />
            <KeyFigure label={t('fleet.installed')} {...format.capacityQuantity(installedCapacity, 1)} tone="grid" />
          </KeyFigures>
          <EstimatedSums fleet={fleet} />
          {plants.total > plants.normal && <NotNormal />}
        </>
      )}
    </div>
  );
}

/** The plants that are not normal, the worst first. */
function NotNormal(): ReactNode {
  const { t } = useTranslation();
  const sort = { field: 'updatedAtMs', order: 'desc' } as const;
  const abnormal = useQuery({ ...read(list, { condition: { status: 2 }, sort }), refetchInterval: REFRESH_MS });
  const offline = useQuery({ ...read(list, { condition: { status: 3 }, sort }), refetchInterval: REFRESH_MS });
  const rows = [...(abnormal.data?.plants ?? []), ...(offline.data?.plants ?? [])].sort(
    (a, b) => severity[a.state] - severity[b.state],
  );
  const failed = abnormal.error ? abnormal : offline.error ? offline : undefined;
  return (
    <Panel title={t('fleet.notNormal')} actions={<ScreenLink to="plant-view">{t('fleet.openList')}</ScreenLink>}>
      {failed && <ErrorNotice error={failed.error} retry={() => void failed.refetch()} keepsShown={rows.length > 0} />}
      {rows.length === 0 && !failed && (
        <LoadingSkeleton>
          <Skeleton height="6rem" />
        </LoadingSkeleton>
      )}
      <ul className={styles.rows} data-ages>
        {rows.map((row) => (
          <PlantLine key={row.stationID} row={row} />
        ))}
      </ul>
    </Panel>
  );
}

function PlantLine({ row }: { row: SiteRow }): ReactNode {
  const format = useFormat();
  return (
    <li>
      <ScreenLink to="plant-detail" query={{ id: row.stationID }} className={styles.row}>
        <StatusTag state={row.state} />
        <span className={styles.name}>
          <strong>{row.name}</strong>
          <small>{[row.city, format.country(row.country)].filter((each) => each !== '').join(', ')}</small>
        </span>
        <span className={styles.amount}>{format.capacity(row.systemCapacity, 1)}</span>
        <Freshness asOfMs={row.updatedAtMs} intervalS={row.intervalS} offline={row.state === 'offline'} />
      </ScreenLink>
    </li>
  );
}
