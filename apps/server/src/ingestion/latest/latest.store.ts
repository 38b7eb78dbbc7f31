import { type DeviceKind, pointByName, shownValue } from '@sonnenwarte/device-protocol/points/points';
import type { DeviceSample } from '@sonnenwarte/energy/accounting/channels';
import { type SitePowers, sitePowers } from '@sonnenwarte/energy/accounting/live-balance';
import { type Kysely, sql } from 'kysely';
import { partsOf } from '../../in-slices.ts';
import type { Database } from '../../stores/schema.ts';
import { Turns } from '../../turns.ts';
import type { DataloggerEntry, DeviceEntry, SiteEntry } from '../registry/plant-model.ts';
import { deviceSampleOf, isAccounted, topologyOf } from '../registry/site-devices.ts';
import { siteState } from '../sessions/alarm-book.ts';

/** In the order of ids, as births of dataloggers are written. */
export async function writeDataloggers(db: Kysely<Database>, dataloggers: readonly DataloggerEntry[]): Promise<void> {
  const rows = dataloggers.map(({ id, online, lastSeenMs, self }) => ({
    id,
    online,
    seen: timeOrNull(lastSeenMs),
    pending: self.latest('Buffer/Pending') ?? null,
  }));
  await sql`
    with r as materialized (
      select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, online boolean, seen timestamptz, pending float8)
      join loggers locked on locked.id = r.id order by locked.id for no key update of locked)
    update loggers set online = r.online, last_seen_at = coalesce(r.seen, loggers.last_seen_at),
      pending = coalesce(r.pending, loggers.pending)
    from r where loggers.id = r.id`.execute(db);
}

