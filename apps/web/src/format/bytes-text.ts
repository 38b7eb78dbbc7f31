import type { Format } from './use-format.ts';

const MEGABYTE = 1_000_000;
const KILOBYTE = 1_000;

/** A size as people read it: in kilobytes below a megabyte. */
export const bytesText = (bytes: number, format: Pick<Format, 'number'>): string =>
  bytes < MEGABYTE / 10
    ? `${format.number(Math.max(1, Math.round(bytes / KILOBYTE)), 0)} kB`
    : `${format.number(bytes / MEGABYTE, 1)} MB`;
