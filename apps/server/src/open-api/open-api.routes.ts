import { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { type Api, serve } from '../http/serve.ts';
import type { SiteStores } from '../sites/sites.service.ts';
import { accessCountOf, openDeviceList, openPlantDetail, openPlantList } from './open-api.service.ts';

export function bindOpenApi(api: Api, stores: SiteStores): void {
  serve(api, openApiEndpoints.accessCount, (_, context) => accessCountOf(context));
  serve(api, openApiEndpoints.plantList, (input, { scope }) => openPlantList(stores, scope, input));
  serve(api, openApiEndpoints.plantDetail, ({ id }, { scope }) => openPlantDetail(stores, scope, id));
  serve(api, openApiEndpoints.deviceList, (input, { scope }) => openDeviceList(stores, scope, input));
}
