import type { ClickHouseClient } from '@clickhouse/client';
import { rawTable, toldOf } from '../stores/telemetry-tables.ts';

const PARTS = 300;
const SHORTEST_PART_MS = 60_000;

/** Signal and buffer of a datalogger in some 300 parts of a span; parts without a sample hold `null`, so that gaps stay open. */
export async function signalOf(telemetry: ClickHouseClient, key: number, startMs: number, endMs: number) {
  const partMs = Math.max(SHORTEST_PART_MS, Math.ceil((endMs - startMs) / PARTS / SHORTEST_PART_MS) * SHORTEST_PART_MS);
  const signal = toldOf('logger', { name: 'Net/Rssi' });
  const pending = toldOf('logger', { name: 'Buffer/Pending' });
  const answer = await telemetry.query({
    query: `SELECT toInt64(intDiv(toUnixTimestamp64Milli(ts) - {start:Int64}, {part:Int64})) AS at,
        avg(signal) AS mean, min(signal) AS lowest, max(waiting) AS pending
      FROM (SELECT ts, ${signal} AS signal, ${pending} AS waiting FROM ${rawTable('logger')}
        WHERE device = {key:UInt32} AND ts >= fromUnixTimestamp64Milli({start:Int64})
          AND ts < fromUnixTimestamp64Milli({end:Int64}))
      GROUP BY at ORDER BY at SETTINGS output_format_json_quote_64bit_integers = 0`,
    query_params: { key, start: startMs, end: endMs, part: partMs },
    format: 'JSONEachRow',
  });
  const rows = await answer.json<{ at: number; mean: number | null; lowest: number | null; pending: number | null }>();
  const byPart = new Map(rows.map((row) => [row.at, row]));
  const tsMs: number[] = [];
  const meanDbm: (number | null)[] = [];
  const lowestDbm: (number | null)[] = [];
  const waiting: (number | null)[] = [];
  if (rows.length === 0) return { tsMs, meanDbm, lowestDbm, pending: waiting };
  for (let at = 0; startMs + at * partMs < endMs; at += 1) {
    const row = byPart.get(at);
    tsMs.push(startMs + at * partMs);
    meanDbm.push(row?.mean == null ? null : Math.round(row.mean * 10) / 10);
    lowestDbm.push(row?.lowest ?? null);
    waiting.push(row?.pending ?? null);
  }
  return { tsMs, meanDbm, lowestDbm, pending: waiting };
}
