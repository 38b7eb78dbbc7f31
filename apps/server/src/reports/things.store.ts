import type { ClickHouseClient } from '@clickhouse/client';
import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import { FINE_SECONDS } from '@sonnenwarte/contract/reports/report';
import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import type { Correction } from '@sonnenwarte/energy/accounting/corrections';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import { readRows } from '../ingestion/samples/row-reader.ts';
import { containing, inOrderOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { rawTable } from '../stores/telemetry-tables.ts';

type Db = Kysely<Database>;

/** A device of a report. */
export interface ReportedDevice {
  readonly id: string;
  /** Key in the telemetry store. */
  readonly key: number;
  readonly kind: AttachedKind;
  /** Of a meter what it stands at. */
  readonly role: string;
  readonly sn: string;
  readonly siteName: string;
  readonly timeZone: string;
}

/** Those of some devices that are in scope, in the order in which they are named. */
export async function reportedDevices(db: Db, scope: Scope, ids: readonly string[]): Promise<ReportedDevice[]> {
  const rows = await joinedDevices(db)
    .where(visibleDevices(scope))
    .where(sql<SqlBool>`devices.id = any(${ids}::uuid[])`)
    .select([
      'devices.id',
      'devices.key',
      'devices.kind',
      'devices.role',
      'devices.sn',
      sql<string>`coalesce(sites.name, '')`.as('siteName'),
      sql<string>`coalesce(sites.time_zone, 'UTC')`.as('timeZone'),
    ])
    .execute();
  return inOrderOf(ids, rows);
}

/** A plant of a report. */
export interface ReportedPlant {
  readonly id: string;
  readonly key: number;
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
}

export async function reportedPlants(db: Db, scope: Scope, ids: readonly string[]): Promise<ReportedPlant[]> {
  const rows = await db
    .selectFrom('sites')
    .where(siteIsVisible(scope))
    .where(sql<SqlBool>`sites.id = any(${ids}::uuid[])`)
    .select(['sites.id', 'sites.key', 'sites.name', 'sites.time_zone as timeZone', 'sites.currency'])
    .execute();
  return inOrderOf(ids, rows);
}

/** Plants to choose from: named ones, or those whose name has a text in it. */
export const plantsToChoose = (
  db: Db,
  scope: Scope,
  { search, ids }: { readonly search: string; readonly ids?: readonly string[] | undefined },
) =>
  db
    .selectFrom('sites')
    .where(siteIsVisible(scope))
    .$if(ids !== undefined, (query) => query.where(sql<SqlBool>`sites.id = any(${ids ?? []}::uuid[])`))
    .$if(ids === undefined && search !== '', (query) => query.where('sites.name', 'ilike', containing(search)))
    .select(['sites.id', 'sites.name', 'sites.city as detail'])
    .orderBy(sql`lower(sites.name)`)
    .orderBy('sites.id')
    .limit(ids?.length ?? MOST_CHOICES)
    .execute();

/** What was corrected by hand of a device of a report, within a span. */
export async function correctionsOf(
  db: Db,
  { id }: ReportedDevice,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<Correction[]> {
  const rows = await db
    .selectFrom('device_corrections')
    .where('device_id', '=', id)
    .where('undone_at', 'is', null)
    .where('from_at', '<', new Date(endMs))
    .where('to_at', '>', new Date(startMs))
    .select(['channel', 'from_at', 'to_at', 'parts_wh'])
    .orderBy('id')
    .execute();
  return rows.map(({ channel, from_at, to_at, parts_wh }) => ({
    channel,
    fromMs: from_at.getTime(),
    toMs: to_at.getTime(),
    partsWh: parts_wh,
  }));
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Devices whose samples lie in spans of their own. */
interface Counted {
  readonly device: ReportedDevice;
  readonly span: Span;
}

const within = ({ device, span: { startMs, endMs } }: Counted): string =>
  `(device = ${device.key} AND ts >= fromUnixTimestamp64Milli(${startMs}) AND ts < fromUnixTimestamp64Milli(${endMs}))`;

const byKind = (counted: readonly Counted[]) => Map.groupBy(counted, ({ device }) => device.kind);

/** How many samples each device told in its span, by its key; what was told twice counts twice. */
export async function samplesTold(
  telemetry: ClickHouseClient,
  counted: readonly Counted[],
): Promise<Map<number, number>> {
  const told = new Map<number, number>();
  for (const [kind, of] of byKind(counted)) {
    const query = `SELECT device, count() FROM ${rawTable(kind)} WHERE ${of.map(within).join(' OR ')} GROUP BY device`;
    const rows = await readRows(telemetry, query);
    while (rows.hasMore) told.set(rows.uint32(), rows.int64());
  }
  return told;
}

/** Samples by which the distance of a device's samples is told. */
const LAST_SAMPLES = 60;

/** Whether one of some devices recorded each few seconds when it told something last in its span. */
export async function isAnyFine(telemetry: ClickHouseClient, counted: readonly Counted[]): Promise<boolean> {
  for (const [kind, of] of byKind(counted)) {
    const last = of
      .map(
        (each) =>
          `(SELECT device, ts FROM ${rawTable(kind)} WHERE ${within(each)} ORDER BY ts DESC LIMIT ${LAST_SAMPLES})`,
      )
      .join(' UNION ALL ');
    const rows = await readRows(
      telemetry,
      `SELECT count() FROM (SELECT device, quantileExact(0.5)(step) AS usual FROM (
        SELECT device, toUnixTimestamp64Milli(ts) - lagInFrame(toUnixTimestamp64Milli(ts)) OVER (PARTITION BY device ORDER BY ts) AS step
        FROM (${last})) WHERE step > 0 AND step < 86400000 GROUP BY device HAVING usual <= ${FINE_SECONDS * 1_000})`,
    );
    if (rows.int64() > 0) return true;
  }
  return false;
}
