import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { CODE_HOURS, type handoverEndpoints, PRINTED_CODE_HOURS } from '@sonnenwarte/contract/handover/handover';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { networkOf } from '../attempts/attempts.states.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { moveAccounts } from '../tenancy/moves.ts';
import {
  type GivenSite,
  givenSite,
  handoversOf,
  holdGivenSite,
  noteSeen,
  ownSites,
  prolongHandover,
  putHandover,
  withdrawHandover,
} from './handover.store.ts';
import { hashOfCode, newHandoverCode } from './handover-code.ts';
import { completeHandover, findHandover } from './take-handover.ts';

type Calls = typeof handoverEndpoints;

/** Bounds how many codes can be tried. */
const byAccount: Rate = { kind: 'handover.account', most: 20, windowMs: 3_600_000 };
const byAddress: Rate = { kind: 'handover.address', most: 60, windowMs: 3_600_000 };

const entryOf = (action: 'handover.make' | 'handover.prolong' | 'handover.withdraw', site: GivenSite): AuditEntry => ({
  ...entryAbout('site', site),
  action,
});

export async function handoverState(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['state']>,
  { scope }: Scoped,
): Promise<Result<Calls['state']>> {
  const site = found(await givenSite(db, scope, stationID), 'siteNotFound');
  const now = await handoversOf(db, [site.id]);
  return { owner: site.owner ?? '', handover: now.get(site.id) ?? null };
}

/** The code is told here and nowhere else: only its hash is kept. */
export function makeHandover(
  { db }: Uses<'db'>,
  { stationID, replacesOwner }: Parsed<Calls['make']>,
  context: CallContext,
): Promise<Result<Calls['make']>> {
  const code = newHandoverCode();
  return inTransaction(db, async (tx) => {
    const site = found(await holdGivenSite(tx, context.scope, stationID), 'siteNotFound');
    if (site.owner_account_id !== null && !replacesOwner) throw new CallError('siteHasOwner');
    await putHandover(tx, {
      siteId: site.id,
      hash: hashOfCode(code),
      madeBy: context.actor.accountId,
      ownerBefore: site.owner_account_id,
      hours: CODE_HOURS,
    });
    const handover = found((await handoversOf(tx, [site.id])).get(site.id), 'siteNotFound');
    await recordAudit(tx, context, {
      ...entryOf('handover.make', site),
      after: { replaces: site.owner ?? '', validUntil: new Date(handover.expiresMs).toISOString() },
    });
    return { code, handover };
  });
}

/** A code on paper reaches the customer later than one on the screen. */
export function keepForPaper(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['prolong']>,
  context: CallContext,
): Promise<Result<Calls['prolong']>> {
  return inTransaction(db, async (tx) => {
    const site = found(await holdGivenSite(tx, context.scope, stationID), 'siteNotFound');
    const prolonged = await prolongHandover(tx, site.id, PRINTED_CODE_HOURS);
    if (prolonged) {
      const after = { validUntil: prolonged.expires_at.toISOString() };
      await recordAudit(tx, context, { ...entryOf('handover.prolong', site), after });
    }
    return { handover: (await handoversOf(tx, [site.id])).get(site.id) ?? null };
  });
}

export function endHandover(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['withdraw']>,
  context: CallContext,
): Promise<Result<Calls['withdraw']>> {
  return inTransaction(db, async (tx) => {
    const site = found(await holdGivenSite(tx, context.scope, stationID), 'siteNotFound');
    if (await withdrawHandover(tx, site.id)) await recordAudit(tx, context, entryOf('handover.withdraw', site));
    return {};
  });
}

/** By an account that is there already. One that nobody but the platform looks after, and that has no plants, joins who looks after this one. */
export async function takeHandover(
  { db }: Uses<'db'>,
  { code }: Parsed<Calls['take']>,
  context: CallContext,
): Promise<Result<Calls['take']>> {
  const { accountId, username, organisationID } = context.actor;
  const waits = [await takeOf(db, byAccount, accountId), await takeOf(db, byAddress, networkOf(context.address))];
  const retryAfterMs = Math.max(...waits);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  return inTransaction(db, async (tx) => {
    const handover = await findHandover(tx, code);
    if (handover === 'used') throw new CallError('handoverCodeUsed');
    if (handover === 'unknown') throw new CallError('handoverCodeInvalid');
    const isFree = organisationID === (await platformOrganisation(tx)) && (await ownSites(tx, accountId)) === 0;
    if (isFree) await moveAccounts(tx, [accountId], handover.organisation_id);
    const entry = await completeHandover(tx, handover, { id: accountId, username, isNew: false });
    await recordAudit(tx, context, entry);
    return { stationID: handover.site_id };
  });
}

export async function seeHandover(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Calls['seen']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['seen']>> {
  const site = found(await givenSite(db, scope, stationID), 'siteNotFound');
  await noteSeen(db, site.id, actor.accountId);
  return {};
}
