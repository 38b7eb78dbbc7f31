import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { moveEndUser, openPlace } from '../tenancy/end-user-moves.ts';
import { abilitiesOn } from './abilities.ts';
import { accountRow, holdAccount, ownedSites } from './user-management.store.ts';

type Users = typeof userManagementEndpoints;

/** Which of its plants would go along, and how many stay with others. */
export async function previewMove(
  { db }: Uses<'db'>,
  { id, organisationID }: Parsed<Users['movePreview']>,
  { scope, actor }: CallContext,
): Promise<Result<Users['movePreview']>> {
  const account = found(await accountRow(db, scope, id), 'accountNotFound');
  if (!abilitiesOn(actor, account).move) throw new CallError('notToThisAccount');
  const to = found(await openPlace(db, scope, organisationID).executeTakeFirst(), 'organisationNotFound');
  const owned = await ownedSites(db, scope, id);
  const leaves = account.organisation_id !== to.id;
  const sites = owned.filter((site) => leaves && site.organisation_id === account.organisation_id);
  return {
    from: account.organisation,
    to: to.name,
    sites: sites.map(({ organisation_id: _, ...site }) => site),
    staying: owned.length - sites.length,
  };
}

/** Moves an end user and its plants; nothing where it is there already. */
export const moveAccount = (
  { db }: Uses<'db'>,
  { id, organisationID, expectedSites }: Parsed<Users['move']>,
  context: CallContext,
): Promise<Result<Users['move']>> =>
  inTransaction(db, async (tx) => {
    const { scope, actor } = context;
    const account = found(await holdAccount(tx, scope, id), 'accountNotFound');
    if (!abilitiesOn(actor, account).move) throw new CallError('notToThisAccount');
    const to = found(await openPlace(tx, scope, organisationID).forShare().executeTakeFirst(), 'organisationNotFound');
    if (account.organisation_id === to.id) return { sites: 0 };
    return moveEndUser(tx, { scope, source: context, account, to, expectedSites });
  });
