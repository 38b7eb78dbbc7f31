import type { ClickHouseClient } from '@clickhouse/client';
import type { AnalysisMark } from '@sonnenwarte/contract/analysis/analysis';
import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { settingByName } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { containing } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { rawTable } from '../stores/telemetry-tables.ts';

type Db = Kysely<Database>;
type Span = Readonly<{ startMs: number; endMs: number }>;

/** A device whose samples are read. */
export interface PlottedRow {
  readonly id: string;
  /** Key in the telemetry store. */
  readonly key: number;
  readonly kind: AttachedKind;
  readonly sn: string;
  readonly model: string;
  readonly siteId: string | null;
  readonly siteName: string;
  readonly timeZone: string;
}

const chosen = (db: Db, scope: Scope) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .select([
      'devices.id',
      'devices.key',
      'devices.kind',
      'devices.sn',
      'devices.model',
      'devices.site_id as siteId',
      sql<string>`coalesce(sites.name, '')`.as('siteName'),
      sql<string>`coalesce(sites.time_zone, 'UTC')`.as('timeZone'),
    ]);

/** Those of some devices that are in scope, in the order in which they are named. */
export async function devicesById(db: Db, scope: Scope, ids: readonly string[]): Promise<PlottedRow[]> {
  const rows = await chosen(db, scope).where(sql<SqlBool>`devices.id = any(${ids}::uuid[])`).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

interface Wanted {
  readonly search: string;
  readonly ids: readonly string[] | undefined;
  readonly stationID: string | undefined;
}

/** Devices to choose from: named ones, those of a plant, or those whose number, model or plant has a text in it. */
export async function devicesToChoose(db: Db, scope: Scope, { search, ids, stationID }: Wanted): Promise<PlottedRow[]> {
  let query = chosen(db, scope).orderBy('devices.sn').limit(MOST_CHOICES);
  if (ids !== undefined) query = query.where(sql<SqlBool>`devices.id = any(${ids}::uuid[])`).limit(ids.length);
  if (stationID !== undefined) query = query.where('devices.site_id', '=', stationID);
  if (search !== '') {
    const pattern = containing(search);
    query = query.where(
      sql<SqlBool>`(devices.sn ilike ${pattern} or devices.model ilike ${pattern} or sites.name ilike ${pattern})`,
    );
  }
  return query.execute();
}

/** Alarms of devices that stood within a span, the worst and the newest of them first, and how many there are. */
export async function alarmMarks(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  { startMs, endMs }: Span,
  most: number,
): Promise<{ marks: AnalysisMark[]; total: number }> {
  const rows = await db
    .selectFrom('alarms')
    .innerJoin('devices', 'devices.id', 'alarms.device_id')
    .where(visibleDevices(scope))
    .where(sql<SqlBool>`alarms.device_id = any(${ids}::uuid[])`)
    .where('alarms.since', '<', new Date(endMs))
    .where(sql<SqlBool>`coalesce(alarms.until, 'infinity') >= ${new Date(startMs)}`)
    .select([
      'alarms.code',
      'alarms.level',
      'alarms.since',
      'alarms.until',
      'devices.id as device_id',
      'devices.sn',
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy('alarms.level', 'desc')
    .orderBy('alarms.since', 'desc')
    .orderBy('alarms.id')
    .limit(most)
    .execute();
  const marks = rows.map(
    (row): AnalysisMark => ({
      kind: 'alarm',
      deviceID: row.device_id,
      deviceSN: row.sn,
      atMs: row.since.getTime(),
      untilMs: row.until?.getTime() ?? null,
      code: row.code,
      level: row.level,
    }),
  );
  return { marks, total: rows[0]?.total ?? 0 };
}

const toldSetting = (name: string, value: SettingValue) => {
  const phrase = settingByName(name)?.options?.find((option) => option.value === value)?.labelKey;
  return { value, ...(phrase !== undefined && { phrase }) };
};

/** Settings of devices that were changed within a span, the newest first, and how many there are. */
export async function settingMarks(
  db: Db,
  scope: Scope,
  ids: readonly string[],
  { startMs, endMs }: Span,
  most: number,
): Promise<{ marks: AnalysisMark[]; total: number }> {
  const rows = await db
    .selectFrom('setting_changes')
    .innerJoin('devices', 'devices.id', 'setting_changes.subject_id')
    .leftJoin('accounts', 'accounts.id', 'setting_changes.account_id')
    .where(visibleDevices(scope))
    .where(sql<SqlBool>`setting_changes.subject_id = any(${ids}::uuid[])`)
    .where('setting_changes.at', '>=', new Date(startMs))
    .where('setting_changes.at', '<', new Date(endMs))
    .select([
      'setting_changes.name',
      'setting_changes.from_value',
      'setting_changes.to_value',
      'setting_changes.at',
      'setting_changes.source',
      'devices.id as device_id',
      'devices.sn',
      sql<string>`coalesce(accounts.username, '')`.as('by'),
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy('setting_changes.at', 'desc')
    .orderBy('setting_changes.id', 'desc')
    .limit(most)
    .execute();
  const marks = rows.map(
    (row): AnalysisMark => ({
      kind: 'setting',
      deviceID: row.device_id,
      deviceSN: row.sn,
      atMs: row.at.getTime(),
      name: row.name,
      labelKey: settingByName(row.name)?.labelKey ?? '',
      unit: settingByName(row.name)?.unit ?? '',
      from: row.from_value === null ? null : toldSetting(row.name, row.from_value),
      to: toldSetting(row.name, row.to_value),
      by: row.by,
      source: row.source,
    }),
  );
  return { marks, total: rows[0]?.total ?? 0 };
}

/** How many samples devices told within a span; what was told twice counts twice. The devices are those that the caller may see. */
export async function samplesTold(
  telemetry: ClickHouseClient,
  devices: readonly Pick<PlottedRow, 'key' | 'kind'>[],
  { startMs, endMs }: Span,
): Promise<number> {
  let total = 0;
  for (const kind of new Set(devices.map((device) => device.kind))) {
    const keys = devices.filter((device) => device.kind === kind).map(({ key }) => key);
    const rows = await readRows(
      telemetry,
      `SELECT count() FROM ${rawTable(kind)} WHERE device IN (${keys.join(',')})
        AND ts >= fromUnixTimestamp64Milli(${startMs}) AND ts < fromUnixTimestamp64Milli(${endMs})`,
    );
    total += rows.int64();
  }
  return total;
}
