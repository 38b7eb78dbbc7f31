import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Tx = Transaction<Database>;

/** What is known of a serial number before it is imported. */
export interface ImportFacts {
  readonly sn: string;
  /** It is a datalogger of somebody's, or one that was deleted and can be given back. */
  readonly isThere: boolean;
  /** An organisation has imported it. */
  readonly isImported: boolean;
  /** The manufacturer has printed a key on it. */
  readonly hasKey: boolean;
}

/** Of those serial numbers of which anything is known. */
export async function importFacts(db: Db, sns: readonly string[]): Promise<ReadonlyMap<string, ImportFacts>> {
  const { rows } = await sql<ImportFacts>`
    select wanted.sn, (l.id is not null) and not (l.revoked_at is not null and l.token_hash is null
        and l.organisation_id is null) as "isThere",
      k.organisation_id is not null as "isImported", k.key_hash is not null as "hasKey"
    from unnest(${sns}::text[]) wanted (sn)
    left join loggers l on l.sn = wanted.sn left join logger_keys k on k.sn = wanted.sn
    where l.id is not null or k.sn is not null`.execute(db);
  return new Map(rows.map((row) => [row.sn, row]));
}

export interface NewDatalogger {
  readonly sn: string;
  readonly type: string;
  readonly model: string;
  readonly tokenHash: Buffer;
}

/** Makes dataloggers of an organisation; answers the serial numbers of those that nobody else has made meanwhile. */
export async function insertDataloggers(
  tx: Tx,
  organisationID: string,
  dataloggers: readonly NewDatalogger[],
): Promise<ReadonlySet<string>> {
  const rows = dataloggers.map(({ sn, type, model, tokenHash }) => ({
    sn,
    type,
    model,
    hash: tokenHash.toString('hex'),
  }));
  const { rows: made } = await sql<{ sn: string }>`
    insert into loggers as l (sn, organisation_id, token_hash, type, model)
    select r.sn, ${organisationID}, decode(r.hash, 'hex'), r.type, r.model
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (sn text, type text, model text, hash text) order by r.sn
    on conflict (sn) do update set organisation_id = excluded.organisation_id, token_hash = excluded.token_hash,
      site_id = null, quarantined = false, revoked_at = null, provisioned_by = null
      where l.revoked_at is not null and l.token_hash is null and l.organisation_id is null
    returning l.sn`.execute(tx);
  return new Set(made.map(({ sn }) => sn));
}

/** Notes whose they are where the manufacturer's key stays as it is. */
export const noteImporter = (tx: Tx, organisationID: string, sns: readonly string[]): Promise<unknown> =>
  sql`update logger_keys set organisation_id = ${organisationID} where sn = any(${sns}::text[])`.execute(tx);
