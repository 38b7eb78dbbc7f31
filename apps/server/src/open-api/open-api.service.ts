import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { deviceStatusOf } from '@sonnenwarte/contract/open-api/status';
import { formatPlantTime } from '@sonnenwarte/energy/calendar';
import { devicesOfSite } from '../device-rows/device-rows.store.ts';
import { listDevices } from '../devices/device-lists.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { listSites, siteDetail } from '../sites/sites.store.ts';

type OpenApi = typeof openApiEndpoints;

export async function accessCountOf(
  _: unknown,
  __: unknown,
  { quota }: CallContext,
): Promise<Result<OpenApi['accessCount']>> {
  if (quota === undefined) throw new CallError('tokenInvalid');
  return quota;
}

/** A page of plants, by name. */
export async function openPlantList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { currentPage, pageSize }: Parsed<OpenApi['plantList']>,
  { scope }: Scoped,
): Promise<Result<OpenApi['plantList']>> {
  const { total, rows } = await listSites(
    db,
    scope,
    {
      currentPage,
      pageSize,
      condition: { status: 0, contentType: 0, content: '' },
      sort: { field: 'name', order: 'asc' },
    },
    nowMs(),
  );
  const data = rows.map(({ id, name, time_zone }) => ({ stationID: id, name, ianaTimezone: time_zone }));
  return { currentPage, pageSize, total, data };
}

/** One plant with its inverters and their dataloggers. */
export async function openPlantDetail(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id }: Parsed<OpenApi['plantDetail']>,
  { scope }: Scoped,
): Promise<Result<OpenApi['plantDetail']>> {
  const now = nowMs();
  const site = found(await siteDetail(db, scope, id, now), 'siteNotFound');
  const devices = await devicesOfSite(db, scope, id, now);
  return {
    stationName: site.name,
    country: site.country,
    city: site.city,
    address: site.address,
    postcode: site.postcode,
    createDate: formatPlantTime(site.created_at.getTime(), site.time_zone),
    capacity: site.system_size_kwp,
    timezone: site.time_zone,
    user: { name: site.owner, email: site.owner_email ?? '', phone: site.owner_phone ?? '' },
    installer: { name: site.installer ?? '', email: site.installer_email ?? '', phone: site.installer_phone ?? '' },
    modules: devices
      .filter(({ kind }) => kind === 'inverter')
      .map((device) => ({ moduleSN: device.logger_sn, deviceSN: device.sn })),
  };
}

/** Series of a model: its name up to the first digit, which begins the size. */
const seriesOf = (model: string): string => /^[^0-9]+/.exec(model)?.[0].replace(/[\s-]+$/, '') ?? model;

/** A page of inverters, by serial number. */
export async function openDeviceList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { currentPage, pageSize }: Parsed<OpenApi['deviceList']>,
  { scope }: Scoped,
): Promise<Result<OpenApi['deviceList']>> {
  const { total, rows } = await listDevices(
    db,
    scope,
    { kind: 'inverter', condition: { content: '' }, sort: { field: 'deviceSN', order: 'asc' } },
    { currentPage, pageSize },
    nowMs(),
  );
  const data = rows.map((device) => ({
    deviceSN: device.sn,
    moduleSN: device.logger_sn,
    stationID: device.site_id ?? '',
    stationName: device.site_name ?? '',
    status: deviceStatusOf(device.state),
    hasPV: device.has_pv,
    hasBattery: device.has_battery,
    deviceType: device.model,
    productType: seriesOf(device.model),
  }));
  return { currentPage, pageSize, total, data };
}
