import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type AuditSource, recordAudit } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { countAccounts, hasDemoAccounts, platformOrganisation, putSetUpCode, takeSetUpCode } from './accounts.store.ts';
import { hashPassword, md5Hex } from './passwords.ts';
import { hashToken } from './sessions.ts';

type Db = Kysely<Database>;

/** Whether the portal still waits for its first account: none of its own and no demonstration. */
export async function setUpState({ db }: Uses<'db'>): Promise<{ needed: boolean; demo: boolean }> {
  const demo = await hasDemoAccounts(db);
  return { demo, needed: !demo && (await countAccounts(db)) === 0 };
}

/** Code of the one-time link for the administrator; earlier unused ones stop working. */
export async function newSetUpCode(db: Db): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  await putSetUpCode(db, hashToken(code));
  return code;
}

/** Makes the first account, an administrator of the platform, once. */
export async function setUpAccount(
  { db }: Uses<'db'>,
  input: { code: string; user: string; email: string; password: string },
  from: AuditSource,
): Promise<void> {
  if (!(await setUpState({ db })).needed) throw new CallError('setUpLinkInvalid');
  const passwordHash = await hashPassword(md5Hex(input.password));
  await db.transaction().execute(async (tx) => {
    if (!(await takeSetUpCode(tx, hashToken(input.code)))) throw new CallError('setUpLinkInvalid');
    if ((await countAccounts(tx)) > 0) throw new CallError('setUpLinkInvalid');
    const organisationID = await platformOrganisation(tx);
    const { id } = await tx
      .insertInto('accounts')
      .values({
        organisation_id: organisationID,
        username: input.user,
        email: input.email,
        password_hash: passwordHash,
        level: 255,
        leads: true,
        name: input.user,
        language: null,
        disabled_at: null,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordAudit(tx, from, {
      log: 'account',
      action: 'accounts.setUp',
      recordKind: 'account',
      recordId: id,
      recordName: input.user,
      organisationPath: [organisationID],
      after: { level: 255, user: input.user, email: input.email },
      actorName: input.user,
    });
  });
}
