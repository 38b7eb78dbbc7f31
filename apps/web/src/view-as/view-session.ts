import type { Level } from '@sonnenwarte/contract/levels';
import { end } from '@sonnenwarte/contract/view-as/view-as';
import { call } from '../client/call.ts';
import { leaveView, startView } from '../state/view-storage.ts';

/** Begins a view in this browser tab alone; the page is loaded anew, so that nothing of the own session is left in it. */
export function beginView(token: string, access: Level): void {
  startView({ token, access, cameFrom: location.pathname + location.search });
  location.assign('/');
}

/** Ends the view and goes back to where it was begun. */
export async function endView(): Promise<void> {
  await call(end, {}, { quiet: true }).catch(() => undefined);
  leaveView();
}
