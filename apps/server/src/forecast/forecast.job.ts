import { systemScope } from '../access/scope.ts';
import { type ForecastParts, keepOf } from './forecast.service.ts';
import { forgetBefore, untoldSites } from './forecast.store.ts';

const DAY_MS = 86_400_000;
/** Plants nobody looked at for so long are told nothing until somebody does. */
const LOOKED_DAYS = 14;
const KEPT_DAYS = 120;
/** On the plant's clock: late enough that today says what there is to say. */
const FROM_HOUR = 17;
const MOST_AT_ONCE = 200;

const dayOf = (tsMs: number): string => new Date(tsMs).toISOString().slice(0, 10);

/** Tells tomorrow of the plants that were looked at lately, in their evening, a few at a time: it follows who looks, not the fleet. */
export async function keepForecasts(parts: ForecastParts, ending: AbortSignal): Promise<void> {
  const nowMs = parts.nowMs();
  const sites = await untoldSites(parts.db, systemScope, {
    nowMs,
    lookedSince: dayOf(nowMs - LOOKED_DAYS * DAY_MS),
    fromHour: FROM_HOUR,
    most: MOST_AT_ONCE,
  });
  for (const id of sites) {
    if (ending.aborted) return;
    await keepOf(parts, id);
  }
}

/** Lets go of what nobody compares any more. */
export const forgetForecasts = ({ db, nowMs }: Pick<ForecastParts, 'db' | 'nowMs'>): Promise<void> =>
  forgetBefore(db, { told: dayOf(nowMs() - KEPT_DAYS * DAY_MS), looked: dayOf(nowMs() - LOOKED_DAYS * DAY_MS) });
