import { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { featureOf } from '../feature.ts';
import { accessCountOf, openDeviceList, openPlantDetail, openPlantList } from './open-api.service.ts';

/** The calls that existing clients of this API family make with an API key. */
export const feature = featureOf(openApiEndpoints, {
  accessCount: accessCountOf,
  plantList: openPlantList,
  plantDetail: openPlantDetail,
  deviceList: openDeviceList,
});
