import { type KeyboardEvent, useEffect, useState } from 'react';
import { type CurveData, nextSample } from './curves.ts';
import { isWhole, type Window, within, zoomed } from './lanes.ts';
import type { PlotMark } from './marks-track.tsx';
import { dayFrom } from './time-text.ts';

const PAGE = 12;

export interface Reading {
  readonly part: Window;
  /** What is pointed at; null where nothing is. */
  readonly pointedMs: number | null;
  /** The moment that is told: what is pointed at, else the newest. */
  readonly tsMs: number;
  readonly chosenMark: string | undefined;
  readonly point: (tsMs: number | null) => void;
  readonly show: (part: Window) => void;
  readonly step: (by: 1 | -1) => void;
  readonly choose: (key: string | undefined) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

interface Read {
  readonly curves: readonly CurveData[];
  readonly marks: readonly PlotMark[];
  readonly whole: Window;
  readonly timeZone: string;
  readonly part: Window | undefined;
  readonly onPart: (part: Window | undefined) => void;
}

/** Which part of the time is looked at, and which moment of it is read, by pointer and by keys. */
export function useReading({ curves, marks, whole, timeZone, part: chosen, onPart }: Read): Reading {
  const [pointedMs, setPointed] = useState<number | null>(null);
  const [chosenMark, choose] = useState<string>();
  const part = chosen === undefined ? whole : within(chosen, whole);
  const wholeKey = `${whole.fromMs} ${whole.toMs}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another time is read from its beginning
  useEffect(() => {
    setPointed(null);
    choose(undefined);
  }, [wholeKey]);

  const newestMs = nextSample(curves, part.toMs + 1, -1) ?? part.toMs;
  const tsMs = pointedMs ?? newestMs;
  const show = (next: Window): void => onPart(isWhole(next, whole) ? undefined : next);

  const nearest = (atMs: number): number => {
    const [before, after] = [nextSample(curves, atMs + 1, -1), nextSample(curves, atMs, 1)];
    if (before === undefined || after === undefined) return before ?? after ?? atMs;
    return atMs - before <= after - atMs ? before : after;
  };
  /** Goes to a moment, and takes the part along where it lies beside it. */
  const goTo = (atMs: number): void => {
    const target = Math.min(whole.toMs, Math.max(whole.fromMs, atMs));
    setPointed(target);
    if (target >= part.fromMs && target <= part.toMs) return;
    const byMs = target < part.fromMs ? target - part.fromMs : target - part.toMs;
    const lengthMs = part.toMs - part.fromMs;
    const fromMs = part.fromMs + byMs + Math.sign(byMs) * lengthMs * 0.1;
    show(within({ fromMs, toMs: fromMs + lengthMs }, whole));
  };
  const step = (by: 1 | -1, times = 1): void => {
    let atMs = tsMs;
    for (let time = 0; time < times; time += 1) atMs = nextSample(curves, atMs, by) ?? atMs;
    goTo(atMs);
  };
  const goToMark = (by: 1 | -1): void => {
    const isBeyond = ({ atMs }: PlotMark): boolean => (by > 0 ? atMs > tsMs : atMs < tsMs);
    const fromStart = by > 0 && pointedMs === null;
    const mark = fromStart ? marks[0] : by > 0 ? marks.find(isBeyond) : marks.findLast(isBeyond);
    if (mark === undefined) return;
    choose(mark.key);
    goTo(mark.atMs);
  };

  const onKey = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const by = key === 'ArrowRight' ? 1 : -1;
      if (shiftKey) goTo(nearest(dayFrom(tsMs, by, timeZone)));
      else step(by);
    } else if (key === 'PageUp' || key === 'PageDown') step(key === 'PageDown' ? 1 : -1, PAGE);
    else if (key === 'Home') goTo(nearest(part.fromMs));
    else if (key === 'End') goTo(nearest(part.toMs));
    else if (key === '+' || key === '=') show(zoomed(part, 0.5, tsMs, whole));
    else if (key === '-') show(zoomed(part, 2, tsMs, whole));
    else if (key.toLowerCase() === 'm') goToMark(shiftKey ? -1 : 1);
    else if (key === 'Escape' && (pointedMs !== null || !isWhole(part, whole))) {
      if (pointedMs === null) show(whole);
      setPointed(null);
      choose(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    part,
    pointedMs,
    tsMs,
    chosenMark,
    point: (atMs) => setPointed(atMs === null ? null : Math.min(part.toMs, Math.max(part.fromMs, nearest(atMs)))),
    show,
    step,
    choose: (key) => {
      choose(key);
      const mark = marks.find((each) => each.key === key);
      if (mark !== undefined) goTo(mark.atMs);
    },
    onKey,
  };
}
