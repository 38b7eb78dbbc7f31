import { onSessionEnd } from '../state/session.ts';

const handed = new Map<string, Promise<unknown>>();
onSessionEnd(() => handed.clear());

/** Keeps an answer that was asked for before there is a screen to show it. */
export const handOn = (path: string, answer: Promise<unknown>): void => void handed.set(path, answer);

/** An answer that was handed on, for the first who reads it. */
export function takeHanded(path: string): Promise<unknown> | undefined {
  const answer = handed.get(path);
  handed.delete(path);
  return answer;
}
