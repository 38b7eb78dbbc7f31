import type { Level } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';

const codes = Object.entries(permissions) as [PermissionCode, readonly Level[]][];

/** All codes that a level can hold; the organisation's first account has them all. */
export const codesOfLevel = (level: Level): ReadonlySet<PermissionCode> =>
  new Set(codes.filter(([, holders]) => holders.includes(level)).map(([code]) => code));

/** What a member may do: the union of its groups' codes, within what its level can hold. */
export const codesOfGroups = (level: Level, granted: readonly string[]): ReadonlySet<PermissionCode> => {
  const wanted = new Set(granted);
  return new Set([...codesOfLevel(level)].filter((code) => wanted.has(code)));
};
