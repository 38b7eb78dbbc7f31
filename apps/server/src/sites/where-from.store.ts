import type { ClickHouseClient } from '@clickhouse/client';
import type { OriginBucket, PurchaseBucket } from '@sonnenwarte/energy/accounting/where-from';
import type { Kysely } from 'kysely';
import type { Database } from '../stores/schema.ts';
import type { EnergyColumn } from './site-energy.store.ts';
import type { SiteFrame } from './sites.store.ts';

const columns = [
  'external_wh',
  'discharge_wh',
  'load_wh',
  'pv_to_load_wh',
  'external_to_load_wh',
  'battery_to_load_wh',
  'grid_to_load_wh',
  'charger_wh',
  'pv_to_charger_wh',
  'external_to_charger_wh',
  'battery_to_charger_wh',
  'grid_to_charger_wh',
  'import_wh',
  'grid_to_battery_wh',
] as const satisfies readonly EnergyColumn[];

type Row = [tsS: number, marks: number, ...energies: (number | null)[]];

/** What house and vehicles took in each five minutes of a span, with the marks of all of them. */
export interface OriginsOfSpan {
  load: OriginBucket[];
  charger: OriginBucket[];
  bought: PurchaseBucket[];
  marks: number;
  tells: { external: boolean; battery: boolean };
}

const NEWEST_ONLY = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The flows into house and vehicles within a span, bucket by bucket. */
export const originsOf = (
  telemetry: ClickHouseClient,
  site: Pick<SiteFrame, 'key'>,
  span: Span,
): Promise<OriginsOfSpan> => originsWithin(telemetry, site, [span]);

/** The same within several spans that do not overlap, in one question. */
export async function originsWithin(
  telemetry: ClickHouseClient,
  site: Pick<SiteFrame, 'key'>,
  spans: readonly Span[],
): Promise<OriginsOfSpan> {
  const within = spans.map(
    (_, place) => `ts >= toDateTime({start${place}:UInt32}, 'UTC') AND ts < toDateTime({end${place}:UInt32}, 'UTC')`,
  );
  const bounds = spans.flatMap(({ startMs, endMs }, place) => [
    [`start${place}`, startMs / 1_000],
    [`end${place}`, endMs / 1_000],
  ]);
  const answer = await telemetry.query({
    query: `SELECT toUnixTimestamp(ts), qualities, ${columns.join(', ')} FROM site_5m FINAL
      WHERE site = {site:UInt32} AND (${within.join(' OR ')})
      ORDER BY ts ${NEWEST_ONLY}`,
    query_params: { site: site.key, ...Object.fromEntries(bounds) },
    format: 'JSONCompactEachRow',
  });
  const rows = await answer.json<Row>();
  const told = (row: Row, column: (typeof columns)[number]): number | null =>
    (row[2 + columns.indexOf(column)] as number | null | undefined) ?? null;
  const bucketsOf = (to: 'load' | 'charger'): OriginBucket[] =>
    rows.flatMap((row) => {
      const takenWh = told(row, `${to}_wh`);
      if (takenWh === null) return [];
      const from = (origin: 'pv' | 'external' | 'battery' | 'grid') => told(row, `${origin}_to_${to}_wh`) ?? 0;
      return [
        {
          tsMs: row[0] * 1_000,
          takenWh,
          from: { pv: from('pv'), external: from('external'), battery: from('battery'), grid: from('grid') },
        },
      ];
    });
  return {
    load: bucketsOf('load'),
    charger: bucketsOf('charger'),
    bought: rows.flatMap((row): PurchaseBucket[] => {
      const boughtWh = told(row, 'import_wh');
      if (boughtWh === null) return [];
      const given = (to: 'load' | 'charger' | 'battery') => told(row, `grid_to_${to}_wh`) ?? 0;
      const givenWh = { load: given('load'), charger: given('charger'), battery: given('battery') };
      return [{ tsMs: row[0] * 1_000, boughtWh, givenWh }];
    }),
    marks: rows.reduce((marks, row) => marks | row[1], 0),
    tells: {
      external: rows.some((row) => told(row, 'external_wh') !== null),
      battery: rows.some((row) => told(row, 'discharge_wh') !== null),
    },
  };
}

/** A session that never told its end is not taken to go on for longer. */
const LONGEST_MS = 7 * 86_400_000;

/** When sessions of a plant's piles began within a span while no other was going on, as the piles told. */
export async function sessionBegins(
  db: Kysely<Database>,
  { id }: Pick<SiteFrame, 'id'>,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('charging_sessions as sessions')
    .innerJoin('devices', 'devices.id', 'sessions.device_id')
    .where('devices.site_id', '=', id)
    .where('sessions.began_at', '>=', new Date(startMs))
    .where('sessions.began_at', '<', new Date(endMs))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('charging_sessions as others')
            .innerJoin('devices as piles', 'piles.id', 'others.device_id')
            .select('others.id')
            .where('piles.site_id', '=', id)
            .whereRef('others.began_at', '<', 'sessions.began_at')
            .where('others.began_at', '>=', new Date(startMs - LONGEST_MS))
            .where((others) =>
              others.or([
                others('others.ended_at', 'is', null),
                others('others.ended_at', '>', others.ref('sessions.began_at')),
              ]),
            ),
        ),
      ),
    )
    .select('sessions.began_at')
    .orderBy('sessions.began_at')
    .execute();
  return rows.map((row) => row.began_at.getTime());
}

/** A day below it held no more than what a pile takes while it stands by. */
const CHARGED_WH = 100;

/** The last local day before another one on which a vehicle was charged, and how much. */
export async function lastChargedBefore(
  telemetry: ClickHouseClient,
  site: Pick<SiteFrame, 'key'>,
  day: string,
): Promise<{ day: string; wh: number } | null> {
  const answer = await telemetry.query({
    query: `SELECT toString(day) AS name, charger_wh AS wh FROM site_day FINAL
      WHERE site = {site:UInt32} AND day < {day:Date} AND isFinite(charger_wh) AND charger_wh >= ${CHARGED_WH}
      ORDER BY day DESC LIMIT 1 ${NEWEST_ONLY}`,
    query_params: { site: site.key, day },
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ name: string; wh: number }>();
  return row === undefined ? null : { day: row.name, wh: row.wh };
}
