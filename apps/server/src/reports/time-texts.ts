import { zoneOffsetMs } from '@sonnenwarte/energy/calendar';

const MINUTE_MS = 60_000;

const two = (value: number): string => String(value).padStart(2, '0');

/** `+02:00` */
export function offsetText(tsMs: number, timeZone: string): string {
  const offset = Math.round(zoneOffsetMs(tsMs, timeZone) / MINUTE_MS);
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** `2026-10-25 02:30:00+02:00`: the hour that a clock repeats is told apart by its offset. */
export function localTimeText(tsMs: number, timeZone: string): string {
  const local = new Date(tsMs + zoneOffsetMs(tsMs, timeZone)).toISOString();
  const end = tsMs % 1_000 === 0 ? 19 : 23;
  return `${local.slice(0, 10)} ${local.slice(11, end)}${offsetText(tsMs, timeZone)}`;
}
