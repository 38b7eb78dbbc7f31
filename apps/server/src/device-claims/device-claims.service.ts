import type {
  ClaimDecision,
  DeviceClaim,
  deviceClaimEndpoints,
} from '@sonnenwarte/contract/device-claims/device-claims';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { recordAudits } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  type ClaimRow,
  holdClaim,
  listClaims,
  release,
  separate,
  setClaimState,
  visibleSiteId,
} from './device-claims.store.ts';
import { pathsOfSites } from './paths.store.ts';
import { tellSides } from './tell-sides.ts';

type Claims = typeof deviceClaimEndpoints;

const SHOWN_DIGITS = 4;
const stateOf = { keep: 'kept', release: 'released', separate: 'separate' } as const satisfies Record<
  ClaimDecision,
  string
>;
const noticeOf = {
  keep: 'serialNumberKept',
  release: 'serialNumberReleased',
  separate: 'serialNumberSeparate',
} as const satisfies Record<ClaimDecision, string>;

/** Of a stranger's logger no more than the end: the whole number is its user name. */
const masked = (sn: string): string => `…${sn.slice(-SHOWN_DIGITS)}`;

function claimOf(row: ClaimRow): DeviceClaim {
  const { is_holder: isHolder, is_claimant: isClaimant } = row;
  const isOpen = row.state === 'open';
  return {
    id: row.id,
    deviceSN: row.sn,
    state: isOpen ? 'open' : 'kept',
    claimedMs: row.claimed_at.getTime(),
    holder: {
      stationID: isHolder ? row.holder_site_id : null,
      plantName: isHolder ? row.holder_site_name : null,
      moduleSN: isHolder ? row.holder_logger_sn : masked(row.holder_logger_sn),
      lastSeenMs: row.holder_seen_at?.getTime() ?? null,
    },
    claimant: {
      stationID: isClaimant ? row.claimant_site_id : null,
      plantName: isClaimant ? row.claimant_site_name : null,
      moduleSN: isClaimant ? row.claimant_logger_sn : masked(row.claimant_logger_sn),
      lastSeenMs: row.claimant_seen_at?.getTime() ?? null,
    },
    can: { keep: isHolder && isOpen, release: isHolder, separate: isHolder },
  };
}

export async function claimList(
  { db }: Uses<'db'>,
  { stationID }: Parsed<Claims['list']>,
  { scope }: Scoped,
): Promise<Result<Claims['list']>> {
  if (stationID !== undefined) found(await visibleSiteId(db, scope, stationID), 'siteNotFound');
  return { claims: (await listClaims(db, scope, stationID)).map(claimOf) };
}

/** The plant that has the number decides, or the platform. Until then it keeps it, and the claimant's samples wait apart. */
export function decideClaim(
  { db }: Uses<'db'>,
  { id, decision }: Parsed<Claims['decide']>,
  context: CallContext,
): Promise<Result<Claims['decide']>> {
  return db.transaction().execute(async (tx) => {
    const row = found(await holdClaim(tx, context.scope, id), 'claimNotFound');
    const { holder_id: holderId, claimant_id: claimantId, sn } = row;
    if (!row.is_holder) throw new CallError('noPermission');
    if (decision === 'separate') await separate(tx, claimantId, sn, row.claimant_logger_sn);
    if (decision === 'release') {
      await release(tx, { holderId, claimantId, sn, holderDataloggerSn: row.holder_logger_sn });
    }
    await setClaimState(tx, id, stateOf[decision], context.actor.accountId);
    await tenancyChanged(tx);
    await tellSides(tx, id, noticeOf[decision]);
    const paths = await pathsOfSites(tx, [row.holder_site_id, row.claimant_site_id]);
    await recordAudits(
      tx,
      context,
      paths.map((path) => ({
        ...entryAbout('device', { id: holderId, name: sn, path }),
        action: `device-claims.${decision}` as const,
        before: { state: row.state },
        after: { state: stateOf[decision] },
      })),
    );
    return {};
  });
}
