import { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import { featureOf } from '../feature.ts';
import { dataloggerList } from './dataloggers.service.ts';

/** Dataloggers: the list. */
export const feature = featureOf(dataloggerEndpoints, {
  list: dataloggerList,
});
