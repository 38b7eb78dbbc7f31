import { deviceHistoryEndpoints } from '@sonnenwarte/contract/device-history/device-history';
import type { DeviceRow } from '@sonnenwarte/contract/devices/device';
import { IconEraser } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const { opens, table } = actionsOf<DeviceRow>();

/** What can be done with what a device has recorded. */
export const deviceHistoryActions = table(
  'device-history',
  { nameOf: ({ deviceSN }) => deviceSN },
  {
    clear: opens(deviceHistoryEndpoints.clear, async () => (await import('./clear-history.tsx')).ClearHistory, {
      icon: IconEraser,
      danger: true,
    }),
  },
);
