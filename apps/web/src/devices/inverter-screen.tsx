import type { DeviceRow, LatestValue } from '@sonnenwarte/contract/devices/device';
import { addressbook, real } from '@sonnenwarte/contract/devices/devices';
import { stringRows } from '@sonnenwarte/contract/devices/string-rows';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ActiveAlarms } from '../blocks/show/active-alarms.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { useFormat } from '../format/use-format.ts';
import { freshnessOf } from '../live/freshness.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useDeviceLive } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';
import type { Query } from '../router/query.ts';
import { SiteSkeleton } from '../sites/site-detail.tsx';
import { useRecordID, useTab, useTabTitle } from '../tabs/tab-context.ts';
import styles from './devices.module.css';
import { HistoryPanel, MAX_SHOWN, type WantedHistory } from './history-panel.tsx';
import { grouped } from './point-groups.ts';
import { usePointTexts } from './point-text.ts';

const StringsTable = lazy(async () => ({ default: (await import('../strings/strings-table.tsx')).StringsTable }));

const REFRESH_MS = 60_000;
const STEP_MS = 1_000;
const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** One inverter, named by the address. */
export function InverterScreen(): ReactNode {
  const { t } = useTranslation();
  const deviceID = useRecordID('deviceID');
  if (deviceID === undefined) {
    return (
      <TitledScreen>
        <EmptyState text={t('devices.list.empty')} />
      </TitledScreen>
    );
  }
  return <InverterDetail key={deviceID} deviceID={deviceID} />;
}

function InverterDetail({ deviceID }: { deviceID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, query } = useTab();
  const wanted = wantedOf(query);
  const first = useQuery({ ...read(real, { deviceID }), refetchInterval: REFRESH_MS });
  const pushed = useDeviceLive(deviceID);
  const broken = useLineBroken();
  const nowMs = useNow(STEP_MS);
  const device =
    pushed && (pushed.device.updatedAtMs ?? 0) >= (first.data?.device.updatedAtMs ?? 0)
      ? pushed.device
      : first.data?.device;
  useTabTitle(device?.deviceSN);

  if (!device) {
    if (!first.error) return <SiteSkeleton />;
    const list = name === 'integrator-inverter-detail' ? 'integrator-device-list' : 'device-inverter';
    return <UnreadRecord error={first.error} retry={() => void first.refetch()} list={list} />;
  }
  const values =
    pushed?.device === device ? merge(first.data?.values ?? [], pushed.values) : (first.data?.values ?? []);
  const alarms = first.data?.alarms ?? (device.alarm ? [device.alarm] : []);
  const newestMs = values.length === 0 ? device.updatedAtMs : Math.max(...values.map((value) => value.tsMs));
  const late = broken || device.state === 'offline' || freshnessOf(newestMs, device.intervalS, nowMs) !== 'live';
  const strings = stringRows(values);
  return (
    <DetailScreen
      title={device.deviceSN}
      subtitle={<Subtitle device={device} linksPlant={name !== 'integrator-inverter-detail'} />}
      aside={
        <>
          <StatusTag state={device.state} />
          <Freshness asOfMs={device.updatedAtMs} intervalS={device.intervalS} offline={device.state === 'offline'} />
        </>
      }
    >
      {first.error && <ErrorNotice error={first.error} retry={() => void first.refetch()} keepsShown />}
      {alarms.length > 0 && (
        <Panel title={t('devices.section.alarms')}>
          <ActiveAlarms alarms={alarms} timeZone={device.ianaTimezone ?? browserTimeZone()} />
        </Panel>
      )}
      <KeyFigures>
        <KeyFigure
          label={t('devices.field.powerW')}
          {...format.powerQuantity(device.powerW)}
          tone="brand"
          late={late}
        />
        <KeyFigure
          label={t('devices.field.todayWh')}
          {...format.energyQuantity(device.todayWh)}
          quality={device.todayQuality}
          tone="pv"
          late={late}
        />
        <KeyFigure
          label={t('devices.field.totalWh')}
          {...format.energyQuantity(device.totalWh)}
          tone="pv"
          late={late}
        />
        {device.socPercent !== null && (
          <KeyFigure
            label={t('flow.soc')}
            value={format.number(device.socPercent)}
            unit="%"
            tone="battery"
            late={late}
          />
        )}
      </KeyFigures>
      {strings.length > 1 && (
        <Panel title={t('devices.strings.panel')}>
          <Suspense>
            <StringsTable rows={strings} late={late} />
          </Suspense>
        </Panel>
      )}
      <Panel title={t('devices.section.live')}>
        {values.length === 0 ? (
          <EmptyState text={t('devices.noValues')} />
        ) : (
          <Values values={values} late={late} intervalS={device.intervalS} nowMs={nowMs} />
        )}
      </Panel>
      <HistoryPanel
        key={wanted === undefined ? '' : JSON.stringify(wanted)}
        deviceID={deviceID}
        timeZone={device.ianaTimezone ?? browserTimeZone()}
        wanted={wanted}
      />
      <Identity device={device} />
    </DetailScreen>
  );
}

