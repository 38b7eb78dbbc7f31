const TYPING_PAUSE_MS = 300;

/** What waits until typing pauses. */
export interface TypingPause {
  /** Does this after the pause, in place of what waited. */
  wait: (work: () => void) => void;
  /** Does now what waits. */
  hurry: () => void;
  /** Forgets what waits; says whether anything did. */
  drop: () => boolean;
}

export function createTypingPause(): TypingPause {
  let waiting: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drop = () => {
    const did = waiting !== undefined;
    clearTimeout(timer);
    waiting = undefined;
    return did;
  };
  const hurry = () => {
    const work = waiting;
    drop();
    work?.();
  };
  const wait = (work: () => void) => {
    drop();
    waiting = work;
    timer = setTimeout(hurry, TYPING_PAUSE_MS);
  };
  return { wait, hurry, drop };
}

/** What a search field shows once the address has changed: what was typed, unless it means something else. */
export const typedOr = (typed: string, inAddress: string): string =>
  typed.trim() === inAddress.trim() ? typed : inAddress;
