import { randomBytes } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

const MOST_LISTED = 100;
const LONGEST_SN = 32;

/** Ids of visible plants, to be looked into. */
const visibleSites = (db: Db, scope: Scope) => db.selectFrom('sites').select('sites.id').where(siteIsVisible(scope));

const sees = (db: Db, scope: Scope, column: 'holder.site_id' | 'claimant_logger.site_id'): RawBuilder<boolean> =>
  scope.kind === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(${sql.ref(column)} in (${visibleSites(db, scope)}), false)`;

const claims = (db: Db, scope: Scope) =>
  db
    .selectFrom('device_claims')
    .innerJoin('devices as holder', 'holder.id', 'device_claims.holder_id')
    .innerJoin('loggers as holder_logger', 'holder_logger.id', 'holder.logger_id')
    .leftJoin('sites as holder_site', 'holder_site.id', 'holder.site_id')
    .innerJoin('devices as claimant', 'claimant.id', 'device_claims.claimant_id')
    .innerJoin('loggers as claimant_logger', 'claimant_logger.id', 'claimant.logger_id')
    .leftJoin('sites as claimant_site', 'claimant_site.id', 'claimant_logger.site_id')
    .select([
      'device_claims.id',
      'device_claims.sn',
      'device_claims.state',
      'device_claims.claimed_at',
      'holder.site_id as holder_site_id',
      'holder_site.name as holder_site_name',
      'holder_logger.sn as holder_logger_sn',
      'holder.last_seen_at as holder_seen_at',
      'claimant_logger.site_id as claimant_site_id',
      'claimant_site.name as claimant_site_name',
      'claimant_logger.sn as claimant_logger_sn',
      'claimant.last_seen_at as claimant_seen_at',
      sees(db, scope, 'holder.site_id').as('is_holder'),
      sees(db, scope, 'claimant_logger.site_id').as('is_claimant'),
    ])
    .where((eb) => eb.or([sees(db, scope, 'holder.site_id'), sees(db, scope, 'claimant_logger.site_id')]))
    .where('device_claims.state', 'in', ['open', 'kept']);

export type ClaimRow = Awaited<ReturnType<typeof listClaims>>[number];

/** Of one plant, or of all in scope. What was decided for the holder is told to the other side only. */
export const listClaims = (db: Db, scope: Scope, siteId?: string) =>
  claims(db, scope)
    .where((eb) => eb.or([eb('device_claims.state', '=', 'open'), sees(db, scope, 'claimant_logger.site_id')]))
    .$if(siteId !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('holder.site_id', '=', siteId ?? ''), eb('claimant_logger.site_id', '=', siteId ?? '')]),
      ),
    )
    .orderBy('device_claims.claimed_at')
    .limit(MOST_LISTED)
    .execute();

/** Holds a claim that is not decided for good, with both its devices. */
export async function holdClaim(tx: Tx, scope: Scope, id: string) {
  await tx.selectFrom('device_claims').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return claims(tx, scope)
    .select(['device_claims.holder_id', 'device_claims.claimant_id'])
    .where('device_claims.id', '=', id)
    .executeTakeFirst();
}

export const visibleSiteId = (db: Db, scope: Scope, id: string) =>
  visibleSites(db, scope).where('sites.id', '=', id).executeTakeFirst();

export const setClaimState = (
  tx: Tx,
  id: string,
  state: 'kept' | 'released' | 'separate',
  accountId: string,
): Promise<unknown> =>
  tx
    .updateTable('device_claims')
    .set({ state, decided_at: new Date(), decided_by: accountId })
    .where('id', '=', id)
    .execute();

/** The claimant's device becomes one of its logger's plant, with all that it has told, under a number of its own. */
export async function separate(tx: Tx, claimantId: string, sn: string, dataloggerSn: string): Promise<void> {
  const own = await freeSn(tx, sn, dataloggerSn);
  await admit(tx, claimantId, own, sn);
}

/** The claimant's device gets the number; the holder's keeps its time in its plant, under another. */
export async function release(
  tx: Tx,
  {
    holderId,
    claimantId,
    sn,
    holderDataloggerSn,
  }: Record<'holderId' | 'claimantId' | 'sn' | 'holderDataloggerSn', string>,
): Promise<void> {
  const own = await freeSn(tx, sn, holderDataloggerSn);
  await sql`update devices set sn = ${own}, told_sn = coalesce(told_sn, ${sn}) where id = ${holderId}`.execute(tx);
  await admit(tx, claimantId, sn, null);
  await tx
    .updateTable('device_claims')
    .set({ holder_id: claimantId })
    .where('holder_id', '=', holderId)
    .where('claimant_id', '<>', claimantId)
    .where('state', 'in', ['open', 'kept'])
    .execute();
}

const admit = (tx: Tx, id: string, sn: string, toldSn: string | null): Promise<unknown> =>
  sql`update devices set sn = ${sn}, told_sn = ${toldSn}, deleted_at = null, site_id = loggers.site_id
    from loggers where loggers.id = devices.logger_id and devices.id = ${id}`.execute(tx);

/** A serial number that no device has: the one that was told, with the end of its logger's, or one that nobody can take before. */
async function freeSn(tx: Tx, sn: string, dataloggerSn: string): Promise<string> {
  for (let digits = 4; ; digits += 1) {
    const end = `-${digits <= dataloggerSn.length ? dataloggerSn.slice(-digits) : randomBytes(6).toString('hex')}`;
    const own = `${sn.slice(0, LONGEST_SN - end.length)}${end}`;
    const taken = await tx.selectFrom('devices').select('id').where('sn', '=', own).executeTakeFirst();
    if (taken === undefined) return own;
  }
}
