import type { Level } from '@sonnenwarte/contract/levels';
import { canHold, type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import type { Actor } from './actor.ts';

const codes = Object.entries(permissions) as [PermissionCode, readonly Level[]][];

/** All codes that a level can hold; the organisation's first account has them all. */
export const codesOfLevel = (level: Level): ReadonlySet<PermissionCode> =>
  new Set(codes.filter(([, holders]) => holders.includes(level)).map(([code]) => code));

/** What a member may do: the union of its groups' codes, within what its level can hold. */
export const codesOfGroups = (level: Level, granted: readonly string[]): ReadonlySet<PermissionCode> => {
  const wanted = new Set(granted);
  return new Set([...codesOfLevel(level)].filter((code) => wanted.has(code)));
};

/**
 * Whether somebody holds one of the codes that something needs. They bind the levels that can hold them; who sees the
 * portal as a level that they do not bind is bound by its own.
 */
export function isLetPast({ level, codes: held, viewAs }: Actor, needed: readonly PermissionCode[]): boolean {
  if (needed.length === 0) return true;
  const binding = needed.filter((code) => canHold(level, code));
  if (binding.length > 0) return binding.some((code) => held.has(code));
  return viewAs === null || needed.some((code) => viewAs.ownCodes.has(code));
}
