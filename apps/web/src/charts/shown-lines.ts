import { readLocal, writeLocal } from '../state/storage.ts';
import { createStore, useStore } from '../state/store.ts';
import type { Lines } from './chart-parts.ts';
import { type DaySeries, essentialSeries, type SeriesName, seriesNames } from './day-series.ts';

/** Lines that were chosen and lines that were put away, on all plants alike; of all others nothing was said. */
interface ChosenLines {
  readonly on: readonly SeriesName[];
  readonly off: readonly SeriesName[];
}

const isName = (name: unknown): name is SeriesName => seriesNames.some((each) => each === name);

function kept(): ChosenLines {
  try {
    const { on, off } = JSON.parse(readLocal('dayLines') ?? '{}') as { on?: unknown; off?: unknown };
    const names = (list: unknown): SeriesName[] => (Array.isArray(list) ? list.filter(isName) : []);
    return { on: names(on), off: names(off) };
  } catch {
    return { on: [], off: [] };
  }
}

const chosen = createStore<{ lines: ChosenLines }>({ lines: kept() });

/** Which lines of a day are not drawn: all but the essential ones, until this browser remembers another choice. */
export function hiddenSeries(series: readonly DaySeries[], { on, off }: ChosenLines): ReadonlySet<SeriesName> {
  const essential = essentialSeries(series);
  return new Set(
    series
      .map(({ name }) => name)
      .filter((name) => off.includes(name) || (!on.includes(name) && !essential.includes(name))),
  );
}

export function useShownLines(series: readonly DaySeries[]): Lines {
  const lines = useStore(chosen, (state) => state.lines);
  const hidden = hiddenSeries(series, lines);
  const toggle = (name: string): void => {
    if (!isName(name)) return;
    const without = (list: readonly SeriesName[]): SeriesName[] => list.filter((each) => each !== name);
    const next = hidden.has(name)
      ? { on: [...without(lines.on), name], off: without(lines.off) }
      : { on: without(lines.on), off: [...without(lines.off), name] };
    chosen.set({ lines: next });
    writeLocal('dayLines', JSON.stringify(next));
  };
  return { hidden, toggle };
}
