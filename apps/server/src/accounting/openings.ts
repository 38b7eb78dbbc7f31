import type { DeviceBucket, DeviceLedger } from '@sonnenwarte/energy/accounting/buckets';
import { type DeviceSample, ENERGY_CHANNELS, type EnergyChannel } from '@sonnenwarte/energy/accounting/channels';
import { isReading } from '@sonnenwarte/energy/accounting/counters';
import { type SiteEnergyName, siteBucket } from '@sonnenwarte/energy/accounting/site-balance';
import { marksOf } from '@sonnenwarte/energy/accounting/site-marks';
import { type Kysely, sql } from 'kysely';
import { inSlices, partsOf } from '../in-slices.ts';
import type { DeviceEntry, SiteEntry } from '../ingestion/registry/plant-model.ts';
import type { Learned } from '../ingestion/registry/remember.ts';
import { topologyOf } from '../ingestion/registry/site-devices.ts';
import type { Database } from '../stores/schema.ts';

export type OpeningName = SiteEnergyName | 'acOut' | 'fuel';
/** `marks`: which of them the balance told (see `marksOf`). */
export type SiteOpening = { [name in OpeningName]?: number } & { marks: number };

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
  ['fuel_wh', 'fuel'],
];

/** Devices that one statement writes. */
const WRITTEN_AT_ONCE = 500;

/** What lifetime counters read where their series begin: the energy of the time before recording. And what devices have taught. */
export class Openings {
  readonly #db: Kysely<Database>;
  readonly #changed = new Set<DeviceEntry>();

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  has(device: DeviceEntry): boolean {
    return this.#changed.has(device);
  }

  get hasNews(): boolean {
    return this.#changed.size > 0;
  }

  /** Notes when counters are read that have not been read so early. */
  note(device: DeviceEntry, { tsMs, counters }: DeviceSample): void {
    for (const channel of ENERGY_CHANNELS) {
      if (!isReading(counters[channel]) || tsMs >= (device.firstReadMs[channel] ?? Number.POSITIVE_INFINITY)) continue;
      device.firstReadMs[channel] = tsMs;
      this.#changed.add(device);
    }
  }

  /** Takes what a ledger has found out: where series begin, as far as it reads back, and what the device carries. */
  take(device: DeviceEntry, ledger: DeviceLedger): void {
    if (device.reach?.isUnsaved === true) this.#changed.add(device);
    for (const [channel, { tsMs, wh }] of ledger.takeOpened() ?? []) {
      const known = device.opening[channel];
      if (known !== undefined) {
        const isSeen = (ledger.beganMs ?? Number.POSITIVE_INFINITY) <= known[0];
        if ((tsMs > known[0] && !isSeen) || (tsMs === known[0] && wh === known[1])) continue;
      }
      device.opening[channel] = [tsMs, wh];
      this.#changed.add(device);
    }
  }

  /** Sets back what a device's ledger found out: where it says that the series begin, nothing has been accounted so. */
  restore(device: DeviceEntry, opening: DeviceEntry['opening']): void {
    for (const channel of ENERGY_CHANNELS) {
      const known = opening[channel];
      if (known === undefined) delete device.opening[channel];
      else device.opening[channel] = known;
    }
  }

  /** Writes what changed; returns the sites whose figures that changes. */
  async flush(): Promise<Set<SiteEntry>> {
    const devices = [...this.#changed].filter(({ id }) => id !== '');
    const sites = new Set<SiteEntry>();
    for (const part of partsOf(devices, WRITTEN_AT_ONCE)) {
      await this.#write(part);
      for (const device of part) {
        this.#changed.delete(device);
        if (device.site !== undefined) sites.add(device.site);
      }
    }
    return sites;
  }

  async #write(devices: readonly DeviceEntry[]): Promise<void> {
    const rows = devices.map(({ id, key, opening, firstReadMs, reach }) => {
      if (reach !== undefined) reach.isUnsaved = false;
      const learned: Learned = { firstReadMs, ...(reach !== undefined && { reach: reach.learned() }) };
      return { id, key, opening, learned };
    });
    try {
      await sql`
        with r as materialized (
          select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, key int, opening jsonb, learned jsonb)
          join devices locked on locked.id = r.id order by locked.sn for no key update of locked)
        update devices set opening = r.opening, learned = r.learned
        from r where devices.id = r.id and devices.key = r.key`.execute(this.#db);
    } catch (error) {
      for (const { reach } of devices) if (reach !== undefined) reach.isUnsaved = true;
      throw error;
    }
  }

  async writeSites(openings: ReadonlyMap<SiteEntry, SiteOpening>): Promise<void> {
    const rows: object[] = [];
    await inSlices(openings, ([site, opening]) => {
      rows.push({
        site_id: site.id,
        marks: opening.marks,
        ...Object.fromEntries(COLUMNS.map(([column, name]) => [column, opening[name]])),
      });
    });
    const columns = sql.join(COLUMNS.map(([column]) => sql.ref(column)));
    const types = sql.join(COLUMNS.map(([column]) => sql`${sql.ref(column)} float8`));
    const updates = sql.join(COLUMNS.map(([column]) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`));
    await sql`
      insert into site_openings (site_id, marks, ${columns})
      select r.site_id, r.marks, ${sql.join(COLUMNS.map(([column]) => sql.ref(`r.${column}`)))}
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (site_id uuid, marks integer, ${types})
      join sites on sites.id = r.site_id
      on conflict (site_id) do update set marks = excluded.marks, ${updates}`.execute(this.#db);
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
  const { derived, qualities, ...sum } = siteBucket(buckets, topologyOf(site));
  const isGridDerived = derived.includes('import') && derived.includes('export');
  const opening: SiteOpening = { marks: marksOf(qualities) };
  for (const [, name] of COLUMNS) {
    const wh = sum[`${name}Wh`];
    const isDerived = name !== 'acOut' && name !== 'fuel' && derived.includes(name);
    const isGrid = name === 'import' || name === 'export';
    if (wh === undefined || (isDerived && (!isComplete || (isGrid && isGridDerived)))) continue;
    opening[name] = wh;
  }
  return opening;
}
