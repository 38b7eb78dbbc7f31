import { deviceHistoryEndpoints } from '@sonnenwarte/contract/device-history/device-history';
import { featureOf } from '../feature.ts';
import { clearOf, previewOf } from './device-history.service.ts';

/** What was recorded of a device is cleared, and can come back for a while. */
export const feature = featureOf(deviceHistoryEndpoints, { preview: previewOf, clear: clearOf });
