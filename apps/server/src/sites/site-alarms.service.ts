import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MOST_SITE_ALARMS, type SiteSilence } from '@sonnenwarte/contract/sites/site-alarms';
import type { siteEndpoints } from '@sonnenwarte/contract/sites/site-endpoints';
import { dayBounds } from '@sonnenwarte/energy/calendar';
import { CallError, found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { alarmsOfSite, type HeardDatalogger, heardDataloggers, priceChangesWithin } from './site-alarms.store.ts';
import { siteNowFrame } from './sites.store.ts';

type Sites = typeof siteEndpoints;

/** Why a plant that is offline tells nothing, by the datalogger of it that was heard last. */
export function silenceOf(newestMs: number | null, heard: HeardDatalogger | undefined): SiteSilence {
  const reason =
    heard === undefined
      ? 'noLogger'
      : heard.isOnline
        ? 'noValues'
        : heard.lastSeenMs === null
          ? 'neverHeard'
          : 'silent';
  return {
    reason,
    sinceMs: newestMs,
    moduleSN: heard?.sn ?? '',
    moduleType: heard?.type ?? '',
    lastSeenMs: heard?.lastSeenMs ?? null,
  };
}

function spanOf({ firstDay, lastDay }: Parsed<Sites['alarms']>, timeZone: string) {
  if (firstDay === undefined && lastDay === undefined) return undefined;
  const first = firstDay ?? lastDay ?? '';
  const last = lastDay ?? firstDay ?? '';
  if (last < first) {
    throw new CallError('refusedInput', { fields: [{ path: 'lastDay', reason: 'invalid_value', params: {} }] });
  }
  return { startMs: dayBounds(first, timeZone).startMs, endMs: dayBounds(last, timeZone).endMs };
}

/** Alarms of a plant, now or within a span of its local days, what was changed within it, and why it is offline. */
export async function siteAlarmsOf(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Parsed<Sites['alarms']>,
  { scope }: Scoped,
): Promise<Result<Sites['alarms']>> {
  const now = nowMs();
  const site = found(await siteNowFrame(db, scope, input.stationID, now), 'siteNotFound');
  const span = spanOf(input, site.timeZone);
  const isOffline = site.state === 'offline';
  const [{ alarms, total }, changes, heard] = await Promise.all([
    alarmsOfSite(db, scope, site.id, { span, most: MOST_SITE_ALARMS }),
    span === undefined ? [] : priceChangesWithin(db, site, span),
    isOffline ? heardDataloggers(db, scope, [site.id], now) : undefined,
  ]);
  const silence = isOffline ? silenceOf(site.ts?.getTime() ?? null, heard?.get(site.id)) : null;
  return { alarms, total, changes, silence };
}
