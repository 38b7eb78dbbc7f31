import type { Level } from '@sonnenwarte/contract/levels';
import { type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';

const codes = Object.entries(permissions) as [PermissionCode, readonly Level[]][];

/** All codes that a level can hold; the organisation's first account has them all. */
export const codesOfLevel = (level: Level): ReadonlySet<PermissionCode> =>
  new Set(codes.filter(([, holders]) => holders.includes(level)).map(([code]) => code));
