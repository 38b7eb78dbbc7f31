import { tokenOf } from '../state/session.ts';

/** An answer that nobody takes by then is not what was asked for. */
const FRESH_MS = 15_000;

export interface Handed {
  readonly input: object;
  /** Of the session that it was asked for: no other one takes it. */
  readonly token: string;
  readonly answer: Promise<unknown>;
  readonly atMs: number;
  /** There once the answer is. */
  result?: unknown;
}

const handed = new Map<string, Handed[]>();

/** Keeps an answer that was asked for before there is a screen to show it. */
export function handOn(path: string, input: object, answer: Promise<unknown>): void {
  const entry: Handed = { input, token: tokenOf(), answer, atMs: Date.now() };
  // Who takes it asks again where it failed.
  answer.then(
    (result) => {
      entry.result = result;
    },
    () => undefined,
  );
  handed.set(path, [...handedFor(path), entry]);
}

/** What was handed on of a path. */
export const handedFor = (path: string): readonly Handed[] => handed.get(path) ?? [];

/** Gives an answer to who takes it, once; not one that has become old or another session's. */
export function letGo(path: string, entry: Handed): Handed | undefined {
  handed.set(
    path,
    handedFor(path).filter((each) => each !== entry),
  );
  return entry.token === tokenOf() && Date.now() - entry.atMs < FRESH_MS ? entry : undefined;
}