const isDay = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const timeOf = (text: string | undefined): number | null => (/^\d{12,14}$/.test(text ?? '') ? Number(text) : null);

/** What the address asks to see of the values of a day. */
function wantedOf({ date, values, from, to }: Query): WantedHistory | undefined {
  if (date === undefined || !isDay.test(date)) return undefined;
  const variables = (values ?? '').split(',').filter((name) => name !== '');
  return { day: date, variables: variables.slice(0, MAX_SHOWN), fromMs: timeOf(from), toMs: timeOf(to) };
}

/** What the device is built for is told once, and never too old. */
const isRating = ({ variable }: LatestValue): boolean => variable.startsWith('Rating/');

/** The stream brings what changed; values that it does not name stay. */
function merge(before: readonly LatestValue[], now: readonly LatestValue[]): LatestValue[] {
  const newer = new Map(now.map((value) => [value.variable, value]));
  const known = new Set(before.map((value) => value.variable));
  return [
    ...before.map((value) => newer.get(value.variable) ?? value),
    ...now.filter((value) => !known.has(value.variable)),
  ];
}

function Subtitle({ device, linksPlant }: { device: DeviceRow; linksPlant: boolean }): ReactNode {
  const plant =
    linksPlant && device.stationID !== null ? (
      <ScreenLink to="plant-detail" query={{ id: device.stationID }}>
        {device.plantName}
      </ScreenLink>
    ) : (
      device.plantName
    );
  return (
    <>
      {device.deviceType}
      {device.deviceType !== '' && device.plantName !== '' && ' · '}
      {plant}
    </>
  );
}

interface ValuesProps {
  values: readonly LatestValue[];
  late: boolean;
  intervalS: number;
  nowMs: number;
}

/** All points by group. An age stands only beside values older than the newest; the heading tells the device's own. */
function Values({ values, late, intervalS, nowMs }: ValuesProps): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const phone = useIsPhone();
  const newestMs = Math.max(...values.map((value) => value.tsMs));
  return (
    <div className={styles.groups}>
      {grouped(values).map((group, index) => (
        <details key={group.name} open={!phone || index === 0}>
          <summary>
            <h3>{t(`devices.group.${group.name}`)}</h3>
          </summary>
          <dl className={styles.values}>
            {group.values.map((value) => {
              const { value: text, unit } = texts.value(value.value, value.unit, value.phrase);
              const old = !isRating(value) && freshnessOf(value.tsMs, intervalS, newestMs) !== 'live';
              return (
                <div key={value.variable} data-old={late || old || undefined}>
                  <dt title={value.variable}>{texts.label(value.variable)}</dt>
                  <dd>
                    {old && <span className={styles.age}>{format.age(nowMs - value.tsMs)}</span>}
                    {text}
                    {unit !== '' && <small>{unit}</small>}
                  </dd>
                </div>
              );
            })}
          </dl>
        </details>
      ))}
    </div>
  );
}

function Identity({ device }: { device: DeviceRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery(read(addressbook, { deviceID: device.deviceID }));
  const place = data
    ? [data.address, data.city, format.country(data.countryCode)].filter((each) => each !== '').join(', ')
    : '';
  return (
    <Panel title={t('devices.section.identity')}>
      {error && <ErrorNotice error={error} retry={() => void refetch()} keepsShown={data !== undefined} />}
      <PropertyList
        items={[
          { label: t('devices.field.deviceSN'), value: device.deviceSN },
          { label: t('devices.field.odmSN'), value: device.odmSN },
          { label: t('devices.field.deviceType'), value: device.deviceType },
          { label: t('devices.field.moduleSN'), value: device.moduleSN },
          { label: t('devices.field.plantName'), value: device.plantName },
          { label: t('sites.field.address'), value: place },
          { label: t('devices.field.master'), value: device.version.master },
          { label: t('devices.field.slave'), value: device.version.slave },
          { label: t('devices.field.manager'), value: device.version.manager },
          { label: t('devices.field.afci'), value: device.version.afci },
        ]}
      />
    </Panel>
  );
}