/** In the order of serial numbers, as births of devices are written: neither waits for the other in a circle. */
export async function writeDevices(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<void> {
  const rows = devices.map(({ id, online, state, lastSeenMs }) => ({
    id,
    online,
    state,
    seen: timeOrNull(lastSeenMs),
  }));
  await sql`
    with r as materialized (
      select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, online boolean, state text, seen timestamptz)
      join devices locked on locked.id = r.id order by locked.sn for no key update of locked)
    update devices set online = r.online, state = r.state, last_seen_at = coalesce(r.seen, devices.last_seen_at)
    from r where devices.id = r.id`.execute(db);
}

export async function writeFigures(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<void> {
  const rows = devices.flatMap(({ id, todayWh, todayMarks }) =>
    todayWh === undefined ? [] : [{ id, today: todayWh, marks: todayMarks }],
  );
  if (rows.length === 0) return;
  await sql`
    with r as materialized (
      select r.* from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, today float8, marks smallint)
      join device_latest locked on locked.device_id = r.id order by r.id for no key update of locked)
    update device_latest set today_wh = r.today, today_marks = r.marks
    from r where device_latest.device_id = r.id
      and (device_latest.today_wh, device_latest.today_marks) is distinct from (r.today, r.marks)`.execute(db);
}

export async function writeValues(db: Kysely<Database>, devices: readonly DeviceEntry[]): Promise<void> {
  const texts: string[] = [];
  for (const device of devices) if (device.latestValues !== undefined) texts.push(latestJson(device));
  if (texts.length === 0) return;
  await sql`
    insert into device_latest as l (device_id, ts, received_at, power_w, soc_percent, today_wh, today_marks, total_wh, values)
    select r.id, to_timestamp(r.ts / 1000.0), to_timestamp(r.received / 1000.0), r.power_w, r.soc_percent, r.today_wh,
      r.today_marks, r.total_wh, r.v
    from json_to_recordset(${`[${texts.join(',')}]`}::json) as r (
      id uuid, ts float8, received float8, power_w float8, soc_percent float8, today_wh float8, today_marks smallint,
      total_wh float8, v jsonb)
    join devices on devices.id = r.id order by r.id
    on conflict (device_id) do update set
      ts = greatest(l.ts, excluded.ts), received_at = greatest(l.received_at, excluded.received_at),
      power_w = coalesce(excluded.power_w, l.power_w), soc_percent = coalesce(excluded.soc_percent, l.soc_percent),
      today_wh = coalesce(excluded.today_wh, l.today_wh), today_marks = excluded.today_marks, total_wh = coalesce(excluded.total_wh, l.total_wh),
      values = l.values || excluded.values`.execute(db);
}

/** Devices of a plant that are read before somebody looks at the clock. */
const DEVICES_IN_A_ROW = 100;

const POWER_OF_KIND: Partial<Record<DeviceKind, readonly string[]>> = {
  inverter: ['AC/ActivePower', 'DC/Power'],
  battery: ['Bat/Power'],
  meter: ['Meter/ActivePower'],
  ems: ['Ems/PlantPv'],
  pile: ['Pile/Power'],
};
const TOTAL_OF_KIND: Partial<Record<DeviceKind, readonly string[]>> = {
  inverter: ['Energy/PvTotal', 'Energy/AcOutTotal'],
  battery: ['Bat/DischargeTotal'],
  meter: ['Meter/ImportTotal'],
  pile: ['Pile/EnergyTotal'],
};

/** The row of a device, with the values that are newer than those written last. Names are of the catalogue or escaped. */
function latestJson(device: DeviceEntry): string {
  const parts: string[] = [];
  const { latestValues, latestTsMs, latestTexts, latestWrittenMs } = device;
  const { names } = device.layout;
  for (let index = 0; index < names.length; index += 1) {
    const tsMs = latestTsMs?.[index] ?? 0;
    const value = latestValues?.[index] ?? Number.NaN;
    if (tsMs === 0 || tsMs < latestWrittenMs || Number.isNaN(value)) continue;
    parts.push(`"${names[index]}":[${value},${tsMs}]`);
  }
  if (latestTexts !== undefined) {
    for (const [name, [text, tsMs]] of latestTexts) {
      if (tsMs >= latestWrittenMs) parts.push(`${plainJson(name)}:[${plainJson(text)},${tsMs}]`);
    }
  }
  const totalKwh = firstOf(device, TOTAL_OF_KIND[device.kind]);
  const columns = [
    `"id":"${device.id}"`,
    `"ts":${device.latestMs}`,
    `"received":${device.latestReceivedMs}`,
    `"power_w":${jsonNumber(firstOf(device, POWER_OF_KIND[device.kind]))}`,
    `"soc_percent":${jsonNumber(device.latest('Bat/Soc'))}`,
    `"today_wh":${jsonNumber(device.todayWh ?? undefined)}`,
    `"today_marks":${device.todayMarks}`,
    `"total_wh":${jsonNumber(totalKwh === undefined ? undefined : totalKwh * 1000)}`,
    `"v":{${parts.join(',')}}`,
  ];
  return `{${columns.join(',')}}`;
}

export async function writeSites(db: Kysely<Database>, sites: readonly SiteEntry[]): Promise<void> {
  const nowMs = Date.now();
  const turns = new Turns(1);
  const rows: Awaited<ReturnType<typeof siteRow>>[] = [];
  for (const site of sites) rows.push(await siteRow(site, nowMs, turns));
  const emptied = sites.filter(({ devices }) => devices.size === 0).map(({ id }) => id);
  // What its devices told last goes along with them.
  if (emptied.length > 0) {
    await sql`
      update site_latest set ts = null, pv_w = null, external_w = null, battery_w = null, grid_w = null, load_w = null,
        charger_w = null, inverter_ac_w = null, soc_percent = null, battery_capacity_wh = null, derived = '{}'
      where site_id = any(${emptied}::uuid[]) and ts is not null`.execute(db);
  }
  await sql`
    insert into site_latest as l (site_id, state, ts, interval_s, pv_w, external_w, battery_w, grid_w, load_w, charger_w,
      inverter_ac_w, soc_percent, battery_capacity_wh, derived, updated_at)
    select r.site_id, r.state, r.ts, r.interval_s, r.pv_w, r.external_w, r.battery_w, r.grid_w, r.load_w, r.charger_w,
      r.inverter_ac_w, r.soc_percent, r.battery_capacity_wh, array(select json_array_elements_text(r.derived)), now()
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (
      site_id uuid, state text, ts timestamptz, interval_s int, pv_w float8, external_w float8, battery_w float8,
      grid_w float8, load_w float8, charger_w float8, inverter_ac_w float8, soc_percent float8,
      battery_capacity_wh float8, derived json)
    join sites on sites.id = r.site_id order by r.site_id
    on conflict (site_id) do update set
      state = excluded.state, interval_s = excluded.interval_s, updated_at = excluded.updated_at,
      ts = coalesce(excluded.ts, l.ts),
      pv_w = case when excluded.ts is null then l.pv_w else excluded.pv_w end,
      external_w = case when excluded.ts is null then l.external_w else excluded.external_w end,
      battery_w = case when excluded.ts is null then l.battery_w else excluded.battery_w end,
      grid_w = case when excluded.ts is null then l.grid_w else excluded.grid_w end,
      load_w = case when excluded.ts is null then l.load_w else excluded.load_w end,
      charger_w = case when excluded.ts is null then l.charger_w else excluded.charger_w end,
      inverter_ac_w = case when excluded.ts is null then l.inverter_ac_w else excluded.inverter_ac_w end,
      soc_percent = case when excluded.ts is null then l.soc_percent else excluded.soc_percent end,
      battery_capacity_wh = coalesce(excluded.battery_capacity_wh, l.battery_capacity_wh),
      derived = case when excluded.ts is null then l.derived else excluded.derived end`.execute(db);
}

async function siteRow(site: SiteEntry, nowMs: number, turns: Turns) {
  const newest = new Map<number, DeviceSample>();
  let newestMs = 0;
  let intervalS = Number.POSITIVE_INFINITY;
  for (const datalogger of site.dataloggers) intervalS = Math.min(intervalS, datalogger.reportIntervalS);
  const take = (device: DeviceEntry): void => {
    const { latestValues } = device;
    if (latestValues === undefined || device.key === 0 || !isAccounted(device)) return;
    newest.set(device.key, deviceSampleOf(device, device.latestMs, latestValues));
    newestMs = Math.max(newestMs, device.latestMs);
  };
  for (const part of partsOf([...site.devices], DEVICES_IN_A_ROW)) {
    part.forEach(take);
    if (turns.isOver) await turns.giveBack();
  }
  const powers: Partial<SitePowers> = newest.size === 0 ? {} : sitePowers(newest, topologyOf(site), nowMs);
  return {
    site_id: site.id,
    state: siteState(site.devices),
    ts: timeOrNull(newestMs),
    interval_s: Number.isFinite(intervalS) ? intervalS : 60,
    pv_w: powers.pvW,
    external_w: powers.externalW,
    battery_w: powers.batteryW,
    grid_w: powers.gridW,
    load_w: powers.loadW,
    charger_w: powers.chargerW,
    inverter_ac_w: powers.inverterAcW,
    soc_percent: powers.socPercent,
    battery_capacity_wh: powers.batteryCapacityWh,
    derived: powers.derived ?? [],
  };
}

function firstOf(device: DeviceEntry, names: readonly string[] | undefined): number | undefined {
  for (const name of names ?? []) {
    const value = device.latest(name);
    if (value !== undefined) return shownValue(pointByName(device.kind, name), value);
  }
  return undefined;
}

/** PostgreSQL's jsonb holds neither NUL nor half a surrogate pair. */
function plainJson(text: string): string {
  return JSON.stringify(text.replaceAll('\0', '').toWellFormed());
}

function jsonNumber(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? 'null' : String(value);
}

function timeOrNull(tsMs: number): string | null {
  return tsMs > 0 ? new Date(tsMs).toISOString() : null;
}
