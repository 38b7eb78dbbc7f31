import { strategyPhrase } from '@sonnenwarte/contract/devices/device';
import type { TreeDevice, TreeLogger } from '@sonnenwarte/contract/devices/device-tree';
import {
  IconBattery2,
  IconChargingPile,
  IconChevronRight,
  IconCpu,
  IconGauge,
  IconRouter,
  IconSun,
  IconSwitchHorizontal,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react';
import type { HTMLAttributes, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Freshness, SoFar } from '../blocks/show/freshness.tsx';
import { StatusTag } from '../blocks/show/status-tag.tsx';
import { useAlarmText } from '../format/alarm-text.ts';
import { NOT_MEASURED } from '../format/quantities.ts';
import { useFormat } from '../format/use-format.ts';
import styles from './device-tree.module.css';
import { usePointTexts } from './point-text.ts';

/** A datalogger, or a device below one. */
export interface TreeNode {
  id: string;
  name: string;
  logger?: TreeLogger;
  device?: TreeDevice;
  children?: readonly TreeNode[];
}

type RowProps = HTMLAttributes<HTMLTableRowElement>;

const icons: Readonly<Record<TreeDevice['kind'], TablerIcon>> = {
  inverter: IconWaveSine,
  battery: IconBattery2,
  meter: IconGauge,
  ems: IconCpu,
  gateway: IconSwitchHorizontal,
  pile: IconChargingPile,
  station: IconSun,
};

/** What a device does now, in a word: it is silent with its datalogger, has an alarm, or works. */
export function useDoes(): (device: TreeDevice, explained: boolean) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const texts = usePointTexts();
  return (device, explained) => {
    if (explained) return t('devices.tree.explained');
    const { kind, alarm, state, nowW, socPercent, meterRole, exportLimitW, strategy } = device;
    if (alarm) return alarmText(alarm.code).name;
    if (state === 'offline') return t('states.offline');
    if (kind === 'ems') {
      const limit = exportLimitW === null ? undefined : t('devices.does.holds', { limit: format.power(exportLimitW) });
      return limit ?? (texts.value(strategy, 'text', strategyPhrase(strategy)).value || NOT_MEASURED);
    }
    if (nowW === null) return NOT_MEASURED;
    if (kind === 'battery') {
      const soc = format.percent(socPercent);
      if (nowW === 0) return t('devices.does.idle', { soc });
      return nowW < 0 ? t('devices.does.charging', { soc }) : t('devices.does.discharging', { soc });
    }
    if (nowW === 0) return t('devices.does.rests');
    if (kind === 'meter' && meterRole === 'grid') return t(nowW > 0 ? 'devices.does.imports' : 'devices.does.exports');
    if (kind === 'meter')
      return t(
        meterRole === 'load' ? 'devices.does.takes' : nowW < 0 ? 'devices.does.generates' : 'devices.does.rests',
      );
    if (kind === 'inverter') return t(nowW > 0 ? 'devices.does.generates' : 'devices.does.takes');
    return kind === 'pile' ? t('devices.does.takes') : NOT_MEASURED;
  };
}

export function LoggerRow({ row, logger, isOpen }: { row: RowProps; logger: TreeLogger; isOpen: boolean }): ReactNode {
  const { t } = useTranslation();
  const more = logger.deviceCount - logger.devices.length;
  return (
    <tr {...row} className={styles.logger}>
      <td>
        <span className={styles.name}>
          <IconChevronRight className={styles.fold} data-open={isOpen || undefined} size={16} aria-hidden="true" />
          <IconRouter className={styles.kind} size={16} aria-hidden="true" />
          <b translate="no">{logger.moduleSN}</b>
          <small>
            {[
              logger.deviceType === '' ? logger.moduleType : logger.deviceType,
              t('devices.tree.devices', { count: logger.deviceCount }),
            ]
              .filter((each) => each !== '')
              .join(' · ')}
            {more > 0 && isOpen && ` · ${t('devices.tree.more', { count: more })}`}
          </small>
        </span>
      </td>
      <td>
        <b>{logger.plantName}</b>
      </td>
      <td>
        <StatusTag state={logger.isOnline ? 'normal' : 'offline'} />
      </td>
      <td data-align="end" data-wide>
        <Signal logger={logger} />
      </td>
      <td data-align="end" />
      <td data-align="end" data-wide />
      <td data-wide>{logger.firmware}</td>
      <td>
        <Freshness asOfMs={logger.lastSeenMs} intervalS={logger.intervalS} offline={!logger.isOnline} />
      </td>
    </tr>
  );
}

/** From which on a bar of the signal stands, dBm. */
const bars = [-90, -80, -70, -60];

function Signal({ logger: { signalDbm, moduleType } }: { logger: TreeLogger }): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  if (signalDbm === null)
    return /lan/i.test(moduleType) && !/wlan/i.test(moduleType) ? t('devices.tree.cable') : NOT_MEASURED;
  return (
    <span className={styles.signal}>
      <svg viewBox="0 0 16 12" aria-hidden="true">
        {bars.map((least, place) => (
          <rect
            key={least}
            x={place * 4}
            y={9 - place * 3}
            width={3}
            height={3 + place * 3}
            rx={0.7}
            data-on={signalDbm >= least || undefined}
          />
        ))}
      </svg>
      {format.number(signalDbm)}
    </span>
  );
}

interface DeviceRowProps {
  row: RowProps;
  device: TreeDevice;
  /** Its datalogger is silent. */
  explained: boolean;
  power: string;
  /** Of the power, where no header says it. */
  unit: string;
  energy: string;
  isLast: boolean;
}

export function DeviceRowOfTree({ row, device, explained, power, unit, energy, isLast }: DeviceRowProps): ReactNode {
  const { t } = useTranslation();
  const does = useDoes();
  const Icon = icons[device.kind];
  const role = device.meterRole === null ? '' : ` · ${t(`devices.meterRole.${device.meterRole}`)}`;
  return (
    <tr {...row} className={styles.device} data-last={isLast || undefined}>
      <td>
        <span className={styles.name}>
          <span className={styles.elbow} aria-hidden="true" />
          <Icon className={styles.kind} size={16} aria-hidden="true" />
          <b translate="no">{device.deviceSN}</b>
          <small>
            {t(`sites.kind.${device.kind}`)}
            {device.deviceType !== '' && ` ${device.deviceType}`}
            {role}
          </small>
        </span>
      </td>
      <td>{does(device, explained)}</td>
      <td>
        <StatusTag state={explained ? 'offline' : device.state} />
      </td>
      <td data-align="end" data-wide />
      <td data-align="end">
        {power}
        {device.nowW !== null && <span className={styles.unit}> {unit}</span>}
      </td>
      <td data-align="end" data-wide>
        <SoFar device={explained ? { ...device, state: 'offline' } : device} wh={device.todayWh}>
          {energy}
        </SoFar>
      </td>
      <td data-wide>{device.firmware}</td>
      <td>
        <Freshness
          asOfMs={device.updatedAtMs}
          intervalS={device.intervalS}
          offline={explained || device.state === 'offline'}
        />
      </td>
    </tr>
  );
}
