import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { LEVEL } from '@sonnenwarte/contract/levels';
import {
  MOST_SHARES_AN_HOUR,
  MOST_SHARES_OF_A_SITE,
  type ShareRight,
  type SiteShare,
  type siteShareEndpoints,
} from '@sonnenwarte/contract/site-shares/site-shares';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import { mayEdit } from '../access/scope.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { type AuditEntry, recordAudit, recordInParts } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  dropShare,
  fullSite,
  holdEndUser,
  holdShare,
  holdSites,
  putShares,
  type Share,
  type SharedSite,
  setRight,
  sharesOf,
  siteInScope,
} from './site-shares.store.ts';

type Calls = typeof siteShareEndpoints;

/** Bounds how many names can be tried. */
const byAccount: Rate = { kind: 'siteShare.account', most: MOST_SHARES_AN_HOUR, windowMs: 3_600_000 };

const rightOf = ({ sets_work_mode }: Pick<Share, 'sets_work_mode'>): ShareRight =>
  sets_work_mode ? 'workMode' : 'read';

/** Who looks after the plant, in whose scope it is, ends what it or its colleagues gave; what the owner gave ends the owner. */
function mayEnd({ accountId, level }: Actor, share: Share): boolean {
  const own = [share.account_id, share.owner_account_id, share.given_by];
  return own.includes(accountId) || level === LEVEL.admin || (level !== LEVEL.endUser && !share.given_by_owner);
}

/** The right is given anew by whoever could end it, but not by who has it. */
const mayGive = (actor: Actor, share: Share): boolean =>
  share.account_id !== actor.accountId && mayEnd(actor, share) && isLetPast(actor, ['site:edit']);

/** With whom a plant is shared; others' shares are not told to who has it shared only. */
export async function shareList(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['list']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['list']>> {
  const site = found(await siteInScope(db, scope, stationID), 'siteNotFound');
  const shares = await sharesOf(db, scope, stationID);
  const share = mayEdit(scope, site) && isLetPast(actor, ['site:edit']);
  return {
    shares: shares
      .filter(({ account_id }) => mayEdit(scope, site) || account_id === actor.accountId)
      .map(
        (each): SiteShare => ({
          shareID: each.id,
          account: each.named_as,
          right: rightOf(each),
          sharedBy: each.giver,
          sharedAtMs: each.given_at.getTime(),
          can: { edit: mayGive(actor, each), end: mayEnd(actor, each) },
        }),
      ),
    can: { share },
  };
}

const entryOf = (
  action: 'sites.share' | 'sites.unshare',
  site: Pick<SharedSite, 'id' | 'name' | 'path'>,
): AuditEntry => ({
  ...entryAbout('site', site),
  action,
});

/** Shares plants with an end user, all or none. */
export async function shareSites(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { stationIDs, account: called, right }: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> {
  const { scope, actor } = context;
  const retryAfterMs = await takeOf(db, byAccount, actor.accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  return inTransaction(db, async (tx) => {
    const sites = await holdSites(tx, scope, stationIDs);
    if (sites.length !== stationIDs.length) throw new CallError('siteNotFound');
    if (!sites.every((site) => mayEdit(scope, site))) throw new CallError('noPermission');
    const account = await holdEndUser(tx, called);
    // One answer for whoever cannot be named, and for the owner, who has it.
    if (account === undefined || sites.some(({ owner_account_id }) => owner_account_id === account.id))
      throw new CallError('refusedInput', { fields: [{ path: 'account', reason: 'unknown', params: {} }] });
    if (await fullSite(tx, stationIDs, account.id, MOST_SHARES_OF_A_SITE)) throw new CallError('tooManyShares');
    await putShares(tx, stationIDs, {
      accountId: account.id,
      calledAs: called,
      right,
      givenBy: actor.accountId,
      at: new Date(nowMs()),
    });
    await tenancyChanged(tx);
    await recordInParts(
      tx,
      context,
      sites.map((site) => ({ ...entryOf('sites.share', site), after: { account: called, right } })),
    );
    return { sites: sites.length };
  });
}

/** Gives somebody another right. */
export const editShare = (
  { db }: Uses<'db'>,
  { shareID, right }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<Result<Calls['edit']>> =>
  inTransaction(db, async (tx) => {
    const share = found(await holdShare(tx, context.scope, shareID), 'shareNotFound');
    if (!mayGive(context.actor, share)) throw new CallError('shareNotFound');
    if (rightOf(share) === right) return {};
    await setRight(tx, shareID, right);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entryOf('sites.share', found(await siteInScope(tx, context.scope, share.site_id), 'siteNotFound')),
      before: { account: share.named_as, right: rightOf(share) },
      after: { account: share.named_as, right },
    });
    return {};
  });

/** Ends a share; the live streams of who had it look again at once. */
export const endShare = (
  { db }: Uses<'db'>,
  { shareID }: Parsed<Calls['end']>,
  context: CallContext,
): Promise<Result<Calls['end']>> =>
  inTransaction(db, async (tx) => {
    const share = found(await holdShare(tx, context.scope, shareID), 'shareNotFound');
    if (!mayEnd(context.actor, share)) throw new CallError('shareNotFound');
    const site = found(await siteInScope(tx, context.scope, share.site_id), 'siteNotFound');
    await dropShare(tx, shareID);
    await tenancyChanged(tx);
    await recordAudit(tx, context, {
      ...entryOf('sites.unshare', site),
      before: { account: share.named_as, right: rightOf(share) },
    });
    return {};
  });
