import { sql, type Transaction } from 'kysely';
import type { AuditEntry } from '../audit/audit.ts';
import type { Database } from '../stores/schema.ts';

/** The account whose programs are cut off, as the log names it. */
export interface ProgramOwner {
  readonly id: string;
  readonly username: string;
  readonly organisationPath: readonly string[];
}

/**
 * Ends what programs use of an account: its API keys and its access to the broker, whose connections end within seconds.
 * The account's row must be held. Answers the entries that the log is to get with that of the cause.
 */
export async function endProgramAccess(tx: Transaction<Database>, owner: ProgramOwner): Promise<AuditEntry[]> {
  const keys = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('account_id', '=', owner.id)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name', 'prefix'])
    .execute();
  const access = await tx
    .updateTable('accounts')
    .set({ api_mqtt_enable: false })
    .where('id', '=', owner.id)
    .where('api_mqtt_enable', '=', true)
    .executeTakeFirst();
  const { organisationPath } = owner;
  const entries: AuditEntry[] = keys.map(({ id, name, prefix }) => ({
    log: 'account',
    action: 'api-keys.revoke',
    recordKind: 'apiKey',
    recordId: id,
    recordName: name,
    organisationPath,
    before: { name, prefix },
  }));
  if (access.numUpdatedRows > 0n) {
    entries.push({
      log: 'account',
      action: 'user-center.disableMqtt',
      recordKind: 'account',
      recordId: owner.id,
      recordName: owner.username,
      organisationPath,
      before: { enabled: true },
      after: { enabled: false },
    });
  }
  return entries;
}
