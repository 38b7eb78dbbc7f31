import type { Site } from '@sonnenwarte/contract/sites/site';
import { day } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { addDays, localDay } from '../format/dates.ts';
import { useNow } from '../live/use-now.ts';
import { changeSinceYesterday } from './day-comparison.ts';

const MINUTE_MS = 60_000;

/** Change of today's PV energy against yesterday's up to the same time of day, percent; null where that cannot be said. */
export function useChangeSinceYesterday({
  stationID,
  ianaTimezone,
}: Pick<Site, 'stationID' | 'ianaTimezone'>): number | null {
  const nowMs = useNow(MINUTE_MS);
  const date = localDay(nowMs, ianaTimezone);
  const today = useQuery(read(day, { stationID, date }));
  const yesterday = useQuery(read(day, { stationID, date: addDays(date, -1) }));
  return today.data && yesterday.data ? changeSinceYesterday(today.data, yesterday.data, nowMs) : null;
}
