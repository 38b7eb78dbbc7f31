import { isLanguage } from '@sonnenwarte/contract/languages';
import { i18n } from '../language/i18n.ts';
import { globalState } from '../state/global-state.ts';
import { errorText } from './error-table.ts';
import type { Failure } from './failures.ts';
import { type ProblemPath, reactionTo } from './reaction.ts';

export interface Message {
  /** Messages with the same id are shown once at a time. */
  id: string;
  text: string;
  color: 'red' | 'yellow' | 'brand';
  forMs?: number;
}

interface Outlets {
  show: (message: Message) => void;
  go: (to: ProblemPath) => void;
}

let outlets: Outlets = { show: () => undefined, go: () => undefined };
let leaving = false;

/** Connects the client to what shows messages and to the router. */
export function connectOutlets(connected: Outlets): void {
  outlets = connected;
}

export const showMessage = (message: Message): void => outlets.show(message);

/**
 * Says what a failure is, and leaves the screen where the specification asks for it; never twice at a time. What the
 * screen says in place is not said again, unless it ends the screen or is said by its HTTP status.
 */
export async function report(failure: Failure, { inPlace = false }: { inPlace?: boolean } = {}): Promise<void> {
  const { message, leave } = reactionTo(failure);
  if (inPlace && !leave && message?.kind !== 'status') return;
  const forMs = message && 'forMs' in message ? { forMs: message.forMs } : {};
  if (leave) {
    if (leaving) return;
    leaving = true;
    setTimeout(() => {
      leaving = false;
      outlets.go(leave.to);
    }, leave.afterMs);
  }
  if (message?.kind === 'errno') {
    const language = globalState.get().language;
    const text = await errorText(message.errno, isLanguage(language) ? language : 'en', failure.message);
    showMessage({ id: `errno-${message.errno}`, text: `${message.errno}-${text}`, color: 'red', ...forMs });
  } else if (message?.kind === 'status') {
    showMessage({ id: message.text, text: message.text, color: 'red', ...forMs });
  } else if (message) {
    showMessage({ id: message.key, text: i18n.t(message.key), color: 'yellow' });
  }
}
