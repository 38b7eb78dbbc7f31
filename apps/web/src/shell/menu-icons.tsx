import type { RouteName } from '@sonnenwarte/contract/routes';
import {
  IconChartAreaLine,
  IconDevices,
  IconHome,
  IconListDetails,
  IconPlugConnected,
  IconPoint,
  IconRouter,
  IconShare,
  IconSolarPanel2,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react';

export const menuIcons: Partial<Record<RouteName, TablerIcon>> = {
  'bus-index': IconHome,
  'data-view': IconChartAreaLine,
  plant: IconSolarPanel2,
  'plant-view': IconListDetails,
  'plant-detail': IconSolarPanel2,
  device: IconDevices,
  'device-inverter': IconWaveSine,
  'device-inverter-detail': IconWaveSine,
  'device-module': IconRouter,
  integrator: IconPlugConnected,
  'integrator-device-list': IconShare,
  'integrator-inverter-detail': IconWaveSine,
};

export function MenuIcon({ name }: { name: RouteName }) {
  const Icon = menuIcons[name] ?? IconPoint;
  return <Icon size={20} stroke={1.7} aria-hidden="true" />;
}
