import { siteEndpoints } from '@sonnenwarte/contract/sites/sites';
import { serveExport, timeCell } from '../exports/serve-export.ts';
import type { Api } from '../http/serve.ts';
import { type SiteStores, siteList } from './sites.service.ts';

/** The plant list as a file: powers in W, energies in Wh with how they came about. */
export function bindSiteExport(api: Api, stores: SiteStores): void {
  serveExport(api, siteEndpoints.exportList, {
    page: async (input, { scope }) => {
      const { plants, total } = await siteList(stores, scope, input);
      return { rows: plants, total };
    },
    columns: {
      name: { label: 'sites.field.name', value: (site) => site.name },
      state: { label: 'sites.field.state', value: (site, { text }) => text(`states.${site.state}`) },
      type: { label: 'sites.field.type', value: (site, { text }) => text(`sites.type.${site.type}`) },
      country: { label: 'sites.field.country', value: (site, { country }) => country(site.country) },
      city: { label: 'sites.field.city', value: (site) => site.city },
      systemCapacity: {
        label: 'sites.field.systemCapacity',
        kind: 'number',
        unit: 'kWp',
        value: (site) => (site.systemCapacity > 0 ? site.systemCapacity : null),
      },
      pvPowerW: { label: 'sites.field.pvPowerW', kind: 'number', unit: 'W', value: (site) => site.pvPowerW },
      socPercent: { label: 'sites.field.socPercent', kind: 'number', unit: '%', value: (site) => site.socPercent },
      todayWh: {
        label: 'sites.field.todayWh',
        kind: 'number',
        unit: 'Wh',
        value: (site) => site.todayWh,
        quality: (site) => site.todayQuality,
      },
      monthWh: {
        label: 'sites.field.monthWh',
        kind: 'number',
        unit: 'Wh',
        value: (site) => site.monthWh,
        quality: (site) => site.monthQuality,
      },
      totalWh: {
        label: 'sites.field.totalWh',
        kind: 'number',
        unit: 'Wh',
        value: (site) => site.totalWh,
        quality: (site) => site.totalQuality,
      },
      specificYieldToday: {
        label: 'sites.field.specificYieldToday',
        kind: 'number',
        unit: 'kWh/kWp',
        value: (site) => site.specificYieldToday,
      },
      installer: { label: 'sites.field.installer', value: (site) => site.installer },
      owner: { label: 'sites.field.owner', value: (site) => site.owner },
      updatedAtMs: { label: 'sites.field.updatedAtMs', kind: 'time', value: (site) => timeCell(site.updatedAtMs) },
    },
  });
}
