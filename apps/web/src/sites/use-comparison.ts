import type { ReportVariable } from '@sonnenwarte/contract/sites/site';
import { comparison, type SiteComparison } from '@sonnenwarte/contract/sites/site-comparison';
import { historyReport } from '@sonnenwarte/contract/sites/site-endpoints';
import { useQuery } from '@tanstack/react-query';
import type { TimeRangeValue } from '../blocks/form/time-range.tsx';
import { read } from '../client/queries.ts';
import { calendarParts } from '../format/dates.ts';

export const againsts = ['none', 'previous', 'lastYear'] as const;
export type Against = (typeof againsts)[number];

const REFRESH_MS = 5 * 60_000;
const KILO = 1000;

/** What a range can be compared with: of all years nothing, of a year the one before is last year. */
export const againstsOf = ({ span }: TimeRangeValue): readonly Against[] =>
  span === 'total' ? ['none'] : span === 'year' ? ['none', 'previous'] : againsts;

interface Compared {
  told: SiteComparison | undefined;
  /** What each bar is compared with, by its index. */
  sumsWh: ReadonlyMap<number, number>;
}

/** A range beside another one; nothing is asked for while there is none. */
export function useComparison(
  stationID: string,
  range: TimeRangeValue,
  against: Against,
  wholes: readonly ReportVariable[],
): Compared {
  const isCompared = against !== 'none' && range.span !== 'total';
  const told = useQuery({
    ...read(comparison, {
      stationID,
      span: range.span === 'total' ? 'year' : range.span,
      date: range.day,
      against: against === 'none' ? 'previous' : against,
    }),
    enabled: isCompared,
    refetchInterval: REFRESH_MS,
  });
  const other = told.data?.against.first;
  const bars = useQuery({
    ...read(historyReport, {
      stationID,
      reportType: range.span,
      variables: [...wholes],
      queryDate: calendarParts(other ?? range.day),
    }),
    enabled: isCompared && other !== undefined,
  });
  const sumsWh = new Map<number, number>();
  if (isCompared && other !== undefined) {
    for (const { index, value } of bars.data?.flatMap(({ data }) => data) ?? [])
      if (value !== null) sumsWh.set(index, (sumsWh.get(index) ?? 0) + KILO * value);
  }
  return { told: isCompared ? told.data : undefined, sumsWh };
}
