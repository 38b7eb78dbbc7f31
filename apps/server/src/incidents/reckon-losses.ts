import { dayBounds, localDay } from '@sonnenwarte/energy/calendar';
import { daysBefore } from '../insight/due.store.ts';
import type { DayStores } from '../insight/plant-days.ts';
import { toldDays } from '../insight/told-losses.ts';
import { DATALOGGER_OFFLINE, DEVICE_OFFLINE } from './explains.ts';
import { costingAt, type DayLoss, dueSites, writeLosses } from './losses.store.ts';
import { lossesOf } from './losses.ts';

/** Of what nobody heard nobody knows what it cost. */
const isSilence = (code: number): boolean => code === DATALOGGER_OFFLINE || code === DEVICE_OFFLINE;
const NOTHING = { wh: 0, money: '0' };

/** Plants that are reckoned at a time. */
const SITES_AT_ONCE = 50;
/** How often the losses of what stands are looked at. */
export const RECKON_EVERY_MS = 600_000;
/** Days may be reckoned anew for so long after. */
const AGAIN_DAYS = 3;
/** What an incident cost before is not worked out. */
const MOST_DAYS_BACK = 40;

/**
 * Works out what the incidents of some plants have cost, those that were looked at longest ago first; answers how many plants it did. The same however often
 * it is done.
 */
export async function reckonLosses(stores: DayStores, nowMs: number): Promise<number> {
  const sites = await dueSites(
    stores.db,
    new Date(nowMs - RECKON_EVERY_MS),
    new Date(nowMs - AGAIN_DAYS * 86_400_000),
    SITES_AT_ONCE,
  );
  if (sites.length === 0) return 0;
  const utcDay = new Date(nowMs).toISOString().slice(0, 10);
  const oldest = daysBefore(utcDay, MOST_DAYS_BACK);
  const [fresh, known] = [sites.filter(({ is_fresh }) => is_fresh), sites.filter(({ is_fresh }) => !is_fresh)];
  for (const [part, first] of [
    [fresh, oldest],
    [known, daysBefore(utcDay, AGAIN_DAYS + 1)],
  ] as const) {
    if (part.length > 0) await reckonSites(stores, part, first, nowMs);
  }
  return sites.length;
}

async function reckonSites(
  stores: DayStores,
  sites: readonly { site_id: string; time_zone: string }[],
  first: string,
  nowMs: number,
): Promise<void> {
  const ids = sites.map(({ site_id }) => site_id);
  const [days, costing] = [
    await toldDays(stores, ids, first, nowMs),
    await costingAt(stores.db, ids, new Date(`${first}T00:00:00Z`)),
  ];
  const losses: DayLoss[] = [];
  for (const { site_id, time_zone } of sites) {
    const today = localDay(nowMs, time_zone);
    for (const [day, told] of days.get(site_id) ?? []) {
      if (day > today) continue;
      const { startMs, endMs } = dayBounds(day, time_zone);
      const there = (costing.get(site_id) ?? []).filter(
        ({ sinceMs, untilMs }) => sinceMs < endMs && (untilMs ?? Number.POSITIVE_INFINITY) > startMs,
      );
      const lost = lossesOf(told, there);
      for (const { id, code } of there) {
        const cost = lost.get(id) ?? (told.lossWh === null || isSilence(code) ? undefined : NOTHING);
        if (cost !== undefined) losses.push({ incident: id, day, ...cost, currency: told.currency });
      }
    }
  }
  await writeLosses(stores.db, { ids, first, losses, at: new Date(nowMs) });
}
