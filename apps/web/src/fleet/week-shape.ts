const HOUR_MS = 3_600_000;

interface Plot {
  readonly width: number;
  readonly height: number;
  /** Value at the upper edge. */
  readonly top: number;
}

/** The next number above all values that people read at an axis, and its half as well. */
export function axisTop(peak: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(peak, 1)));
  return ([1, 2, 4, 6, 8].find((step) => step * power >= peak) ?? 10) * power;
}

interface Path {
  readonly line: string;
  readonly area: string;
}

/** Runs of hours that have a value, each a line and the area below it; a gap lies between two runs. */
export function weekPaths(values: readonly (number | null)[], { width, height, top }: Plot): Path[] {
  const step = width / values.length;
  const paths: Path[] = [];
  let run: string[] = [];
  let first = 0;
  const end = (next: number): void => {
    if (run.length > 0) {
      const line = `M${run.join('L')}`;
      const at = (hour: number) => ((hour + 0.5) * step).toFixed(1);
      paths.push({ line, area: `${line}L${at(next - 1)},${height}L${at(first)},${height}Z` });
    }
    run = [];
  };
  for (const [hour, value] of values.entries()) {
    if (value === null) {
      end(hour);
      continue;
    }
    if (run.length === 0) first = hour;
    const y = top > 0 ? height * (1 - value / top) : height;
    run.push(`${((hour + 0.5) * step).toFixed(1)},${y.toFixed(1)}`);
  }
  end(values.length);
  return paths;
}

interface Week {
  readonly startMs: number;
  readonly powerW: readonly (number | null)[];
}

interface Calendar {
  readonly dayOf: (ms: number) => string;
  readonly startOf: (day: string) => number;
  readonly next: (day: string) => string;
}

export interface DayPart {
  readonly day: string;
  readonly from: number;
  /** Of the whole time. */
  readonly share: number;
  /** All hours of the day are there. */
  readonly whole: boolean;
  /** Energy of its hours; null where none has a value. */
  readonly wh: number | null;
}

/** The days of the reader that the hours lie in, with what each of them gave; the energy of all days is that of all hours. */
export function dayParts({ startMs, powerW }: Week, { dayOf, startOf, next }: Calendar): DayPart[] {
  const endMs = startMs + powerW.length * HOUR_MS;
  const parts: DayPart[] = [];
  for (let day = dayOf(startMs); startOf(day) < endMs; day = next(day)) {
    const [begins, ends] = [startOf(day), startOf(next(day))];
    const [from, to] = [Math.max(startMs, begins), Math.min(endMs, ends)];
    const known = powerW.filter((value, hour) => {
      const at = startMs + hour * HOUR_MS;
      return value !== null && at >= from && at < to;
    });
    parts.push({
      day,
      from,
      share: (to - from) / (endMs - startMs),
      whole: from === begins && to === ends,
      wh: known.length === 0 ? null : known.reduce<number>((sum, value) => sum + (value ?? 0), 0),
    });
  }
  return parts;
}
