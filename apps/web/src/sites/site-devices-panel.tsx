import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { LEVEL } from '@sonnenwarte/contract/levels';
import { devices } from '@sonnenwarte/contract/sites/site-endpoints';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { BriefFreshness, Freshness, SoFar } from '../blocks/show/freshness.tsx';
import { MarkLegend, QualityMark } from '../blocks/show/key-figure.tsx';
import { Skeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { ReadState } from '../blocks/show/read-state.tsx';
import { RefreshedEvery } from '../blocks/show/refreshed-every.ts';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { read } from '../client/queries.ts';
import { ClaimsNotice } from '../device-claims/claims-notice.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { type Format, useFormat } from '../format/use-format.ts';
import { useGlobalState } from '../state/global-state.ts';
import { markOf } from './preliminary.tsx';
import styles from './site-devices-panel.module.css';
import sitesStyles from './sites.module.css';

const REFRESH_MS = 30_000;

/** Loggers of a plant and, under each, its devices. */
export function SiteDevicesPanel({
  stationID,
  historyPercent,
}: {
  stationID: string;
  historyPercent: number | null;
}): ReactNode {
  const { t } = useTranslation();
  const query = useQuery({ ...read(devices, { stationID }), refetchInterval: REFRESH_MS });
  const data = query.data;
  const format = useFormat();
  const powers = format.column('power', data?.devices.map(({ powerW }) => powerW) ?? []);
  const isOwners = useGlobalState((state) => state.access) === LEVEL.endUser;
  const inParallel = (data?.devices.filter(({ kind }) => kind === 'inverter').length ?? 0) > 1;
  const hasBattery = data?.devices.some(({ kind }) => kind === 'battery') === true;
  return (
    <Panel
      title={t('sites.section.devices')}
      actions={
        <>
          <ScreenLink to="analysis" query={{ stationID }}>
            {t('routes.analysis')}
          </ScreenLink>
          {isOwners && (
            <ScreenLink to="pile-edit" query={{ stationID }}>
              {t('routes.pile-edit')}
            </ScreenLink>
          )}
          {hasBattery && (
            <ScreenLink to="work-model" query={{ stationID }}>
              {t('routes.work-model')}
            </ScreenLink>
          )}
          {inParallel && (
            <ScreenLink to="plant-parallel-system" query={{ id: stationID }}>
              {t('routes.plant-parallel-system')}
            </ScreenLink>
          )}
        </>
      }
    >
      <ClaimsNotice stationID={stationID} />
      <ReadState query={query}>
        <Skeleton height="8rem" />
      </ReadState>
      {data?.modules.length === 0 && data.devices.length === 0 && <EmptyState text={t('sites.device.empty')} />}
      {data && data.modules.length + data.devices.length > 0 && (
        <BriefFreshness value>
          <RefreshedEvery value={REFRESH_MS}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <section className={sitesStyles.scroll} tabIndex={0}>
              <table className={styles.devices}>
                <thead>
                  <tr>
                    <th scope="col">{t('sites.device.sn')}</th>
                    <th scope="col">{t('sites.device.kindLabel')}</th>
                    <th scope="col">{t('sites.device.state')}</th>
                    <th scope="col" data-end>
                      {t('sites.device.power')}
                    </th>
                    <th scope="col" data-end>
                      {t('sites.device.today')}
                    </th>
                    <th scope="col">{t('sites.device.alarm')}</th>
                    <th scope="col">{t('sites.field.updatedAtMs')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.modules.map((module) => [
                    <tr key={module.moduleSN} data-datalogger>
                      <th scope="row">{module.moduleSN}</th>
                      <td data-cell="kind">
                        {[t('sites.kind.datalogger'), module.type].filter((each) => each !== '').join(' · ')}
                      </td>
                      <td data-cell="state">
                        <StatusTag state={module.state} />
                      </td>
                      <td data-empty />
                      <td data-empty />
                      <td data-empty />
                      <td data-cell="seen">
                        <span className={styles.heard}>{t('sites.device.lastSeen')} </span>
                        <Freshness
                          asOfMs={module.lastSeenMs}
                          intervalS={module.intervalS}
                          offline={module.state === 'offline'}
                        />
                      </td>
                    </tr>,
                    ...data.devices
                      .filter((device) => device.moduleSN === module.moduleSN)
                      .map((device) => (
                        <DeviceLine
                          key={device.deviceID}
                          device={device}
                          powers={powers}
                          historyPercent={historyPercent}
                        />
                      )),
                  ])}
                  {data.devices
                    .filter((device) => !data.modules.some((module) => module.moduleSN === device.moduleSN))
                    .map((device) => (
                      <DeviceLine
                        key={device.deviceID}
                        device={device}
                        powers={powers}
                        historyPercent={historyPercent}
                      />
                    ))}
                </tbody>
              </table>
            </section>
          </RefreshedEvery>
          <MarkLegend qualities={data.devices.map(({ todayQuality }) => markOf(todayQuality, historyPercent))} />
        </BriefFreshness>
      )}
    </Panel>
  );
}

interface DeviceLineProps {
  device: DeviceRow;
  /** The one unit of all powers of the table. */
  powers: ReturnType<Format['column']>;
  historyPercent: number | null;
}

function DeviceLine({ device, powers, historyPercent }: DeviceLineProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const sn = device.deviceSN;
  return (
    <tr id={`device-${device.deviceID}`} data-device>
      <th scope="row">
        {device.kind === 'inverter' ? (
          <ScreenLink to="device-inverter-detail" query={{ id: device.deviceID }}>
            {sn}
          </ScreenLink>
        ) : (
          sn
        )}
      </th>
      <td data-cell="kind">
        {[t(`sites.kind.${device.kind}`), device.deviceType].filter((each) => each !== '').join(' · ')}
      </td>
      <td data-cell="state">
        <StatusTag state={device.state} />
      </td>
      <td data-end data-cell="power">
        {powers.withUnit(device.powerW)}
        {device.socPercent !== null && ` · ${format.percent(device.socPercent)}`}
      </td>
      <td
        data-end
        data-cell="today"
        data-empty={device.todayWh === null || undefined}
        data-label={t('sites.device.today')}
      >
        <SoFar device={device} wh={device.todayWh}>
          {format.energy(device.todayWh)}
          <QualityMark quality={markOf(device.todayQuality, historyPercent)} />
        </SoFar>
      </td>
      <td data-cell="alarm" data-empty={device.alarm ? undefined : true}>
        {device.alarm ? (
          <span className={styles.alarm} data-state={device.state}>
            {alarmText(device.alarm.code).name}
          </span>
        ) : (
          t('sites.device.noAlarm')
        )}
      </td>
      <td data-cell="seen">
        <Freshness asOfMs={device.updatedAtMs} intervalS={device.intervalS} offline={device.state === 'offline'} />
      </td>
    </tr>
  );
}
