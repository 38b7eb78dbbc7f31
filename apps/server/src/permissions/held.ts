import { isLevel } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { Actor } from '../access/actor.ts';
import { codesOf } from '../accounts/session-actors.ts';
import { CallError } from '../http/call-error.ts';

type Holder = Pick<Actor, 'codes'>;

/** Nobody passes on, or looks through, what they may not do themselves. */
export function assertHeld({ codes: held }: Holder, codes: Iterable<string>): void {
  const lacking = [...codes].filter((code) => ![...held].some((each) => each === code));
  if (lacking.length > 0) throw new CallError('permissionNotHeld', { codes: lacking });
}

export const holdsAll = ({ codes: held }: Holder, codes: Iterable<PermissionCode>): boolean =>
  [...codes].every((code) => held.has(code));

/** An account with the codes that its groups grant. */
export interface CodesOfAccount {
  readonly level: number;
  readonly leads: boolean;
  readonly granted: readonly string[];
}

/** Whether somebody may do all that an account may; whoever manages another can sign in as it, so only then. */
export const coversAccount = (actor: Holder, { level, leads, granted }: CodesOfAccount): boolean =>
  isLevel(level) && holdsAll(actor, codesOf(level, leads, granted));
