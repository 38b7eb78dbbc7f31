import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { signUp as signUpEndpoint, signUpInvitation } from '@sonnenwarte/contract/sign-up/sign-up';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { askToConfirmEmail } from '../accounts/mailed-links.ts';
import { hashing, hashPassword, md5Hex } from '../accounts/passwords.ts';
import { networkOf } from '../attempts/attempts.states.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { type AuditEntry, recordAudits } from '../audit/audit.ts';
import { completeHandover, findHandover, type OpenHandover, openHandover } from '../handover/take-handover.ts';
import { CallError } from '../http/call-error.ts';
import type { PublicContext } from '../http/serve.ts';
import { countryCodes } from '../map/countries.ts';
import type { Uses } from '../services.ts';
import { codeAsStored } from './code-as-stored.ts';
import { addAccount, addInstaller, organisationOfCode, ownerOfCode, type Parent, pathOf } from './sign-up.store.ts';

/** Also bounds how many codes can be tried and how many user names asked for. */
const byAddress: Rate = { kind: 'signUp.address', most: 20, windowMs: 3_600_000 };

/** A link is opened again and again; who tries codes learns nothing within that. */
const lookedUpByAddress: Rate = { kind: 'signUp.invitation', most: 60, windowMs: 3_600_000 };

const refused = (path: 'user' | 'code' | 'country', reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/**
 * Makes an account that can sign in by its user name at once. Whether its address is another account's is not even
 * looked at here: that shows only in the mail which a job sends to that address.
 */
export async function signUp(
  { db }: Uses<'db'>,
  input: Parsed<typeof signUpEndpoint>,
  from: PublicContext,
): Promise<void> {
  hashing.assertRoom();
  const retryAfterMs = await takeOf(db, byAddress, networkOf(from.address));
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  if (!countryCodes.includes(input.country)) throw refused('country', 'unknown');
  const passwordHash = await hashPassword(md5Hex(input.password));
  try {
    await db.transaction().execute(async (tx) => {
      const { role, user, email, phone, country, city } = input;
      const { parent, handover } = await placeOf(tx, input);
      const made = { name: input.company || user, country, phone, email };
      const organisation = role === 'installer' ? await addInstaller(tx, parent, made) : parent;
      const accountId = await addAccount(tx, {
        role,
        organisationID: organisation.id,
        user,
        email,
        phone,
        country,
        city,
        language: from.language,
        passwordHash,
      });
      await askToConfirmEmail(tx, accountId, from);
      const taken = handover && (await completeHandover(tx, handover, { id: accountId, username: user, isNew: true }));
      const madeEntry: AuditEntry = {
        log: 'operation',
        action: 'organisations.add',
        recordKind: 'organisation',
        recordId: organisation.id,
        recordName: organisation.name,
        organisationPath: organisation.path,
        after: { kind: 'installer', parent: parent.name, ...made },
        actorName: user,
      };
      await recordAudits(tx, from, [
        ...(role === 'installer' ? [madeEntry] : []),
        {
          log: 'account',
          action: 'sign-up.signUp',
          recordKind: 'account',
          recordId: accountId,
          recordName: user,
          organisationPath: organisation.path,
          after: { role, organisation: organisation.name, email, phone, country, city, termsAccepted: true },
          actorName: user,
        },
        ...(taken ? [taken] : []),
      ]);
    });
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'accounts_username') {
      throw refused('user', 'taken');
    }
    throw error;
  }
}

/** What the page of a sign-up link shows before somebody signs up by it. */
export async function invitationOf(
  { db }: Uses<'db'>,
  { code }: Parsed<typeof signUpInvitation>,
  from: PublicContext,
): Promise<Result<typeof signUpInvitation>> {
  const retryAfterMs = await takeOf(db, lookedUpByAddress, networkOf(from.address));
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  const plain = codeAsStored(code);
  const owner = plain === '' ? undefined : await ownerOfCode(db, plain);
  if (owner !== undefined) {
    const role = owner.kind === 'installer' ? 'endUser' : 'installer';
    return { invitation: { organisation: owner.name, role, plant: null }, used: false };
  }
  const handover = await openHandover(db, code);
  if (typeof handover === 'string') return { invitation: null, used: handover === 'used' };
  const { organisation, name, country, city, system_size_kwp: systemCapacity } = handover;
  return { invitation: { organisation, role: 'endUser', plant: { name, country, city, systemCapacity } }, used: false };
}

/** Under whom an account is made, and the plant that it takes over. */
interface Place {
  readonly parent: Parent;
  readonly handover?: OpenHandover;
}

async function placeOf(
  tx: Parameters<typeof organisationOfCode>[0],
  { code, role }: Pick<Parsed<typeof signUpEndpoint>, 'code' | 'role'>,
): Promise<Place> {
  const plain = codeAsStored(code);
  if (plain === '') return { parent: await pathOf(tx, await platformOrganisation(tx)) };
  const organisation = await organisationOfCode(tx, plain, role === 'endUser' ? 'installer' : 'agent');
  if (organisation) return { parent: organisation };
  const handover = role === 'endUser' ? await findHandover(tx, code) : 'unknown';
  if (typeof handover === 'string') throw refused('code', handover === 'used' ? 'taken' : 'wrong');
  return { parent: await pathOf(tx, handover.organisation_id), handover };
}
