import { globalState } from '../state/global-state.ts';
import { tokenOf } from '../state/session.ts';
import { fetchErrorText } from './error-table.ts';
import type { Failure } from './failures.ts';
import { type ProblemPath, reactionTo } from './reaction.ts';

export interface Message {
  /** Messages with the same id are shown once at a time. */
  id: string;
  text: string;
  color: 'red' | 'yellow' | 'brand';
  forMs?: number;
  /** What can be done about it while it is shown. */
  action?: { label: string; onSelect: () => void };
}

interface Outlets {
  show: (message: Message) => void;
  go: (to: ProblemPath) => void;
  textOf: (failure: Failure) => string;
}

let outlets: Outlets = { show: () => undefined, go: () => undefined, textOf: ({ message }) => message };
/** Token of the session whose screen is about to be left. */
let leavingWith: string | undefined;

/** Connects the client to what shows messages and to the router. */
export function connectOutlets(connected: Outlets): void {
  outlets = connected;
}

export const showMessage = (message: Message): void => outlets.show(message);

/**
 * Says what a failure is, and leaves the screen where the specification asks for it; never twice at a time. What the
 * screen says in place is not said again, unless it ends the screen or is said by its HTTP status. What befell a session
 * that has ended since (`token` is the one of the call) concerns nobody.
 */
export async function report(
  failure: Failure,
  { inPlace = false, token = tokenOf() }: { inPlace?: boolean; token?: string } = {},
): Promise<void> {
  if (token !== tokenOf()) return;
  const { message, leave } = reactionTo(failure);
  if (inPlace && !leave && message?.kind !== 'status') return;
  const forMs = message && 'forMs' in message ? { forMs: message.forMs } : {};
  if (leave) {
    if (leavingWith === token) return;
    leavingWith = token;
    setTimeout(() => {
      if (leavingWith === token) leavingWith = undefined;
      if (tokenOf() === token) outlets.go(leave.to);
    }, leave.afterMs);
  }
  if (!message) return;
  const { language } = globalState.get();
  if (message.kind === 'errno') await fetchErrorText(message.errno, language);
  const text = outlets.textOf(failure);
  const id = message.kind === 'errno' ? `errno-${message.errno}` : message.kind === 'status' ? text : message.key;
  showMessage({ id, text, color: message.kind === 'phrase' ? 'yellow' : 'red', ...forMs });
}
