import type { ClickHouseClient } from '@clickhouse/client';
import type { LiveEvent } from '@sonnenwarte/contract/live/live';
import { localDay } from '@sonnenwarte/energy/calendar';
import { type Kysely, sql } from 'kysely';
import { dataloggerIsVisible, type Scope, systemScope, visibleOrganisations } from '../access/scope.ts';
import { toDeviceRow, toLatestValues } from '../device-rows/device-row.ts';
import { devicesNow, visibleDevices } from '../device-rows/device-rows.store.ts';
import { fleetSummaryAt } from '../fleet/fleet.service.ts';
import { handoversOf } from '../handover/handover.store.ts';
import { daySums } from '../sites/site-energy.store.ts';
import { toFigures } from '../sites/site-figures.ts';
import { sitesNow } from '../sites/site-live.store.ts';
import { toSiteLive } from '../sites/site-live.ts';
import { isHeld, visibleSites } from '../sites/sites.store.ts';
import type { Database } from '../stores/schema.ts';

/** Where the hub reads. Ids map to the keys by which the bus names what changed. */
export interface LiveReads {
  visible(scope: Scope, ids: Wanted): Promise<Visible>;
  sites(ids: readonly string[], nowMs: number): Promise<Map<string, LiveEvent>>;
  devices(ids: readonly string[], nowMs: number): Promise<Map<string, LiveEvent>>;
  handovers(siteIds: readonly string[]): Promise<Map<string, LiveEvent>>;
  fleet(scope: Scope, nowMs: number): Promise<LiveEvent>;
}

/** What a stream wants to look at. */
export interface Wanted {
  sites: readonly string[];
  devices: readonly string[];
  /** Devices and dataloggers whose settings are looked at. */
  settings?: readonly string[];
  groups?: readonly string[];
}

export interface Visible {
  sites: ReadonlyMap<string, number>;
  devices: ReadonlyMap<string, number>;
  settings?: ReadonlySet<string>;
  groups?: ReadonlySet<string>;
}

/** One read serves the streams of many accounts: each stream's own scope decided before what it may watch. */
const everything = systemScope;

/** Devices and dataloggers in scope, of those named. */
async function withSettings(db: Kysely<Database>, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const devices = db
    .selectFrom('devices')
    .select('devices.id')
    .where(visibleDevices(scope))
    .where(sql<boolean>`devices.id = any(${ids}::uuid[])`);
  const dataloggers = db
    .selectFrom('loggers')
    .select('loggers.id')
    .where(dataloggerIsVisible(scope))
    .where(sql<boolean>`loggers.id = any(${ids}::uuid[])`);
  return new Set((await devices.unionAll(dataloggers).execute()).map(({ id }) => id));
}

/** Group writes of organisations in scope, of those named. */
async function groupsIn(db: Kysely<Database>, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await db
    .selectFrom('setting_groups')
    .select('id')
    .where('organisation_id', 'in', (eb) =>
      eb.selectFrom('organisations').select('organisations.id').where(visibleOrganisations(scope)),
    )
    .where(sql<boolean>`setting_groups.id = any(${ids}::uuid[])`)
    .execute();
  return new Set(found.map(({ id }) => id));
}

export function liveReads(db: Kysely<Database>, telemetry: ClickHouseClient): LiveReads {
  return {
    async visible(scope, ids) {
      const [sites, devices, settings, groups] = await Promise.all([
        ids.sites.length === 0
          ? []
          : db
              .selectFrom('sites')
              .select(['sites.id', 'sites.key'])
              .where(visibleSites(scope))
              .where(sql<boolean>`sites.id = any(${ids.sites}::uuid[])`)
              .execute(),
        ids.devices.length === 0
          ? []
          : db
              .selectFrom('devices')
              .select(['devices.id', 'devices.key'])
              .where(visibleDevices(scope))
              .where(sql<boolean>`devices.id = any(${ids.devices}::uuid[])`)
              .execute(),
        withSettings(db, scope, ids.settings ?? []),
        groupsIn(db, scope, ids.groups ?? []),
      ]);
      return {
        sites: new Map(sites.map(({ id, key }) => [id, key])),
        devices: new Map(devices.map(({ id, key }) => [id, key])),
        settings,
        groups,
      };
    },
    async sites(ids, nowMs) {
      const sites = await sitesNow(db, everything, ids, nowMs);
      const days = sites.map(({ key, time_zone }) => ({ key, day: localDay(nowMs, time_zone) }));
      const sums = await daySums(telemetry, days);
      return new Map(
        sites.map((site): [string, LiveEvent] => {
          const frame = { systemSizeKwp: site.system_size_kwp, country: site.country };
          return [
            site.id,
            {
              type: 'site',
              site: toSiteLive(site, nowMs),
              today: toFigures(isHeld(site, localDay(nowMs, site.time_zone)) ? sums.get(site.key) : undefined, frame),
            },
          ];
        }),
      );
    },
    async devices(ids, nowMs) {
      const devices = await devicesNow(db, everything, ids, nowMs);
      return new Map(
        devices.map((device): [string, LiveEvent] => [
          device.id,
          { type: 'device', device: toDeviceRow(device), values: toLatestValues(device) },
        ]),
      );
    },
    async handovers(siteIds) {
      const now = await handoversOf(db, siteIds);
      return new Map(
        siteIds.map((id): [string, LiveEvent] => [
          id,
          { type: 'handover', stationID: id, handover: now.get(id) ?? null },
        ]),
      );
    },
    fleet: async (scope, nowMs) => ({ type: 'fleet', fleet: await fleetSummaryAt(db, scope, nowMs) }),
  };
}
