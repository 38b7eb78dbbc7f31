import type { DeviceKind } from '@sonnenwarte/contract/devices/device';
import type { RouteName } from '@sonnenwarte/contract/routes';
import type { ScreenTarget } from '../show/screen-link.tsx';

/** Where the details of a kind are. Kinds without a route of details open them at their list; the inverter's screen shows any kind. */
const detailOfKind: Readonly<Record<DeviceKind, RouteName>> = {
  inverter: 'device-inverter-detail',
  battery: 'device-battery',
  ems: 'device-ems-detail',
  gateway: 'device-gateway',
  meter: 'meter-detail',
  pile: 'device-inverter-detail',
  station: 'device-inverter-detail',
};

/** The screen with the details of a device; an integrator has one for all kinds. */
export const deviceTarget = (
  { kind, deviceID }: { readonly kind: DeviceKind; readonly deviceID: string },
  ofIntegrator = false,
): ScreenTarget => ({ to: ofIntegrator ? 'integrator-inverter-detail' : detailOfKind[kind], query: { id: deviceID } });
