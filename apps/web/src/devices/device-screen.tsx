import type { DeviceRow, LatestValue } from '@sonnenwarte/contract/devices/device';
import { addressbook, real } from '@sonnenwarte/contract/devices/devices';
import type { RouteName } from '@sonnenwarte/contract/routes';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { listOfKind } from '../blocks/devices/kind-strip.tsx';
import { ActiveAlarms } from '../blocks/show/active-alarms.tsx';
import { DetailScreen } from '../blocks/show/detail-screen.tsx';
import { EmptyState } from '../blocks/show/empty-state.tsx';
import { ErrorNotice } from '../blocks/show/error-notice.tsx';
import { Freshness } from '../blocks/show/freshness.tsx';
import { KeyFigure, KeyFigures } from '../blocks/show/key-figure.tsx';
import { DetailSkeleton } from '../blocks/show/loading.tsx';
import { Panel } from '../blocks/show/panel.tsx';
import { PropertyList } from '../blocks/show/property-list.tsx';
import { ScreenLink } from '../blocks/show/screen-link.tsx';
import { TitledScreen } from '../blocks/show/titled-screen.tsx';
import { UnreadRecord } from '../blocks/show/unread-record.tsx';
import { useIsPhone } from '../blocks/show/use-is-phone.ts';
import { read } from '../client/queries.ts';
import { useMoments } from '../format/moments.ts';
import { useFormat } from '../format/use-format.ts';
import { freshnessOf } from '../live/freshness.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useDeviceLive } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';
import type { Query } from '../router/query.ts';
import { useRecordID, useTab, useTabTitle } from '../tabs/tab-context.ts';
import { DeviceState } from './device-cells.tsx';
import { deviceSlots } from './device-slots.tsx';
import styles from './devices.module.css';
import { HistoryPanel, MAX_SHOWN, type WantedHistory } from './history-panel.tsx';
import { AsOf, KindPanels } from './kind-panels.tsx';
import { grouped } from './point-groups.ts';
import { PointRows } from './point-rows.tsx';
import { usePointTexts } from './point-text.ts';
import { isShownOfKind } from './shown-points.ts';
import { toldOf, withoutPastDays } from './told-values.ts';

const REFRESH_MS = 60_000;
const STEP_MS = 1_000;
const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Kinds of which one energy tells what they gave; others count two ways, which stand among their panels. */
const countsEnergy: readonly DeviceRow['kind'][] = ['inverter', 'pile'];

/** The list to which a screen of details leads back. */
const listBeside: Partial<Record<RouteName, RouteName>> = {
  'integrator-inverter-detail': 'integrator-device-list',
  'device-battery': 'device-battery',
  'device-ems-detail': 'device-ems',
  'device-gateway': 'device-gateway',
  'meter-detail': 'meter-list',
};

/** One device of any kind, named by the address. */
export function DeviceScreen(): ReactNode {
  const { t } = useTranslation();
  const deviceID = useRecordID('deviceID');
  if (deviceID === undefined) {
    return (
      <TitledScreen>
        <EmptyState text={t('devices.list.empty')} />
      </TitledScreen>
    );
  }
  return <DeviceDetail key={deviceID} deviceID={deviceID} />;
}

