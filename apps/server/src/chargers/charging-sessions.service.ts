import type { ChargingSession, sessions } from '@sonnenwarte/contract/chargers/chargers';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { tariffSpans } from '@sonnenwarte/energy/accounting/money';
import type { OriginBucket } from '@sonnenwarte/energy/accounting/where-from';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { tariffsOf } from '../sites/prices.store.ts';
import { originsWithin } from '../sites/where-from.store.ts';
import type { Asked, Found } from '../stores/lists.ts';
import { type SessionRow, sessionsInScope } from './chargers.store.ts';
import { originOf } from './session-costs.ts';
import { MOST_REGISTER_WH } from './session-meter.ts';

/** A session is divided by its flows within this time; a vehicle that hangs there for longer was not charging. */
const LONGEST_MS = 7 * 86_400_000;
/** No row that is stored, however it came about, may take a page with it. */
const knownWh = (wh: number | null): number | null => (wh !== null && wh >= 0 && wh <= MOST_REGISTER_WH ? wh : null);

interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The five minutes that a session touches. */
function boundsOf(row: Pick<SessionRow, 'began_at' | 'ended_at'>, nowMs: number): Span {
  const beganMs = row.began_at.getTime();
  const startMs = Math.floor(beganMs / BUCKET_MS) * BUCKET_MS;
  return {
    startMs,
    endMs: Math.max(Math.ceil(endOf(row, nowMs) / BUCKET_MS) * BUCKET_MS, startMs + BUCKET_MS),
  };
}

const endOf = ({ began_at, ended_at }: Pick<SessionRow, 'began_at' | 'ended_at'>, nowMs: number): number =>
  Math.min(ended_at?.getTime() ?? nowMs, began_at.getTime() + LONGEST_MS);

/** Spans put together where they touch. */
function merged(spans: readonly Span[]): Span[] {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const span of [...spans].sort((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last !== undefined && span.startMs <= last.endMs) last.endMs = Math.max(last.endMs, span.endMs);
    else joined.push({ ...span });
  }
  return joined;
}

/** Sessions of piles, with where their energy came from. What several of a plant have in common is read once. */
export async function sessionList(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  input: Asked<typeof sessions>,
  { scope }: Scoped,
): Promise<Found<ChargingSession>> {
  const page = await sessionsInScope(db, scope, input);
  const now = nowMs();
  const bySite = Map.groupBy(page.rows, ({ siteId }) => siteId);
  const shown = new Map<string, ChargingSession>();
  for (const [siteId, rows] of bySite) {
    const tariffs = await tariffsOf(db, siteId);
    const charged = rows.filter(({ energy_wh }) => (knownWh(energy_wh) ?? 0) > 0);
    const spans = merged(charged.map((row) => boundsOf(row, now)));
    const key = rows[0]?.siteKey ?? 0;
    const buckets = spans.length === 0 ? [] : (await originsWithin(telemetry, { key }, spans)).charger;
    for (const row of rows) shown.set(row.id, sessionOf(row, buckets, tariffs, now));
  }
  return { ...page, rows: page.rows.flatMap(({ id }) => shown.get(id) ?? []) };
}

function sessionOf(
  row: SessionRow,
  buckets: readonly OriginBucket[],
  tariffs: Awaited<ReturnType<typeof tariffsOf>>,
  nowMs: number,
): ChargingSession {
  const beganMs = row.began_at.getTime();
  const energyWh = knownWh(row.energy_wh);
  const span = { beganMs, endMs: endOf(row, nowMs), energyWh: energyWh ?? 0 };
  const spans = tariffSpans(tariffs, boundsOf(row, nowMs), row.timeZone);
  return {
    id: row.id,
    deviceSN: row.sn,
    pile: row.name,
    beganMs,
    endedMs: row.ended_at?.getTime() ?? null,
    energyWh: withoutNoise(energyWh),
    ...originOf(span, buckets, spans, decimalsOf),
  };
}
