import type { ChargingSession, sessions } from '@sonnenwarte/contract/chargers/chargers';
import { BUCKET_MS } from '@sonnenwarte/energy/accounting/bucket-span';
import { tariffSpans } from '@sonnenwarte/energy/accounting/money';
import type { OriginBucket } from '@sonnenwarte/energy/accounting/where-from';
import { withoutNoise } from '@sonnenwarte/energy/rounding';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { decimalsOf } from '../sites/currency-decimals.ts';
import { tariffsOf } from '../sites/prices.store.ts';
import { originsOf } from '../sites/where-from.store.ts';
import type { Asked, Found } from '../stores/lists.ts';
import { sessionsInScope } from './chargers.store.ts';
import { originOf } from './session-costs.ts';
import { MOST_REGISTER_WH } from './session-meter.ts';

/** A session is divided by its flows within this time; a vehicle that hangs there for longer was not charging. */
const LONGEST_MS = 7 * 86_400_000;
/** Sessions whose flows are read at the same time. */
const READ_AT_ONCE = 8;

/** No row that is stored, however it came about, may take a page with it. */
const knownWh = (wh: number | null): number | null => (wh !== null && wh >= 0 && wh <= MOST_REGISTER_WH ? wh : null);

/** Sessions of piles, with where their energy came from. */
export async function sessionList(
  { db, telemetry, nowMs }: Uses<'db' | 'telemetry' | 'nowMs'>,
  input: Asked<typeof sessions>,
  { scope }: Scoped,
): Promise<Found<ChargingSession>> {
  const page = await sessionsInScope(db, scope, input);
  const sites = [...new Set(page.rows.map(({ siteId }) => siteId))];
  const tariffs = new Map(await Promise.all(sites.map(async (id) => [id, await tariffsOf(db, id)] as const)));
  const rows: ChargingSession[] = [];
  for (let from = 0; from < page.rows.length; from += READ_AT_ONCE) {
    const some = page.rows.slice(from, from + READ_AT_ONCE);
    rows.push(...(await Promise.all(some.map(shown))));
  }
  return { ...page, rows };

  async function shown(row: (typeof page.rows)[number]): Promise<ChargingSession> {
    const beganMs = row.began_at.getTime();
    const endMs = Math.min(row.ended_at?.getTime() ?? nowMs(), beganMs + LONGEST_MS);
    const bounds = {
      startMs: Math.floor(beganMs / BUCKET_MS) * BUCKET_MS,
      endMs: Math.max(
        Math.ceil(endMs / BUCKET_MS) * BUCKET_MS,
        Math.floor(beganMs / BUCKET_MS) * BUCKET_MS + BUCKET_MS,
      ),
    };
    const energyWh = knownWh(row.energy_wh);
    const buckets: readonly OriginBucket[] =
      energyWh !== null && energyWh > 0 ? (await originsOf(telemetry, { key: row.siteKey }, bounds)).charger : [];
    const spans = tariffSpans(tariffs.get(row.siteId) ?? [], bounds, row.timeZone);
    return {
      id: row.id,
      deviceSN: row.sn,
      pile: row.name,
      beganMs,
      endedMs: row.ended_at?.getTime() ?? null,
      energyWh: withoutNoise(energyWh),
      ...originOf({ beganMs, endMs, energyWh: energyWh ?? 0 }, buckets, spans, decimalsOf),
    };
  }
}
