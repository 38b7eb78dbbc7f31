import type { RouteName } from '@sonnenwarte/contract/routes';
import {
  IconArrowsTransferUp,
  IconBuildingStore,
  IconChartAreaLine,
  IconDevices,
  IconFileSearch,
  IconHeartHandshake,
  IconHome,
  IconListCheck,
  IconListDetails,
  IconLogs,
  IconPlugConnected,
  IconPoint,
  IconRouter,
  IconServerCog,
  IconShare,
  IconShield,
  IconShieldLock,
  IconSitemap,
  IconSolarPanel2,
  IconUserCircle,
  IconUserCog,
  IconUserSearch,
  IconUsersGroup,
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
  'user-center': IconUserCircle,
  'user-management': IconUserCog,
  'group-management': IconBuildingStore,
  'power-info': IconShieldLock,
  'permission-group': IconShield,
  organization: IconSitemap,
  member: IconUsersGroup,
  'log-update': IconLogs,
  'platform-log': IconServerCog,
  'log-audit': IconFileSearch,
  'log-audit-account': IconUserSearch,
  'log-audit-operation': IconListCheck,
  'after-sale': IconHeartHandshake,
  'account-migration': IconArrowsTransferUp,
  integrator: IconPlugConnected,
  'integrator-device-list': IconShare,
  'integrator-inverter-detail': IconWaveSine,
};

export const iconOf = (name: RouteName): TablerIcon => menuIcons[name] ?? IconPoint;

export function MenuIcon({ name }: { name: RouteName }) {
  const Icon = iconOf(name);
  return <Icon size={20} stroke={1.7} aria-hidden="true" />;
}
