import type { RouteName } from '@sonnenwarte/contract/routes';
import {
  IconChartAreaLine,
  IconCircuitMotor,
  IconDevices,
  IconHome,
  IconPlugConnected,
  IconPoint,
  IconRouter,
  IconSolarPanel,
  IconSolarPanel2,
  type TablerIcon,
} from '@tabler/icons-react';

const icons: Partial<Record<RouteName, TablerIcon>> = {
  'bus-index': IconHome,
  'data-view': IconChartAreaLine,
  plant: IconSolarPanel,
  'plant-view': IconSolarPanel2,
  device: IconDevices,
  'device-inverter': IconCircuitMotor,
  'device-module': IconRouter,
  integrator: IconPlugConnected,
  'integrator-device-list': IconCircuitMotor,
};

export function MenuIcon({ name }: { name: RouteName }) {
  const Icon = icons[name] ?? IconPoint;
  return <Icon size={20} stroke={1.7} aria-hidden="true" />;
}
