/** The calendar of a plant, asked of `Intl` for each quarter of an hour and of nothing else. */
export interface WallTime {
  readonly day: string;
  /** When the hour of this clock began, epoch ms. */
  readonly hourMs: number;
  readonly minuteOfDay: number;
  readonly isWeekend: boolean;
}

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  readonly #known = new Map<number, WallTime>();

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
  }

  /** What the clock shows at the beginning of the quarter of an hour that holds a time. */
  at(tsMs: number): WallTime {
    const quarterMs = tsMs - (tsMs % QUARTER_MS);
    let time = this.#known.get(quarterMs);
    if (time === undefined) {
      time = this.#ask(quarterMs);
      this.#known.set(quarterMs, time);
    }
    return time;
  }

  #ask(quarterMs: number): WallTime {
    const parts = Object.fromEntries(this.#format.formatToParts(quarterMs).map(({ type, value }) => [type, value]));
    const minuteOfDay = 60 * Number(parts.hour) + Number(parts.minute);
    return {
      day: `${parts.year}-${parts.month}-${parts.day}`,
      hourMs: this.#hourBegan(quarterMs, minuteOfDay),
      minuteOfDay,
      isWeekend: parts.weekday === 'Sat' || parts.weekday === 'Sun',
    };
  }

  /** An hour also begins where the clock was set, unless what was before and what is after are an hour together. */
  #hourBegan(quarterMs: number, minuteOfDay: number): number {
    const minute = minuteOfDay % 60;
    if (minute === 0) return quarterMs;
    const before = this.at(quarterMs - QUARTER_MS);
    const isSet = before.minuteOfDay !== minuteOfDay - 15;
    return isSet && quarterMs - before.hourMs !== minute * MINUTE_MS ? quarterMs : before.hourMs;
  }
}
