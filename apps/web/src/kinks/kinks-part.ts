import type { ComponentType } from 'react';
import type { ChartMark } from '../charts/chart-marks.tsx';
import { lazyPart } from '../with-texts.ts';

export interface DayKinksProps {
  stationID: string;
  date: string;
  timeZone: string;
  refetchInterval: number | false;
  /** The kinks of the day as marks of its chart, in the order of time. */
  onFound: (marks: readonly ChartMark[]) => void;
}

/** Finds the kinks of a day's curve for its chart; shows nothing itself. */
export const DayKinks: ComponentType<DayKinksProps> = lazyPart(
  'kinks',
  async () => (await import('./day-kinks.tsx')).DayKinks,
);
