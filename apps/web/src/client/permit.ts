import { codesOfCall, type Endpoint, type Reading } from '@sonnenwarte/contract/endpoint';
import type { Level } from '@sonnenwarte/contract/levels';
import { isHeld, type PermissionCode } from '@sonnenwarte/contract/permissions';

declare const held: unique symbol;

/** An endpoint that the signed-in account may call; only `permitOf` makes one. */
export type Permitted<E> = E & { readonly [held]: true };

/**
 * What a screen can call: all that reads, what needs no permission code, and what was permitted. So an element that
 * writes cannot be built without asking for the code of its endpoint.
 */
export type Callable = Endpoint &
  (Reading | { readonly code?: never; readonly anyOf?: never } | { readonly [held]: true });

/** The endpoint, for a level that may call it and holds its code where that binds it; nothing for others. */
export const permitOf = <const E extends Endpoint>(
  of: E,
  level: Level | -1,
  codes: readonly PermissionCode[],
): Permitted<E> | undefined => {
  const isCaller = of.callers === 'public' || of.callers.some((caller) => caller === level);
  return isCaller && isHeld(codesOfCall(of), level, codes) ? (of as Permitted<E>) : undefined;
};