function DeviceDetail({ deviceID }: { deviceID: string }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const texts = usePointTexts();
  const { moment } = useMoments();
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
    if (!first.error) return <DetailSkeleton />;
    const list = listBeside[name] ?? 'device-inverter';
    return <UnreadRecord error={first.error} retry={() => void first.refetch()} list={list} />;
  }
  const timeZone = device.ianaTimezone ?? browserTimeZone();
  const values = withoutPastDays(
    pushed?.device === device ? merge(first.data?.values ?? [], pushed.values) : (first.data?.values ?? []),
    nowMs,
    timeZone,
  );
  const others = values.filter(({ variable }) => !isShownOfKind(device.kind, variable));
  const alarms = first.data?.alarms ?? (device.alarm ? [device.alarm] : []);
  const newestMs = values.length === 0 ? device.updatedAtMs : Math.max(...values.map((value) => value.tsMs));
  const isSilent = device.state === 'offline' || freshnessOf(newestMs, device.intervalS, nowMs) !== 'live';
  const late = broken || isSilent;
  // Who does not report tells nothing of now: what was told last says of when it is.
  const asOf = isSilent && newestMs !== null ? t('devices.asOf', { time: moment(newestMs, timeZone) }) : undefined;
  const powerOf = asOf === undefined ? 'field' : 'last';
  const powerLabel =
    device.kind === 'ems'
      ? texts.label('Ems/PlantPv')
      : t(`devices.${powerOf}.${device.kind === 'inverter' ? 'powerW' : 'nowW'}`);
  return (
    <DetailScreen
      title={device.deviceSN}
      subtitle={<Subtitle device={device} ofIntegrator={name === 'integrator-inverter-detail'} />}
      mark={
        <>
          <DeviceState row={device} />
          <Freshness asOfMs={device.updatedAtMs} intervalS={device.intervalS} offline={device.state === 'offline'} />
        </>
      }
      aside={deviceSlots.actions.map((Slot) => <Slot key={Slot.displayName ?? Slot.name} device={device} />)}
    >
      {deviceSlots.notices.map((Slot) => (
        <Slot key={Slot.displayName ?? Slot.name} device={device} />
      ))}
      {first.error && <ErrorNotice error={first.error} retry={() => void first.refetch()} keepsShown />}
      {alarms.length > 0 && (
        <Panel title={t('devices.section.alarms')}>
          <ActiveAlarms alarms={alarms} timeZone={timeZone} />
        </Panel>
      )}
      <KeyFigures>
        {(device.kind !== 'gateway' || device.powerW !== null) && (
          <KeyFigure label={powerLabel} {...format.powerQuantity(device.powerW)} note={asOf} tone="brand" late={late} />
        )}
        {countsEnergy.includes(device.kind) && (
          <>
            <KeyFigure
              label={t('devices.field.todayWh')}
              {...format.energyQuantity(device.todayWh)}
              quality={device.todayQuality}
              note={device.todayWh === null ? undefined : asOf}
              tone="pv"
              late={late}
            />
            <KeyFigure
              label={t('devices.field.totalWh')}
              {...format.energyQuantity(device.totalWh)}
              note={asOf}
              tone="pv"
              late={late}
            />
          </>
        )}
        {device.socPercent !== null && (
          <KeyFigure
            label={t('flow.soc')}
            value={format.number(device.socPercent)}
            unit="%"
            note={asOf}
            tone="battery"
            late={late}
          />
        )}
      </KeyFigures>
      <KindPanels device={device} told={toldOf(values)} late={late} asOf={asOf} nowMs={nowMs} />
      {(others.length > 0 || values.length === 0) && (
        <Panel
          title={t(
            others.length < values.length
              ? 'devices.group.other'
              : asOf === undefined
                ? 'devices.section.live'
                : 'devices.field.updatedAtMs',
          )}
          {...(asOf !== undefined && { actions: <AsOf text={asOf} /> })}
        >
          {values.length === 0 ? (
            <EmptyState text={t('devices.noValues')} />
          ) : (
            <Values values={others} all={values} late={late} intervalS={device.intervalS} nowMs={nowMs} />
          )}
        </Panel>
      )}
      {deviceSlots.panels.map((Slot) => (
        <Slot key={Slot.displayName ?? Slot.name} device={device} />
      ))}
      <HistoryPanel
        key={wanted === undefined ? '' : JSON.stringify(wanted)}
        deviceID={deviceID}
        timeZone={timeZone}
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

/** The stream brings what changed; values that it does not name stay. */
function merge(before: readonly LatestValue[], now: readonly LatestValue[]): LatestValue[] {
  const newer = new Map(now.map((value) => [value.variable, value]));
  const known = new Set(before.map((value) => value.variable));
  return [
    ...before.map((value) => newer.get(value.variable) ?? value),
    ...now.filter((value) => !known.has(value.variable)),
  ];
}

function Subtitle({ device, ofIntegrator }: { device: DeviceRow; ofIntegrator: boolean }): ReactNode {
  const { t } = useTranslation();
  const { kind, deviceType, stationID, plantName, moduleSN, deviceSN, version } = device;
  const isListed = kind !== 'pile' && kind !== 'station';
  // The tree of its kind, down to the datalogger that it hangs on.
  const tree = { view: 'tree', 'condition.content': deviceSN };
  const logger = !isListed ? (
    moduleSN
  ) : ofIntegrator ? (
    <ScreenLink to="integrator-device-list" query={{ kind, ...tree }}>
      {moduleSN}
    </ScreenLink>
  ) : (
    <ScreenLink to={listOfKind[kind]} query={tree}>
      {moduleSN}
    </ScreenLink>
  );
  const plant =
    !ofIntegrator && stationID !== null ? (
      <ScreenLink to="plant-detail" query={{ id: stationID }}>
        {plantName}
      </ScreenLink>
    ) : (
      plantName
    );
  return (
    <>
      {[t(`sites.kind.${kind}`), deviceType].filter((each) => each !== '').join(' ')}
      {plantName !== '' && <> · {plant}</>}
      {moduleSN !== '' && (
        <>
          {' '}
          · {t('devices.field.moduleSN')} {logger}
        </>
      )}
      {version.master !== '' && ` · ${t('devices.field.version')} ${version.master}`}
    </>
  );
}

interface ValuesProps {
  values: readonly LatestValue[];
  all: readonly LatestValue[];
  late: boolean;
  intervalS: number;
  nowMs: number;
}

/** Points by group. */
function Values({ values, all, late, intervalS, nowMs }: ValuesProps): ReactNode {
  const { t } = useTranslation();
  const phone = useIsPhone();
  return (
    <div className={styles.groups}>
      {grouped(values).map((group, index) => (
        <details key={group.name} open={!phone || index === 0}>
          <summary>
            <h3>{t(`devices.group.${group.name}`)}</h3>
          </summary>
          <PointRows values={group.values} late={late} intervalS={intervalS} nowMs={nowMs} all={all} />
        </details>
      ))}
    </div>
  );
}

function Identity({ device }: { device: DeviceRow }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, error, refetch } = useQuery(read(addressbook, { deviceID: device.deviceID }));
  const { slave, manager, afci } = device.version;
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
          ...(
            [
              ['slave', slave],
              ['manager', manager],
              ['afci', afci],
            ] as const
          )
            // Only inverters are known to have them.
            .filter(([, value]) => value !== '' || device.kind === 'inverter')
            .map(([name, value]) => ({ label: t(`devices.field.${name}`), value })),
        ]}
      />
      <div className={styles.facts}>
        {deviceSlots.facts.map((Slot) => (
          <Slot key={Slot.displayName ?? Slot.name} device={device} />
        ))}
      </div>
    </Panel>
  );
}
