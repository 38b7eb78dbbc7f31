import { list } from '@sonnenwarte/contract/devices/devices';
import type { State } from '@sonnenwarte/contract/status';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { HomeAlarms } from '../incidents/home-alarms-part.ts';
import { PreliminaryCount } from '../sites/preliminary.tsx';
import styles from './fleet.module.css';
import { HomePending } from './home-pending.tsx';
import { FLEET_INTERVAL_S, useFleetNow } from './use-fleet-now.ts';
import { StateTiles, Verdict } from './verdict.tsx';

const REFRESH_MS = 30_000;

/** Home of an integrator: the granted devices by state, and those that are not normal. */
export function DevicesHome(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { fleet, broken, error, retry } = useFleetNow();
  if (!fleet) return <HomePending error={error} retry={retry} />;
  const { devices } = fleet;
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        <h1>{t('routes.bus-index')}</h1>
        <Freshness asOfMs={fleet.asOfMs} intervalS={FLEET_INTERVAL_S} />
      </header>
      {devices.total === 0 ? (
        <EmptyState text={t('devices.list.empty')} />
      ) : (
        <>
          <Panel>
            <div className={styles.state}>
              <Verdict
                counts={devices}
                asOfMs={broken ? fleet.asOfMs : undefined}
                text={(count, texts) => t('fleet.attentionDevices', { count, ...texts })}
                textThen={(texts) => t('fleet.then.devices', texts)}
              />
              <StateTiles
                label={t('fleet.devices')}
                counts={devices}
                target={(state) => ({ to: 'integrator-device-list', query: { 'condition.state': state } })}
              />
            </div>
            <div className={styles.alarms}>
              <Suspense fallback={null}>
                <HomeAlarms to="integrator-alarm" mine={false} />
              </Suspense>
            </div>
          </Panel>
          <PreliminaryCount of="devices" count={fleet.preliminary} total={devices.total} />
          <KeyFigures>
            <KeyFigure label={t('fleet.powerNow')} {...format.powerQuantity(fleet.pvPowerW)} tone="pv" late={broken} />
            <KeyFigure label={t('fleet.today')} {...format.energyQuantity(fleet.todayWh)} tone="pv" late={broken} />
            <KeyFigure label={t('fleet.month')} {...format.energyQuantity(fleet.monthWh)} />
            <KeyFigure label={t('fleet.total')} {...format.energyQuantity(fleet.totalWh)} />
          </KeyFigures>
          {devices.total > devices.normal && (
            <Panel
              title={t('fleet.notNormal')}
              actions={<ScreenLink to="integrator-device-list">{t('fleet.openDevices')}</ScreenLink>}
            >
              <ul className={styles.rows} data-ages>
                {(['fault', 'alarm', 'offline'] as const).map((state) => (
                  <DevicesOf key={state} state={state} />
                ))}
              </ul>
            </Panel>
          )}
        </>
      )}
    </div>
  );
}

function DevicesOf({ state }: { state: State }): ReactNode {
  const alarmText = useAlarmText();
  const query = useQuery({ ...read(list, { condition: { state } }), refetchInterval: REFRESH_MS });
  if (query.error && !query.data) {
    return (
      <li>
        <ErrorNotice error={query.error} retry={() => void query.refetch()} />
      </li>
    );
  }
  return (
    <RefreshedEvery value={REFRESH_MS}>
      {query.data?.devices.map((device) => (
        <li key={device.deviceID}>
          <ScreenLink to="integrator-inverter-detail" query={{ id: device.deviceID }} className={styles.row}>
            <StatusTag state={device.state} />
            <span className={styles.name}>
              <strong>{device.deviceSN}</strong>
              <small>{[device.deviceType, device.plantName].filter((each) => each !== '').join(' · ')}</small>
            </span>
            <span className={styles.amount}>{device.alarm ? alarmText(device.alarm.code).name : ''}</span>
            <Freshness asOfMs={device.updatedAtMs} intervalS={device.intervalS} offline={device.state === 'offline'} />
          </ScreenLink>
        </li>
      ))}
    </RefreshedEvery>
  );
}
