import type { ClickHouseClient } from '@clickhouse/client';
import type { DayInsight } from '@sonnenwarte/energy/insight/day-insight';
import { partsOf } from '../in-slices.ts';
import { eachRowOf, MOST_KEYS_ASKED } from '../ingestion/samples/row-reader.ts';
import { nextVersion } from '../stores/row-buffer.ts';
import { Turns } from '../turns.ts';
import type { AlarmSince } from './reason-since.ts';

/** The middle half of the neighbours, as shares of what was expected in the light of their median. */
export interface Band {
  low: number;
  high: number;
}

/** All that was found of a plant's day. */
export interface StoredInsight extends DayInsight {
  band: Band | null;
  money: string | null;
  currency: string;
  /** The alarms on which its reasons rest; not there of days that were kept before that was. */
  alarmsSince?: AlarmSince[];
}

export interface InsightRow {
  site: number;
  day: string;
  kwp: number;
  insight: StoredInsight;
}

const orNaN = (value: number | null): number | null => value ?? null;

function rowOf({ site, day, kwp, insight }: InsightRow): Record<string, unknown> {
  const { performanceRatio, availability, actualWh, expectedWh, lossWh, reasons } = insight;
  return {
    day,
    site,
    version: nextVersion(),
    kwp,
    source: insight.source ?? '',
    actual_wh: orNaN(actualWh),
    expected_wh: orNaN(expectedWh),
    loss_wh: orNaN(lossWh),
    loss_money: insight.money,
    currency: insight.currency,
    reference_wh: actualWh === null || !performanceRatio ? null : actualWh / performanceRatio,
    available_wh: expectedWh === null || availability === null ? null : expectedWh * availability,
    completeness: insight.completeness,
    reason: reasons[0]?.kind ?? '',
    insight: JSON.stringify(insight),
  };
}

/** Keeps what was found of days; what was found of the same before is replaced. */
export async function putInsights(telemetry: ClickHouseClient, rows: readonly InsightRow[]): Promise<void> {
  if (rows.length === 0) return;
  await telemetry.insert({
    table: 'site_insight',
    values: rows.map(rowOf),
    format: 'JSONEachRow',
    // What is null is not known: the column's default.
    clickhouse_settings: { input_format_null_as_default: 1 },
  });
}

interface Read {
  site: number;
  /** The day. */
  name: string;
  insight: string;
}

/** What is kept of some plants between two days, both included, the oldest first, by the plant's key. */
export async function insightsBetween(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  { first, last }: { first: string; last: string },
): Promise<Map<number, Map<string, StoredInsight>>> {
  const found = new Map<number, Map<string, StoredInsight>>();
  const turns = new Turns();
  for (const part of partsOf(keys, MOST_KEYS_ASKED)) {
    const answer = await telemetry.query({
      query: `SELECT site, toString(day) AS name, insight FROM site_insight FINAL
        WHERE day BETWEEN {first:Date} AND {last:Date} AND site IN (${part.join(',')}) ORDER BY site, day`,
      query_params: { first, last },
      format: 'JSONEachRow',
    });
    for (const { site, name, insight } of await answer.json<Read>()) {
      const days = found.get(site) ?? new Map<string, StoredInsight>();
      days.set(name, JSON.parse(insight) as StoredInsight);
      found.set(site, days);
      if (turns.isOver) await turns.giveBack();
    }
  }
  return found;
}

/** Of some plants the keys of those of which nothing tells what light they had on a day. */
export async function unlitAmong(
  telemetry: ClickHouseClient,
  keys: readonly number[],
  day: string,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  await eachRowOf(
    telemetry,
    keys,
    (list) => `SELECT site FROM site_insight FINAL WHERE day = '${day}' AND source = '' AND site IN (${list})`,
    (rows) => found.add(rows.uint32()),
  );
  return found;
}

/** The first day of which anything was recorded of any plant. */
export async function firstRecordedDay(telemetry: ClickHouseClient): Promise<string | null> {
  const answer = await telemetry.query({
    query: 'SELECT toString(minOrNull(day)) AS first FROM site_day',
    format: 'JSONEachRow',
  });
  const [row] = await answer.json<{ first: string | null }>();
  return row?.first ?? null;
}

/** Of each day of a plant what it gave of what it could, the oldest first. */
export async function normalisedDays(
  telemetry: ClickHouseClient,
  key: number,
): Promise<{ day: number; normalised: number }[]> {
  const answer = await telemetry.query({
    query: `SELECT toUInt32(toRelativeDayNum(day)) AS number, actual_wh / reference_wh AS normalised FROM site_insight FINAL
      WHERE site = {key:UInt32} AND isFinite(actual_wh) AND reference_wh > 0 ORDER BY day
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
    query_params: { key },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ number: number; normalised: number }>();
  return rows.map(({ number, normalised }) => ({ day: number, normalised }));
}
