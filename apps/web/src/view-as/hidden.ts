import type { Level } from '@sonnenwarte/contract/levels';
import { canHold, type PermissionCode, permissions } from '@sonnenwarte/contract/permissions';
import { type Route, type RouteName, routes } from '@sonnenwarte/contract/routes';

/** Why something is not shown: the level may not, the permission is lacking, or nobody built it. */
export type HiddenReason = { because: 'level' } | { because: 'code'; code: PermissionCode } | { because: 'screen' };

export interface HiddenRoute {
  name: RouteName;
  reason: HiddenReason;
}

const entries: readonly (Route & { name: RouteName })[] = routes;

/** Menu entries that a level with these codes does not see, each with the first reason that holds. */
export function hiddenRoutes(
  level: Level,
  codes: readonly PermissionCode[],
  hasScreen: (name: string) => boolean,
): readonly HiddenRoute[] {
  return entries.flatMap(({ name, levels, code, hidden, outside, menuOnly }): HiddenRoute[] => {
    if (levels === 'public' || hidden || outside || menuOnly) return [];
    if (!levels.some((each) => each === level)) return [{ name, reason: { because: 'level' } }];
    if (code !== undefined && canHold(level, code) && !codes.includes(code))
      return [{ name, reason: { because: 'code', code } }];
    return hasScreen(name) ? [] : [{ name, reason: { because: 'screen' } }];
  });
}

/** Permissions that a level with these codes lacks. */
export const hiddenCodes = (
  level: Level,
  codes: readonly PermissionCode[],
): readonly { code: PermissionCode; reason: HiddenReason }[] =>
  (Object.entries(permissions) as [PermissionCode, readonly Level[]][])
    .filter(([code]) => !codes.includes(code))
    .map(([code, holders]) => ({
      code,
      reason: holders.includes(level) ? { because: 'code', code } : { because: 'level' },
    }));
