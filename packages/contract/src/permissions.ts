import type { Level } from './levels.ts';

const operators = [2, 3, 4, 255] as const satisfies readonly Level[];
const releasers = [3, 4, 255] as const satisfies readonly Level[];
const auditors = [4, 255] as const satisfies readonly Level[];
const admin = [255] as const satisfies readonly Level[];

const upgrade = <A extends string>(area: A, info: readonly Level[]) =>
  ({
    [`${area}:info`]: info,
    [`${area}:batch`]: info,
    [`${area}:single`]: info,
    [`${area}:deleteTask`]: info,
    [`${area}:internalFirmware`]: admin,
  }) as Record<`${A}:${'info' | 'batch' | 'single' | 'deleteTask' | 'internalFirmware'}`, readonly Level[]>;

/** Permission codes `area:action` and the levels that can hold each. */
export const permissions = {
  'firmware:view': releasers,
  'firmware:import': releasers,
  'firmware:release': admin,
  'firmware:delete': releasers,
  'member:query': admin,
  'member:add': admin,
  'member:edit': admin,
  'member:delete': admin,
  'member:resetPassword': admin,
  'errorRecord:query': operators,
  'errorRecord:download': operators,
  'report:query': releasers,
  'report:export': releasers,
  ...upgrade('moduleUpgrade', releasers),
  ...upgrade('batteryUpgrade', releasers),
  ...upgrade('inverterUpgrade', releasers),
  ...upgrade('emsUpgrade', operators),
  ...upgrade('gatewayUpgrade', releasers),
  'log:view': auditors,
  'site:edit': [1, 2, 3, 4, 255],
  'site:delete': operators,
  'site:migrate': admin,
  'organization:query': admin,
  'organization:add': admin,
  'organization:edit': admin,
  'organization:delete': admin,
  'role:query': admin,
  'role:add': admin,
  'role:edit': admin,
  'role:delete': admin,
  'device:clearHistory': operators,
  'device:viewUncreated': admin,
  'datalogger:import': operators,
  'datalogger:unbind': operators,
  'datalogger:delete': admin,
  'blacklist:set': admin,
  'blacklist:delete': admin,
  'iv:diagnosis': operators,
  'iv:detail': operators,
  'iv:template': operators,
} as const satisfies Record<string, readonly Level[]>;

export type PermissionCode = keyof typeof permissions;

/** Whether accounts of a level can be given a code; it binds no others. */
export const canHold = (level: number, code: PermissionCode): boolean =>
  permissions[code].some((holder) => holder === level);

/** Whether a level with these codes holds one of those needed; they bind the levels that can hold them. */
export function isHeld(needed: readonly PermissionCode[], level: number, held: readonly PermissionCode[]): boolean {
  const binding = needed.filter((code) => canHold(level, code));
  return binding.length === 0 || binding.some((code) => held.includes(code));
}
