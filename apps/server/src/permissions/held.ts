import type { Actor } from '../access/actor.ts';
import { CallError } from '../http/call-error.ts';

/** Nobody passes on, or looks through, what they may not do themselves. */
export function assertHeld({ codes: held }: Actor, codes: Iterable<string>): void {
  const lacking = [...codes].filter((code) => ![...held].some((each) => each === code));
  if (lacking.length > 0) throw new CallError('permissionNotHeld', { codes: lacking });
}
