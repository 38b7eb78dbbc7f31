import type { LoadSeen } from './grid-limit.ts';

/** A power that was told of a moment. */
export interface PowerTold {
  readonly atMs: number;
  readonly w: number;
}

/** What an inverter told it gave, the oldest first. */
export interface OutputTold {
  readonly told: readonly PowerTold[];
  /** When what it may give was changed last; `null` where it was not, infinite while that is under way. */
  readonly changedMs: number | null;
}

/** What was used behind a grid point at a moment, of which all that makes it up is known. */
export interface LoadThen {
  readonly atMs: number;
  readonly loadW: number;
  /** The same, had every inverter given the less of what it told before and after. */
  readonly leastW: number;
}

/** Two moments that are no further apart are one. */
export const ONE_MOMENT_MS = 2_000;
/** An inverter has come to a new limit by then. */
export const SETTLED_AFTER_MS = 3_000;

interface OutputThen {
  readonly w: number;
  readonly leastW: number;
  /** It was told of that moment, or before and after it, with nothing changed in between. */
  readonly isSure: boolean;
}

/** What an inverter gave at a moment: told of it, between two that were told, or as it was told last. */
function outputAt({ told, changedMs }: OutputTold, atMs: number): OutputThen | undefined {
  const isSettled = (eachMs: number): boolean => changedMs === null || eachMs >= changedMs + SETTLED_AFTER_MS;
  const before = told.findLast((each) => each.atMs <= atMs);
  const after = told.find((each) => each.atMs >= atMs);
  const near = [before, after].flatMap((each) =>
    each !== undefined && Math.abs(each.atMs - atMs) <= ONE_MOMENT_MS ? [each] : [],
  );
  const nearest = near.sort((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs))[0];
  if (nearest !== undefined)
    return { w: nearest.w, leastW: nearest.w, isSure: isSettled(Math.min(nearest.atMs, atMs)) };
  if (before === undefined || after === undefined) {
    const one = before ?? after;
    return one && { w: one.w, leastW: one.w, isSure: false };
  }
  const share = (atMs - before.atMs) / (after.atMs - before.atMs);
  return {
    w: before.w + share * (after.w - before.w),
    leastW: Math.min(before.w, after.w),
    isSure: isSettled(before.atMs),
  };
}

/** What was used behind a grid point as a power at it was told; not sure where an output of that moment is not. */
export function loadAt(grid: PowerTold, outputs: readonly OutputTold[]): LoadThen & { readonly isSure: boolean } {
  const then = outputs.map((each) => outputAt(each, grid.atMs));
  return {
    atMs: grid.atMs,
    loadW: grid.w + then.reduce((sum, each) => sum + (each?.w ?? 0), 0),
    leastW: grid.w + then.reduce((sum, each) => sum + (each?.leastW ?? 0), 0),
    isSure: then.every((each) => each?.isSure === true),
  };
}

/**
 * What limits go by. They are lowered by the newest load that is sure and not from before `freshMs`; where more is sold than may be and that is not of now,
 * by the least that was seen lately; without any that is sure and fresh, by what there is. They are raised by the least alone, so that they hold where the
 * load falls to that again before anything is told of it.
 */
export function loadSeen(
  newest: LoadThen & { readonly isSure: boolean },
  sure: readonly LoadThen[],
  { isOver, freshMs }: { readonly isOver: boolean; readonly freshMs: number },
): LoadSeen {
  const last = sure.reduce<LoadThen | undefined>((a, b) => (a === undefined || b.atMs >= a.atMs ? b : a), undefined);
  if (last === undefined || last.atMs < freshMs) return { nowW: newest.loadW, leastW: undefined };
  const leastW = Math.min(...sure.map((each) => each.leastW));
  return { nowW: isOver && !newest.isSure ? Math.min(newest.loadW, leastW) : last.loadW, leastW };
}
