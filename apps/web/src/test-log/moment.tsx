import type { ReactNode } from 'react';
import { formatTimeSeconds, localDay } from '../format/dates.ts';
import { localZone } from '../format/local-zone.ts';
import { useFormat } from '../format/use-format.ts';

/** A time to the second: messages and samples follow each other closely. */
export function Moment({ atMs }: { atMs: number }): ReactNode {
  const format = useFormat();
  const zone = localZone();
  return (
    <time dateTime={new Date(atMs).toISOString()}>
      {format.day(localDay(atMs, zone))}, {formatTimeSeconds(atMs, zone, format.locale)}
    </time>
  );
}
