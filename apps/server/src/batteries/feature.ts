import { batteryEndpoints } from '@sonnenwarte/contract/batteries/batteries';
import { featureOf } from '../feature.ts';
import { batteryAgingOf, batteryInfoOf } from './batteries.service.ts';

/** Batteries: state and age of one. */
export const feature = featureOf(batteryEndpoints, {
  batteryInfo: batteryInfoOf,
  batteryAging: batteryAgingOf,
});
