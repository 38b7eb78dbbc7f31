import type { SiteRow } from '@sonnenwarte/contract/sites/site';
import { detail, list, money } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../blocks/form/select.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { openScreen, ScreenLink } from '../blocks/show/screen-link.tsx';
import { WhenIdle } from '../blocks/show/when-idle.tsx';
import { WhenNear } from '../blocks/show/when-near.tsx';
import { read } from '../client/queries.ts';
import { HomeClaims } from '../device-claims/home-claims.tsx';
import { HomeForecast } from '../forecast/forecast-part.ts';
import { useTellSeen } from '../handover/arrival.ts';
import { Preliminary } from '../sites/preliminary.tsx';
import { SiteFlowPanel } from '../sites/site-flow-panel.tsx';
import { SiteKeyFigures } from '../sites/site-key-figures.tsx';
import { SiteMoneyCard } from '../sites/site-money-card.tsx';
import { useSiteNow } from '../sites/use-site-now.ts';
import { Welcome } from '../welcome/welcome-part.ts';
import styles from './fleet.module.css';
import { HomePending } from './home-pending.tsx';
import { OwnerPast } from './owner-past-part.ts';
import { OwnerSentence } from './owner-sentence.tsx';

const REFRESH_MS = 60_000;
/** Who wants to see the curve has scrolled it in so far. */
const PAST_SEEN_PX = -80;

/** Home of a plant's owner: the plant itself, and whether all is well. */
export function OwnerHome(): ReactNode {
  const plants = useQuery({ ...read(list, { pageSize: 50 }), refetchInterval: REFRESH_MS });
  const [chosen, setChosen] = useState<string>();
  const rows = plants.data?.plants;
  if (!rows) return <HomePending error={plants.error} retry={() => void plants.refetch()} />;
  const current = rows.find((row) => row.stationID === chosen) ?? rows[0];
  if (!current) return <Welcome />;
  return <OwnPlant key={current.stationID} current={current} rows={rows} onChoose={setChosen} />;
}

interface OwnPlantProps {
  current: SiteRow;
  rows: readonly SiteRow[];
  onChoose: (stationID: string) => void;
}

function OwnPlant({ current, rows, onChoose }: OwnPlantProps): ReactNode {
  const { t } = useTranslation();
  const now = useSiteNow(current.stationID);
  useTellSeen(current.stationID);
  const plant = useQuery(read(detail, { stationID: current.stationID }));
  const worth = useQuery(read(money, { stationID: current.stationID }));
  /** What stands above has its height: what lies below the first screen is not taken for near. */
  const isLaidOut = plant.data !== undefined && !now.loading && !worth.isPending;
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>
          {rows.length > 1 ? (
            <Select
              label={t('sites.picker')}
              labelHidden
              heading
              value={current.stationID}
              onChange={onChoose}
              options={rows.map((row) => ({ value: row.stationID, label: row.name }))}
            />
          ) : (
            current.name
          )}
        </h1>
        <ScreenLink to="plant-detail" query={{ id: current.stationID }}>
          {t('fleet.openPlant')}
        </ScreenLink>
        <Freshness
          asOfMs={now.live?.asOfMs ?? current.updatedAtMs}
          intervalS={now.live?.intervalS ?? current.intervalS}
          offline={(now.live?.state ?? current.state) === 'offline'}
        />
      </header>
      <OwnerSentence rows={rows} current={current} now={now} />
      <HomeClaims />
      {plant.error && (
        <ErrorNotice error={plant.error} retry={() => void plant.refetch()} keepsShown={plant.data !== undefined} />
      )}
      <Preliminary percent={now.historyPercent} recalculating={now.recalculating} />
      <SiteFlowPanel
        site={current}
        now={now}
        onOpenDevice={(deviceID, node) =>
          openScreen(
            node === 'inverter' || node === 'pv'
              ? { to: 'device-inverter-detail', query: { id: deviceID } }
              : { to: 'plant-detail', query: { id: current.stationID } },
          )
        }
      />
      <div className={styles.beside}>
        <SiteMoneyCard stationID={current.stationID} timeZone={current.ianaTimezone} />
        {isLaidOut && (
          <WhenIdle>
            <Suspense>
              <HomeForecast stationID={current.stationID} />
            </Suspense>
          </WhenIdle>
        )}
      </div>
      {plant.data && <SiteKeyFigures site={plant.data} now={now} moneyApart />}
      {isLaidOut && (
        <WhenNear nearPx={PAST_SEEN_PX} standIn={<div className={styles.pastRoom} />}>
          <Suspense fallback={<div className={styles.pastRoom} />}>
            <OwnerPast stationID={current.stationID} timeZone={current.ianaTimezone} now={now} />
          </Suspense>
        </WhenNear>
      )}
    </div>
  );
}
