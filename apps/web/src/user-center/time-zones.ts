/** A zone without the underscores of its name: `America/New York`. */
export const shownZone = (zone: string): string => zone.replaceAll('_', ' ');

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .replaceAll(/[_/\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** Zones whose name holds every word of the text; the chosen one first where nothing is searched. */
export function matchingZones(
  text: string,
  most: number,
  chosen: string | null,
  all: readonly string[] = Intl.supportedValuesOf('timeZone'),
): string[] {
  const words = plain(text).split(' ');
  const matches = all.filter((zone) => words.every((word) => plain(zone).includes(word)));
  const first = chosen !== null && matches.includes(chosen) ? [chosen] : [];
  return [...first, ...matches.filter((zone) => zone !== chosen)].slice(0, most);
}

/** How far a zone is ahead of UTC at a moment, as its language writes it. */
export function offsetText(zone: string, tsMs: number, locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(tsMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
