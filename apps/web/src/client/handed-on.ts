import type { Endpoint } from '@sonnenwarte/contract/endpoint';
import * as z from 'zod/mini';
import { onSessionEnd } from '../state/session.ts';

/** An answer that nobody takes by then is not what was asked for. */
const FRESH_MS = 15_000;

interface Handed {
  readonly input: object;
  readonly answer: Promise<unknown>;
  readonly atMs: number;
}

const handed = new Map<string, Handed[]>();
onSessionEnd(() => handed.clear());

/** Keeps an answer that was asked for before there is a screen to show it. */
export function handOn(path: string, input: object, answer: Promise<unknown>): void {
  // Who takes it asks again where it failed.
  answer.catch(() => undefined);
  handed.set(path, [...(handed.get(path) ?? []), { input, answer, atMs: Date.now() }]);
}

/** An answer that was handed on, for the first who asks the same: defaults of the call may be left out. */
export function takeHanded({ path, input: schema }: Endpoint, input: object): Promise<unknown> | undefined {
  const all = handed.get(path);
  if (!all) return undefined;
  const meant = (given: object) => JSON.stringify(z.safeParse(schema, given).data);
  const found = all.find((each) => meant(each.input) === meant(input));
  if (!found) return undefined;
  handed.set(
    path,
    all.filter((each) => each !== found),
  );
  return Date.now() - found.atMs < FRESH_MS ? found.answer : undefined;
}
