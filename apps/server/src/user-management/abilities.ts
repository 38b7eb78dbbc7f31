import type { Level } from '@sonnenwarte/contract/levels';
import type { PermissionCode } from '@sonnenwarte/contract/permissions';
import type { AccountRow } from '@sonnenwarte/contract/user-management/user-management';
import type { Actor } from '../access/actor.ts';
import { codesOfLevel } from '../access/codes.ts';
import { type CodesOfAccount, coversAccount, holdsAll } from '../permissions/held.ts';

export type Abilities = AccountRow['can'];

export interface Target extends CodesOfAccount {
  readonly id: string;
}

const holdsAllCodes = (actor: Actor): boolean => holdsAll(actor, codesOfLevel(actor.level));

const none: Abilities = {
  edit: false,
  setEnabled: false,
  resetPassword: false,
  delete: false,
  grant: false,
  move: false,
};

/**
 * What somebody may do with an account in scope. Nobody manages the own account here, nor one that may do more. A
 * distributor who holds all codes of its level manages owners, installers and agents, but deletes nobody. An
 * administrator needs the codes for members.
 */
export function abilitiesOn(actor: Actor, target: Target): Abilities {
  if (target.id === actor.accountId || !coversAccount(actor, target)) return none;
  if (actor.level === 4) {
    const manages = holdsAllCodes(actor) && target.level < 4;
    return { ...none, edit: manages, setEnabled: manages, resetPassword: manages };
  }
  if (actor.level !== 255) return none;
  const may = (code: PermissionCode) => actor.codes.has(code);
  const takesOrganisation = target.leads && target.level !== 255;
  return {
    edit: may('member:edit'),
    setEnabled: may('member:edit'),
    resetPassword: may('member:resetPassword'),
    delete: may('member:delete') && (!takesOrganisation || may('organization:delete')),
    grant: target.level === 10 && may('member:edit'),
    move: target.level === 1 && may('member:edit'),
  };
}

/** Levels of which somebody could make accounts if it held all that these may do. */
export function levelsInReach(actor: Actor): Level[] {
  if (actor.level === 4) return holdsAllCodes(actor) ? [1, 2, 3] : [];
  if (actor.level !== 255 || !actor.codes.has('member:add')) return [];
  return actor.codes.has('organization:add') ? [1, 2, 3, 4, 10, 255] : [1, 10, 255];
}

/** Levels of which somebody may make accounts: a new one holds all codes of its level. */
export const levelsToAdd = (actor: Actor): Level[] =>
  levelsInReach(actor).filter((level) => holdsAll(actor, codesOfLevel(level)));
