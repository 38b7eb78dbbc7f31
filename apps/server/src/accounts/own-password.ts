import { pathOfOrganisation, recordAudits } from '../audit/audit.ts';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { notify } from '../notifications/notify.ts';
import type { Uses } from '../services.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { accountById, setPassword } from './accounts.store.ts';
import { assertPassword, holdJudged, judging } from './judged-password.ts';
import { hashPassword, md5Hex } from './passwords.ts';
import { endProgramAccess } from './program-access.ts';
import { endSessionsOf } from './sessions.ts';

interface PasswordChange {
  readonly oldPassword?: string | undefined;
  readonly newPassword: string;
  readonly endPrograms?: boolean | undefined;
}

/** Changes the own password. The old one is asked for unless it was temporary; programs are cut off where that is asked for. */
export const changeOwnPassword = ({ db }: Uses<'db'>, input: PasswordChange, from: CallContext): Promise<void> =>
  judging(from.actor.accountId, async () => {
    const { actor } = from;
    const { oldPassword, newPassword, endPrograms } = input;
    const account = found(await accountById(db, actor.accountId), 'tokenInvalid');
    if (!account.password_temporary) {
      const md5 = oldPassword === undefined ? undefined : md5Hex(oldPassword);
      await assertPassword(db, account, { md5, field: 'oldPassword' });
    }
    const passwordHash = await hashPassword(md5Hex(newPassword));
    await db.transaction().execute(async (tx) => {
      await holdJudged(tx, actor, account.password_hash);
      await setPassword(tx, account.id, passwordHash);
      await endSessionsOf(tx, [account.id], 'passwordChanged', actor.sessionId);
      await tenancyChanged(tx);
      await notify(tx, account.id, { kind: 'passwordChanged', address: from.address });
      const organisationPath = await pathOfOrganisation(tx, account.organisation_id);
      const { id, username } = account;
      await recordAudits(tx, from, [
        {
          log: 'account',
          action: account.password_temporary ? 'accounts.changeTemporaryPassword' : 'accounts.changePassword',
          recordKind: 'account',
          recordId: id,
          recordName: username,
          organisationPath,
        },
        ...(endPrograms === true ? await endProgramAccess(tx, { id, username, organisationPath }) : []),
      ]);
    });
  });
