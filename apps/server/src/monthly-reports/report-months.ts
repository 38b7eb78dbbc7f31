import { localDay } from '@sonnenwarte/energy/calendar';
import type { Uses } from '../services.ts';
import { firstDayOf } from '../sites/site-energy.store.ts';
import type { SiteFrame } from '../sites/sites.store.ts';

/** The month after or before another. */
export function monthAfter(month: string, months = 1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

/** Months of which anything of a plant was recorded up to the running one, the newest first. */
export async function monthsOf(
  { telemetry, nowMs }: Uses<'telemetry' | 'nowMs'>,
  site: SiteFrame,
): Promise<{ month: string; isRunning: boolean }[]> {
  const first = (await firstDayOf(telemetry, site))?.slice(0, 7);
  if (first === undefined) return [];
  const running = localDay(nowMs(), site.timeZone).slice(0, 7);
  const months: { month: string; isRunning: boolean }[] = [];
  for (let month = running; month >= first; month = monthAfter(month, -1))
    months.push({ month, isRunning: month === running });
  return months;
}
