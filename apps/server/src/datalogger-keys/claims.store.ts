import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** What stands for or against linking a serial number. */
export interface ClaimFacts {
  readonly sn: string;
  readonly id: string | null;
  readonly type: string;
  readonly isLinked: boolean;
  readonly isRevoked: boolean;
  /** The own organisation, or one below it, imported it, or it came with a provisioning key of theirs. */
  readonly isOwn: boolean;
}

/** Of serial numbers, also of such as nobody has heard of. */
export async function claimFacts(db: Db, scope: Scope, sns: readonly string[]): Promise<Map<string, ClaimFacts>> {
  const { rows } = await sql<ClaimFacts>`
    select wanted.sn, l.id, coalesce(nullif(l.type, ''), l.model, '') as type, site.id is not null as "isLinked",
      l.revoked_at is not null as "isRevoked",
      exists (select from organisations where ${visibleOrganisations(scope)} and (organisations.id = k.organisation_id
        or (organisations.id = l.organisation_id and l.provisioned_by is not null))) as "isOwn"
    from unnest(${sns}::text[]) wanted (sn)
    left join loggers l on l.sn = wanted.sn left join logger_keys k on k.sn = wanted.sn
    left join sites site on site.id = l.site_id and site.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.sn, row]));
}

/** Devices behind dataloggers, of those that the caller may claim. */
export const devicesBehind = (db: Db, dataloggerIds: readonly string[]) =>
  db
    .selectFrom('devices')
    .select(['sn', 'kind', 'model', 'logger_id'])
    .where(sql<boolean>`logger_id = any(${dataloggerIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('sn')
    .execute();

/**
 * Dataloggers of deleted plants, noted as gone from these. The plants are held: who gives one back either has done so before, and it keeps
 * its dataloggers, or reads then what it lost.
 */
async function noteTaken(tx: Transaction<Database>, sns: readonly string[]): Promise<void> {
  await sql`select sites.id from sites where sites.id in (select site_id from loggers where sn = any(${sns}::text[]))
    and sites.deleted_at is not null order by sites.id for update`.execute(tx);
  await sql`insert into taken_loggers (site_id, logger_id)
    select sites.id, l.id from loggers l join sites on sites.id = l.site_id and sites.deleted_at is not null
    where l.sn = any(${sns}::text[]) and l.revoked_at is null order by l.sn on conflict do nothing`.execute(tx);
}

/**
 * Puts dataloggers that nobody else has linked meanwhile to a plant, their devices with them; answers those. What waited in quarantine is
 * let in. All who link the same numbers take them in one order, and only who holds them asks whose they are: a statement that waited
 * would still not see the plant that another has just made.
 */
export async function linkDataloggers(
  tx: Transaction<Database>,
  sns: readonly string[],
  site: { readonly id: string; readonly organisationID: string },
): Promise<{ id: string; sn: string }[]> {
  await noteTaken(tx, sns);
  await sql`insert into loggers (sn) select sn from unnest(${sns}::text[]) sn order by sn
    on conflict (sn) do nothing`.execute(tx);
  await sql`select id from loggers where sn = any(${sns}::text[]) order by sn for update`.execute(tx);
  const { rows } = await sql<{ id: string; sn: string }>`
    update loggers l set site_id = ${site.id}::uuid, organisation_id = ${site.organisationID}::uuid, quarantined = false
    where l.sn = any(${sns}::text[]) and l.revoked_at is null
      and not exists (select from sites where sites.id = l.site_id and sites.deleted_at is null)
    returning l.id, l.sn`.execute(tx);
  return rows;
}
