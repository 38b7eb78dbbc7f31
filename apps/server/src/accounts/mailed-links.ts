import { FALLBACK_LANGUAGE, languages } from '@sonnenwarte/contract/languages';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import { networkOf } from '../attempts/attempts.states.ts';
import { forgetFailures, type Rate, signInKeys, takeOf } from '../attempts/attempts.store.ts';
import { type AuditEntry, pathOfOrganisation, recordAudit, recordAudits } from '../audit/audit.ts';
import { brandOf, OWN_NAME } from '../branding/brand-of.ts';
import { CallError, found } from '../http/call-error.ts';
import type { PublicContext } from '../http/serve.ts';
import { addJob, type Jobs } from '../jobs/jobs.ts';
import { sendMail } from '../mail/mail.ts';
import { mailText } from '../mail/mail-texts.ts';
import { mayMailUnconfirmed } from '../mail/unconfirmed.ts';
import { notify } from '../notifications/notify.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import {
  accountByConfirmedEmail,
  accountForLink,
  accountsForReset,
  holdAddress,
  setPassword,
} from './accounts.store.ts';
import {
  CONFIRM_LINK_DAYS,
  confirmAddress,
  knowsResetCode,
  newConfirmCode,
  newResetCode,
  RESET_LINK_MINUTES,
  resetLinksOfLastHour,
  takeConfirmCode,
  takeResetCode,
} from './links.store.ts';
import { hashing, hashPassword, md5Hex } from './passwords.ts';
import { endProgramAccess } from './program-access.ts';
import { endSessionsOf } from './sessions.ts';

type Db = Kysely<Database>;

const HOUR_MS = 3_600_000;
const MOST_LINKS_PER_HOUR = 5;
const resetsByAddress: Rate = { kind: 'reset.address', most: 20, windowMs: HOUR_MS };
const resetsByName: Rate = { kind: 'reset.name', most: 5, windowMs: HOUR_MS };
/** So that nobody fills a stranger's letter box by signing up with its address. */
const confirmationsByEmail: Rate = { kind: 'confirm.email', most: 5, windowMs: 24 * HOUR_MS };

const SEND_RESET_LINKS = 'accounts.sendResetLinks';
const ASK_TO_CONFIRM = 'accounts.askToConfirmEmail';

const resetPayload = z.object({
  user: z.string(),
  language: z.catch(z.enum(languages), FALLBACK_LANGUAGE),
  address: z.string(),
  userAgent: z.string(),
  requestId: z.string(),
  host: z.catch(z.string(), ''),
});
const confirmPayload = z.object({
  accountId: z.uuid(),
  language: z.catch(z.enum(languages), FALLBACK_LANGUAGE),
  host: z.catch(z.string(), ''),
});

/**
 * Takes a request for a link that sets a new password. Whether there is such an account is looked up later, by a job:
 * neither the answer nor its time depends on it.
 */
export async function askForReset({ db }: Uses<'db'>, { user }: { user: string }, from: PublicContext): Promise<void> {
  const waits = [
    await takeOf(db, resetsByAddress, networkOf(from.address)),
    await takeOf(db, resetsByName, user.toLowerCase()),
  ];
  const retryAfterMs = Math.max(...waits);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  const { language, address, userAgent, requestId, host } = from;
  await addJob(db, SEND_RESET_LINKS, { user, language, address, userAgent, requestId, host });
}

/** Sets a new password with the code of a link; all sessions of the account and what programs use of it end. */
export async function resetPassword(
  { db }: Uses<'db'>,
  input: { code: string; newPassword: string },
  from: PublicContext,
): Promise<{ user: string }> {
  hashing.assertRoom();
  if (!(await knowsResetCode(db, input.code))) throw new CallError('resetLinkInvalid');
  const passwordHash = await hashPassword(md5Hex(input.newPassword));
  return db.transaction().execute(async (tx) => {
    const accountId = found(await takeResetCode(tx, input.code), 'resetLinkInvalid');
    const account = found(await accountForLink(tx, accountId), 'resetLinkInvalid');
    await setPassword(tx, accountId, passwordHash);
    await endSessionsOf(tx, [accountId], 'passwordChanged');
    await forgetFailures(tx, [signInKeys(account.username, '').account, signInKeys(account.email, '').account]);
    await tenancyChanged(tx);
    await notify(tx, accountId, { kind: 'passwordChanged', address: from.address });
    const organisationPath = await pathOfOrganisation(tx, account.organisation_id);
    const reset: AuditEntry = {
      log: 'account',
      action: 'accounts.resetPassword',
      recordKind: 'account',
      recordId: accountId,
      recordName: account.username,
      organisationPath,
    };
    const ended = await endProgramAccess(tx, { id: accountId, username: account.username, organisationPath });
    await recordAudits(
      tx,
      from,
      [reset, ...ended].map((entry) => ({ ...entry, actorName: account.username })),
    );
    return { user: account.username };
  });
}

