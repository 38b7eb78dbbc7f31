import { Turns } from './turns.ts';

/** Does something with each of a list and gives the event loop back whenever it has had it for a while. */
export async function inSlices<T>(list: Iterable<T>, work: (each: T) => void, turns = new Turns()): Promise<void> {
  for (const each of list) {
    work(each);
    if (turns.isOver) await turns.giveBack();
  }
}

/** Does work that can be left off after each of its steps, and gives the event loop back in between. */
export async function inSteps<T>(steps: Iterator<void, T>, turns = new Turns(1)): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turns.isOver) await turns.giveBack();
  }
}

/** Gives the event loop back once. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A list in parts of at most `size`. */
export function* partsOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
