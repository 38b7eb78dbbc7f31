import type { Figures, SiteLive } from '@sonnenwarte/contract/sites/site';
import { figures, live } from '@sonnenwarte/contract/sites/sites';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { ageMsOf, freshnessOf } from '../live/freshness.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useSiteLive } from '../live/use-live.ts';
import { useNow } from '../live/use-now.ts';

const REFRESH_MS = 60_000;
/** How soon figures that are being made anew are read again. */
const RECALCULATING_MS = 5_000;
const STEP_MS = 1_000;

export interface SiteNow {
  live: SiteLive | undefined;
  /** As the stream tells it: it may have been renamed since its record was read. */
  name: string | undefined;
  /** Today's figures, as fresh as the powers. */
  today: Figures | undefined;
  /** The stream is down: what is shown may be old. */
  broken: boolean;
  /** Values are not to be taken as current: stream down, plant offline, or older than two upload intervals. */
  stale: boolean;
  ageMs: number | null;
  /** How much of a history that is still coming has been accounted; null where none comes. */
  historyPercent: number | null;
  /** Past figures are being made anew. */
  recalculating: boolean;
  loading: boolean;
  error: unknown;
  retry: () => void;
}

/** Powers of a plant now: read once, then as the live stream brings them. */
export function useSiteNow(stationID: string): SiteNow {
  const first = useQuery(read(live, { stationID }));
  const sums = useQuery({
    ...read(figures, { stationID }),
    refetchInterval: ({ state }) => (state.data?.recalculating ? RECALCULATING_MS : REFRESH_MS),
  });
  const pushed = useSiteLive(stationID);
  const broken = useLineBroken();
  const nowMs = useNow(STEP_MS);
  const fromStream = pushed && (pushed.site.asOfMs ?? 0) >= (first.data?.asOfMs ?? 0);
  const shown = fromStream ? pushed.site : first.data;
  const asOfMs = shown?.asOfMs ?? null;
  return {
    live: shown,
    name: broken ? undefined : pushed?.site.name,
    today: fromStream ? pushed.today : sums.data?.today,
    broken,
    stale:
      shown !== undefined &&
      (broken || shown.state === 'offline' || freshnessOf(asOfMs, shown.intervalS, nowMs) !== 'live'),
    ageMs: asOfMs === null ? null : ageMsOf(asOfMs, nowMs),
    historyPercent: shown?.historyPercent ?? null,
    recalculating: (shown?.recalculating ?? false) || (sums.data?.recalculating ?? false),
    loading: shown === undefined && first.isPending,
    error: shown === undefined ? first.error : null,
    retry: () => void first.refetch(),
  };
}
