import { isValidZone, zoneOffsetMs } from './calendar.ts';

const HOUR_MS = 3_600_000;
/** Zones without summer time whose offset is no whole hour, by their offset in hours. */
const brokenOffsets: Readonly<Record<string, string>> = {
  '-9.5': 'Pacific/Marquesas',
  '3.5': 'Asia/Tehran',
  '4.5': 'Asia/Kabul',
  '5.5': 'Asia/Kolkata',
  '5.75': 'Asia/Kathmandu',
  '6.5': 'Asia/Yangon',
  '8.75': 'Australia/Eucla',
  '9.5': 'Australia/Darwin',
};

/**
 * The zone whose clock is that of another one without its summer time: itself where it has none in the year of `nowMs`. Undefined where
 * there is no such zone (Newfoundland, Lord Howe, Chatham). Throws RangeError for an unknown zone.
 */
export function standardZone(zone: string, nowMs: number): string | undefined {
  const year = new Date(nowMs).getUTCFullYear();
  const january = zoneOffsetMs(Date.UTC(year, 0, 1), zone);
  const july = zoneOffsetMs(Date.UTC(year, 6, 1), zone);
  if (january === july) return zone;
  const hours = Math.min(january, july) / HOUR_MS;
  // Etc/GMT-1 is an hour before Greenwich's: east of it.
  const named = Number.isInteger(hours)
    ? `Etc/GMT${hours === 0 ? '' : hours > 0 ? `-${hours}` : `+${-hours}`}`
    : brokenOffsets[String(hours)];
  return named !== undefined && isValidZone(named) ? named : undefined;
}
