/** Locales whose CLDR data hold the letters of some zones; the first that knows a zone wins. */
const LOCALES = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA', 'en-CA'];

/** Letters of the IANA database that CLDR's English locales lack: [standard, summer]. */
const LETTERS: Record<string, readonly [string, string?]> = {
  'Africa/Cairo': ['EET', 'EEST'],
  'Africa/Nairobi': ['EAT'],
  'Asia/Hong_Kong': ['HKT'],
  'Asia/Jakarta': ['WIB'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT'],
  'Asia/Manila': ['PST'],
  'Asia/Seoul': ['KST'],
  'Asia/Shanghai': ['CST'],
  'Asia/Taipei': ['CST'],
  'Asia/Tokyo': ['JST'],
  'Europe/Moscow': ['MSK'],
};

const cache = new Map<string, string | undefined>();

/** Letters of a zone at a time, such as `CEST`; undefined where its time has none. Kept per zone and offset. */
export function zoneAbbreviation(tsMs: number, zone: string, offsetMs: number): string | undefined {
  const key = `${zone} ${offsetMs}`;
  if (!cache.has(key)) cache.set(key, find(tsMs, zone, offsetMs));
  return cache.get(key);
}

function find(tsMs: number, zone: string, offsetMs: number): string | undefined {
  const letters = Object.hasOwn(LETTERS, zone) ? LETTERS[zone] : undefined;
  if (letters !== undefined) {
    const [standard, summer] = letters;
    const januaryMs = Date.UTC(new Date(tsMs).getUTCFullYear(), 0, 15);
    return summer !== undefined && longOffsetMs(januaryMs, zone) !== offsetMs ? summer : standard;
  }
  for (const locale of LOCALES) {
    const name = namePart(tsMs, zone, locale, 'short');
    if (name !== undefined && /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return undefined;
}

function namePart(tsMs: number, zone: string, locale: string, style: 'short' | 'longOffset'): string | undefined {
  const format = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style });
  return format.formatToParts(tsMs).find(({ type }) => type === 'timeZoneName')?.value;
}

function longOffsetMs(tsMs: number, zone: string): number {
  const match = /([+-])(\d\d):(\d\d)/.exec(namePart(tsMs, zone, 'en', 'longOffset') ?? '');
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}
