import { type Kysely, sql } from 'kysely';
import type { Notice } from '../notifications/notice.ts';
import { notify } from '../notifications/notify.ts';
import type { Database } from '../stores/schema.ts';

type ClaimNotice = Extract<Notice, { sn: string }>['kind'];

/** Tells those who are responsible on both sides of a claim: owners of the plants, else who leads their organisations. */
export async function tellSides(tx: Kysely<Database>, claimId: string, kind: ClaimNotice): Promise<void> {
  const { rows } = await sql<{ account_id: string; sn: string; plant: string }>`
    with sides as (
      select claim.sn, coalesce(device.site_id, logger.site_id) as site_id
      from device_claims claim join devices device on device.id in (claim.holder_id, claim.claimant_id)
      join loggers logger on logger.id = device.logger_id where claim.id = ${claimId})
    select distinct on (account.id) account.id as account_id, sides.sn, site.name as plant
    from sides join sites site on site.id = sides.site_id and site.deleted_at is null
    join accounts account on account.id = site.owner_account_id
      or (site.owner_account_id is null and account.organisation_id = site.organisation_id and account.leads)
    where account.deleted_at is null and account.disabled_at is null
    order by account.id`.execute(tx);
  for (const { account_id: accountId, sn, plant } of rows) await notify(tx, accountId, { kind, sn, plant });
}

/** The same for a claim that has just been noted, by the claiming device. */
export async function tellOfClaim(db: Kysely<Database>, claimantId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const claim = await tx
      .selectFrom('device_claims')
      .select('id')
      .where('claimant_id', '=', claimantId)
      .executeTakeFirst();
    if (claim !== undefined) await tellSides(tx, claim.id, 'serialNumberClaimed');
  });
}
