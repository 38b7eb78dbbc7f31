import type { Level } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { AccountRow } from '@sonnenwarte/contract/user-management/user-management';
import type { Actor } from '../access/actor.ts';
import { codesOfLevel } from '../access/codes.ts';

export type Abilities = AccountRow['can'];

export interface Target {
  readonly id: string;
  readonly level: number;
  readonly leads: boolean;
}

const holdsAllCodes = ({ level, codes }: Actor): boolean => [...codesOfLevel(level)].every((code) => codes.has(code));

const none: Abilities = { edit: false, setEnabled: false, resetPassword: false, delete: false, grant: false };

/**
 * What somebody may do with an account in scope. Nobody manages the own account here. A distributor who holds all codes
 * of its level manages owners, installers and agents, but deletes nobody. An administrator needs the codes for members,
 * and all codes where the other is an administrator too: else a narrow one could make itself a wide one.
 */
export function abilitiesOn(actor: Actor, target: Target): Abilities {
  if (target.id === actor.accountId) return none;
  if (actor.level === 4) {
    const manages = holdsAllCodes(actor) && target.level < 4;
    return { ...none, edit: manages, setEnabled: manages, resetPassword: manages };
  }
  if (actor.level !== 255 || (target.level === 255 && !holdsAllCodes(actor))) return none;
  const may = (code: PermissionCode) => actor.codes.has(code);
  const takesOrganisation = target.leads && target.level !== 255;
  return {
    edit: may('member:edit'),
    setEnabled: may('member:edit'),
    resetPassword: may('member:resetPassword'),
    delete: may('member:delete') && (!takesOrganisation || may('organization:delete')),
    grant: target.level === 10 && may('member:edit'),
  };
}

/** Levels of which somebody may make accounts. */
export function levelsToAdd(actor: Actor): Level[] {
  if (actor.level === 4) return holdsAllCodes(actor) ? [1, 2, 3] : [];
  if (actor.level !== 255 || !actor.codes.has('member:add')) return [];
  return [
    1,
    ...(actor.codes.has('organization:add') ? ([2, 3, 4] as const) : []),
    10,
    ...(holdsAllCodes(actor) ? ([255] as const) : []),
  ];
}
