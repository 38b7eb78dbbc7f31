import { createStore, type Store } from '../state/store.ts';
import { serverNowMs } from './clock.ts';
import { answers, untilAnswered } from './server-answer.ts';

interface Line {
  /** When the server last answered before it was lost; null while it answers. */
  lostSinceMs: number | null;
}

/** Whether the server can be reached at all. */
export const line: Store<Line> = createStore<Line>({ lostSinceMs: null });

export const isLost = (): boolean => line.get().lostSinceMs !== null;

let heardMs: number | undefined;
let isAsking = false;

/** The server has answered, whatever it was. */
export function noteHeard(): void {
  heardMs = serverNowMs();
  line.set({ lostSinceMs: null });
}

/** What is shown was heard then: before this page was loaded. */
export function heardBefore(atMs: number): void {
  if (heardMs !== undefined) return;
  heardMs = atMs;
  if (isLost()) line.set({ lostSinceMs: atMs });
}

/** When the server was last heard. */
export const heardAtMs = (): number => heardMs ?? serverNowMs();

/** The server cannot be reached, until it answers. */
export function noteLost(): void {
  if (isLost()) return;
  line.set({ lostSinceMs: heardAtMs() });
  void untilAnswered().then(noteHeard);
}

/** Something has not been answered; whether that is the server's silence says the server. */
export async function noteUnanswered(): Promise<void> {
  if (isLost() || isAsking) return;
  isAsking = true;
  try {
    if (await answers()) noteHeard();
    else noteLost();
  } finally {
    isAsking = false;
  }
}
