import type { Result } from '@sonnenwarte/contract/endpoint';
import type {
  FoundDevice,
  FoundOrder,
  FoundPerson,
  FoundPlant,
  FoundUnit,
  find,
} from '@sonnenwarte/contract/search/search';
import {
  IconBattery2,
  IconClipboardText,
  IconCloud,
  IconCpu,
  IconGauge,
  IconPlug,
  IconRouter,
  IconSolarPanel2,
  IconUser,
  IconWaveSine,
  IconWifi,
  type TablerIcon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAlarmText } from '../format/alarm-text.ts';
import { useFormat } from '../format/use-format.ts';
import { useNow } from '../live/use-now.ts';
import { useGlobalState } from '../state/global-state.ts';
import type { PaletteGroup, PaletteRow } from './rows.ts';

const icons: Readonly<Record<FoundDevice['kind'], TablerIcon>> = {
  inverter: IconWaveSine,
  battery: IconBattery2,
  meter: IconGauge,
  ems: IconCpu,
  gateway: IconRouter,
  pile: IconPlug,
  station: IconCloud,
  datalogger: IconWifi,
};

const STEP_MS = 30_000;
const INTEGRATOR = 10;

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

/** What the server has found, as rows that say why each matters. */
export function useFoundRows(): (found: Result<typeof find>) => readonly PaletteGroup[] {
  const { t } = useTranslation();
  const format = useFormat();
  const alarmText = useAlarmText();
  const nowMs = useNow(STEP_MS);
  const access = useGlobalState((state) => state.access);
  const menuCode = useGlobalState((state) => state.menuCode);

  const alarmLine = (alarm: FoundPlant['alarm']): string =>
    alarm === null ? '' : joined(alarmText(alarm.code).name, format.age(nowMs - alarm.sinceMs));

  const plantRow = (plant: FoundPlant): PaletteRow => ({
    key: `plant:${plant.stationID}`,
    icon: IconSolarPanel2,
    name: plant.name,
    line: joined(
      [plant.city, plant.country === '' ? '' : format.country(plant.country)].filter(Boolean).join(', '),
      plant.systemCapacity > 0 ? format.capacity(plant.systemCapacity, 1) : '',
      alarmLine(plant.alarm),
    ),
    state: plant.state,
    ...(plant.pvPowerW !== null && { value: { label: t('search.pvNow'), text: format.power(plant.pvPowerW) } }),
    target: { to: 'plant-detail', query: { id: plant.stationID }, title: plant.name },
  });

  const targetOf = (device: FoundDevice): PaletteRow['target'] | undefined => {
    if (device.kind === 'inverter' && device.deviceID !== null)
      return {
        to: access === INTEGRATOR ? 'integrator-inverter-detail' : 'device-inverter-detail',
        query: { id: device.deviceID },
        title: device.sn,
      };
    if (device.stationID === null || access === INTEGRATOR) return undefined;
    return { to: 'plant-detail', query: { id: device.stationID }, title: device.plantName };
  };

  const deviceRows = (device: FoundDevice): PaletteRow[] => {
    const target = targetOf(device);
    if (target === undefined) return [];
    return [
      {
        key: `device:${device.sn}`,
        icon: icons[device.kind],
        name: device.sn,
        sort: t(`sites.kind.${device.kind}`),
        line: joined(device.model, device.plantName, alarmLine(device.alarm)),
        state: device.state,
        ...(device.kind === 'inverter' && device.powerW !== null
          ? { value: { label: t('search.acNow'), text: format.power(device.powerW) } }
          : device.updatedAtMs !== null && { value: { label: '', text: format.age(nowMs - device.updatedAtMs) } }),
        target,
      },
    ];
  };

  const unitRow = ({ sn, kind, model, batch, seen }: FoundUnit): PaletteRow => {
    const icon = kind === 'logger' ? 'datalogger' : kind;
    return {
      key: `unit:${sn}`,
      icon: icons[icon],
      name: sn,
      sort: t(`sites.kind.${icon}`),
      line: joined(model, batch, t(seen === 'undelivered' ? 'search.undelivered' : 'search.neverHeard')),
      target: { to: 'factory', query: { 'condition.content': sn } },
    };
  };

  const orderRow = (order: FoundOrder): PaletteRow => ({
    key: `order:${order.orderID}`,
    icon: IconClipboardText,
    name: order.title,
    sort: order.number,
    line: order.plantName,
    target: { to: 'work-order-detail', query: { id: order.orderID }, title: order.number },
  });

  const personRow = (person: FoundPerson): PaletteRow => ({
    key: `person:${person.id}`,
    icon: IconUser,
    name: person.name || person.user,
    line: joined(t(`levels.${person.level}`), person.organisation, person.name === '' ? '' : person.user),
    target: { to: 'user-management', query: { 'condition.content': person.user } },
  });

  return ({ plants, devices, units, orders, people }) => [
    { kind: 'plants', title: t('search.kind.plants'), rows: plants.rows.map(plantRow), more: plants.more },
    {
      kind: 'devices',
      title: devices.ofPlant === null ? t('search.kind.devices') : t('search.devicesOf', { plant: devices.ofPlant }),
      rows: [...devices.rows.flatMap(deviceRows), ...(menuCode?.includes('factory') ? units.rows.map(unitRow) : [])],
      more: devices.more || units.more,
    },
    {
      kind: 'orders',
      title: t('search.kind.orders'),
      rows: menuCode?.includes('work-order-detail') ? orders.rows.map(orderRow) : [],
      more: orders.more,
    },
    {
      kind: 'people',
      title: t('search.kind.people'),
      rows: menuCode?.includes('user-management') ? people.rows.map(personRow) : [],
      more: people.more,
    },
  ];
}
