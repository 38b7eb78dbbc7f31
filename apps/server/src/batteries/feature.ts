import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { featureOf } from '../feature.ts';
import { batteryInfoOf } from './batteries.service.ts';

/** Batteries: state of one. */
export const feature = featureOf(batteryEndpoints, {
  batteryInfo: batteryInfoOf,
});
