import type { DeviceBucket } from '@sonnenwarte/energy/buckets';
import { type DeviceSample, ENERGY_CHANNELS, type EnergyChannel } from '@sonnenwarte/energy/channels';
import { type SiteEnergyName, siteBucket } from '@sonnenwarte/energy/site-balance';
import { type Kysely, sql } from 'kysely';
import type { DeviceEntry, Opening, SiteEntry } from '../ingestion/plant-model.ts';
import type { Registry } from '../ingestion/registry.ts';
import type { Database } from '../stores/schema.ts';
import { topologyOf } from './site-devices.ts';

export type OpeningName = SiteEnergyName | 'acOut';
export type SiteOpening = { [name in OpeningName]?: number };

const COLUMNS: readonly [column: string, name: OpeningName][] = [
  ['pv_wh', 'pv'],
  ['external_wh', 'external'],
  ['load_wh', 'load'],
  ['charger_wh', 'charger'],
  ['charge_wh', 'charge'],
  ['discharge_wh', 'discharge'],
  ['import_wh', 'import'],
  ['export_wh', 'export'],
  ['ac_out_wh', 'acOut'],
];

/** What lifetime counters read when they were first heard: the energy of the time before recording. */
export class Openings {
  readonly #db: Kysely<Database>;
  readonly #changed = new Set<DeviceEntry>();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async load(registry: Registry): Promise<void> {
    const rows = await this.#db
      .selectFrom('devices')
      .select(['sn', 'opening'])
      .where(sql<boolean>`opening <> '{}'`)
      .execute();
    for (const { sn, opening } of rows) {
      const device = registry.deviceBySn(sn);
      if (device !== undefined) device.opening = opening as Opening;
    }
  }

  get hasNews(): boolean {
    return this.#changed.size > 0;
  }

  /** Notes the counters of a sample that are read earlier than those known, or at the same time. */
  note(device: DeviceEntry, { tsMs, counters }: DeviceSample): void {
    for (const channel of ENERGY_CHANNELS) {
      const wh = counters[channel];
      if (wh === undefined || !(wh >= 0 && wh < Number.POSITIVE_INFINITY)) continue;
      const known = device.opening[channel];
      if (known !== undefined && (tsMs > known[0] || (tsMs === known[0] && wh === known[1]))) continue;
      device.opening[channel] = [tsMs, wh];
      this.#changed.add(device);
    }
  }

  /** Writes what changed; returns the sites whose figures that changes. */
  async flush(): Promise<Set<SiteEntry>> {
    const devices = [...this.#changed].filter(({ id }) => id !== '');
    const sites = new Set<SiteEntry>();
    if (devices.length === 0) return sites;
    const rows = devices.map(({ id, opening }) => ({ id, opening }));
    await sql`
      update devices set opening = r.opening
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, opening jsonb)
      where devices.id = r.id`.execute(this.#db);
    for (const device of devices) {
      this.#changed.delete(device);
      if (device.site !== undefined) sites.add(device.site);
    }
    return sites;
  }

  async writeSites(sites: readonly SiteEntry[]): Promise<void> {
    const rows = sites.map((site) => {
      const opening = siteOpening(site);
      return { site_id: site.id, ...Object.fromEntries(COLUMNS.map(([column, name]) => [column, opening[name]])) };
    });
    const columns = sql.join(COLUMNS.map(([column]) => sql.ref(column)));
    const types = sql.join(COLUMNS.map(([column]) => sql`${sql.ref(column)} float8`));
    const updates = sql.join(COLUMNS.map(([column]) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`));
    await sql`
      insert into site_openings (site_id, ${columns})
      select r.site_id, ${sql.join(COLUMNS.map(([column]) => sql.ref(`r.${column}`)))}
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (site_id uuid, ${types})
      join sites on sites.id = r.site_id
      on conflict (site_id) do update set ${updates}`.execute(this.#db);
  }
}

/**
 * The energies of a site before it was recorded: those of its devices' counters, summed and completed as its buckets are.
 * Purchase and feed-in are not taken from their difference: over a lifetime there were both.
 */
export function siteOpening(site: SiteEntry): SiteOpening {
  const buckets: { device: number; bucket: DeviceBucket }[] = [];
  let isComplete = true;
  for (const device of site.devices) {
    if (device.kind === 'inverter' && device.opening.acOut === undefined) isComplete = false;
    const energyWh: Partial<Record<EnergyChannel, number>> = {};
    for (const channel of ENERGY_CHANNELS) {
      const reading = device.opening[channel];
      if (reading !== undefined) energyWh[channel] = reading[1];
    }
    if (device.key === 0 || Object.keys(energyWh).length === 0) continue;
    const bucket = { bucketMs: 0, energyWh, powerW: {}, maxPowerW: {}, samples: 1, quality: 'measured' } as const;
    buckets.push({ device: device.key, bucket });
  }
  const { derived, ...sum } = siteBucket(buckets, topologyOf(site));
  const isGridDerived = derived.includes('import') && derived.includes('export');
  const opening: SiteOpening = {};
  for (const [, name] of COLUMNS) {
    const wh = sum[`${name}Wh`];
    const isDerived = name !== 'acOut' && derived.includes(name);
    const isGrid = name === 'import' || name === 'export';
    if (wh === undefined || (isDerived && (!isComplete || (isGrid && isGridDerived)))) continue;
    opening[name] = wh;
  }
  return opening;
}
