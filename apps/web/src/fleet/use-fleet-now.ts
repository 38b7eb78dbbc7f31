import { type FleetSummary, summary } from '@sonnenwarte/contract/fleet/fleet';
import { useQuery } from '@tanstack/react-query';
import { read } from '../client/queries.ts';
import { useLineBroken } from '../live/line-state.ts';
import { useFleetLive } from '../live/use-live.ts';

/** How often the live stream brings new sums. */
export const FLEET_INTERVAL_S = 30;

export interface FleetNow {
  fleet: FleetSummary | undefined;
  broken: boolean;
  error: unknown;
  retry: () => void;
}

/** Sums over all in scope: read once, then as the live stream brings them. */
export function useFleetNow(): FleetNow {
  const first = useQuery(read(summary, {}));
  const pushed = useFleetLive();
  const broken = useLineBroken();
  const fleet = pushed && pushed.asOfMs >= (first.data?.asOfMs ?? 0) ? pushed : first.data;
  return { fleet, broken, error: fleet ? null : first.error, retry: () => void first.refetch() };
}
