const SLICE_MS = 10;
const LOOK_EVERY = 64;

/** Does something with each of a list and gives the event loop back whenever it has had it for a while. */
export async function inSlices<T>(list: Iterable<T>, work: (each: T) => void): Promise<void> {
  let endMs = performance.now() + SLICE_MS;
  let done = 0;
  for (const each of list) {
    work(each);
    done += 1;
    if (done % LOOK_EVERY !== 0 || performance.now() < endMs) continue;
    await breathe();
    endMs = performance.now() + SLICE_MS;
  }
}

/** Gives the event loop back once. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A list in parts of at most `size`. */
export function* partsOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
