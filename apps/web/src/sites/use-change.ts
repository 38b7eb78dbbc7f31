import type { Site } from '@sonnenwarte/contract/sites/site';
import { comparison } from '@sonnenwarte/contract/sites/site-comparison';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { localDay } from '../format/dates.ts';
import { untilNextSumsMs } from '../live/until-next-sums.ts';
import { useNow } from '../live/use-now.ts';

const MINUTE_MS = 60_000;
/** What is compared with less says nothing in percent. */
const LEAST_WH = 100;

/** Change of today's PV energy against yesterday's up to the same time of day, percent; null where that cannot be said. */
export function useChangeSinceYesterday({
  stationID,
  ianaTimezone,
}: Pick<Site, 'stationID' | 'ianaTimezone'>): number | null {
  const date = localDay(useNow(MINUTE_MS), ianaTimezone);
  const { data } = useQuery({
    ...read(comparison, { stationID, span: 'day', date, against: 'previous' }),
    refetchInterval: untilNextSumsMs,
  });
  const [now, before] = [data?.now.generationWh ?? null, data?.before?.generationWh ?? null];
  return now === null || before === null || before < LEAST_WH ? null : (100 * (now - before)) / before;
}