/** Asks the owner of an account's address, by mail, to confirm it. Called where an account takes an address itself. */
export const askToConfirmEmail = (
  db: Db,
  accountId: string,
  { language, host }: { readonly language: string; readonly host: string },
): Promise<void> => addJob(db, ASK_TO_CONFIRM, { accountId, language, host });

export async function confirmEmail({ db }: Uses<'db'>, { code }: { code: string }, from: PublicContext): Promise<void> {
  try {
    await db.transaction().execute(async (tx) => {
      const { account_id, email } = found(await takeConfirmCode(tx, code), 'confirmLinkInvalid');
      const wasConfirmed = (await accountForLink(tx, account_id))?.email_confirmed_at != null;
      if (!(await confirmAddress(tx, account_id, email))) throw new CallError('confirmLinkInvalid');
      const account = found(await accountForLink(tx, account_id), 'confirmLinkInvalid');
      await recordAudit(tx, from, {
        log: 'account',
        action: 'accounts.confirmEmail',
        recordKind: 'account',
        recordId: account_id,
        recordName: account.username,
        organisationPath: await pathOfOrganisation(tx, account.organisation_id),
        before: { email: account.email, emailConfirmed: wasConfirmed },
        after: { email: account.email, emailConfirmed: true },
        actorName: account.username,
      });
    });
  } catch (error) {
    // Another account has confirmed the address first.
    if (error instanceof Error && 'constraint' in error && error.constraint === 'accounts_email') {
      throw new CallError('confirmLinkInvalid');
    }
    throw error;
  }
}

/** The jobs behind these calls. `publicUrl` is where people reach the portal. */
export function mailLinks(jobs: Jobs, db: Db, publicUrl: () => string): void {
  // Codes stand in the fragment, which no log of a server or proxy sees.
  const link = (page: string, code: string): string => `${publicUrl()}${page}#code=${code}`;

  jobs.on(SEND_RESET_LINKS, async (payload) => {
    const { user, language, host, ...from } = resetPayload.parse(payload);
    for (const account of await accountsForReset(db, user)) {
      if ((await resetLinksOfLastHour(db, account.id)) >= MOST_LINKS_PER_HOUR) continue;
      if (account.email_confirmed_at === null && !(await mayMailUnconfirmed(db, account.email))) continue;
      await db.transaction().execute(async (tx) => {
        if (!(await holdAddress(tx, account))) return;
        const code = await newResetCode(tx, account.id);
        const brand = await brandOf(tx, { accountId: account.id, host });
        const text = mailText('resetPassword', account.language ?? language, {
          user: account.username,
          link: link('/resetPassword', code),
          minutes: String(RESET_LINK_MINUTES),
          portal: brand?.name ?? OWN_NAME,
        });
        await sendMail(tx, { to: account.email, ...text, brandId: brand?.id ?? null });
        await recordAudit(tx, from, {
          log: 'account',
          action: 'accounts.requestPasswordReset',
          recordKind: 'account',
          recordId: account.id,
          recordName: account.username,
          organisationPath: await pathOfOrganisation(tx, account.organisation_id),
        });
      });
    }
  });

  jobs.on(ASK_TO_CONFIRM, async (payload) => {
    const { accountId, language, host } = confirmPayload.parse(payload);
    const account = await accountForLink(db, accountId);
    if (!account || account.email_confirmed_at !== null) return;
    if ((await takeOf(db, confirmationsByEmail, account.email.toLowerCase())) > 0) return;
    const owner = await accountByConfirmedEmail(db, account.email);
    await db.transaction().execute(async (tx) => {
      const brand = await brandOf(tx, { accountId: owner?.id ?? accountId, host });
      const portal = brand?.name ?? OWN_NAME;
      const text = owner
        ? mailText('emailInUse', owner.language ?? language, {
            user: owner.username,
            link: `${publicUrl()}/forgotPassword`,
            portal,
          })
        : mailText('confirmEmail', account.language ?? language, {
            user: account.username,
            link: link('/confirmEmail', await newConfirmCode(tx, account.id, account.email)),
            days: String(CONFIRM_LINK_DAYS),
            portal,
          });
      await sendMail(tx, { to: account.email, ...text, brandId: brand?.id ?? null });
    });
  });
}
