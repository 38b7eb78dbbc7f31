const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SLOT_MS = 15 * MINUTE_MS;

/** Local time of a plant. Offsets are looked up once in a quarter of an hour, the finest at which zones change. */
export class LocalClock {
  readonly #format: Intl.DateTimeFormat;
  #slot = Number.NaN;
  #offsetMs = 0;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  }

  /** What is added to UTC, ms. */
  offsetMs(tsMs: number): number {
    const slot = Math.floor(tsMs / SLOT_MS);
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#offsetMs = this.#read(slot * SLOT_MS);
    }
    return this.#offsetMs;
  }

  /** Number of the local day since 1970-01-01. */
  day(tsMs: number): number {
    return Math.floor((tsMs + this.offsetMs(tsMs)) / DAY_MS);
  }

  /** Minute of the local day as the clock on the wall shows it, with its fraction. */
  minuteOfDay(tsMs: number): number {
    const local = tsMs + this.offsetMs(tsMs);
    return (local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS;
  }

  /** Start of the local day, epoch ms. */
  startOfDay(tsMs: number): number {
    const day = this.day(tsMs);
    let startMs = day * DAY_MS - this.offsetMs(tsMs);
    // The offset at midnight may differ from the one at tsMs.
    startMs = day * DAY_MS - this.offsetMs(startMs);
    return startMs;
  }

  #read(tsMs: number): number {
    const name = this.#format.formatToParts(tsMs).find((part) => part.type === 'timeZoneName')?.value ?? '';
    const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name);
    if (match === null) return 0;
    const [, sign, hours, minutes, seconds = '0'] = match;
    const value = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -value : value;
  }
}

/** Day of the week of a local day, 0 = Monday. */
export function weekday(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
