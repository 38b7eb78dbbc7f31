import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Transaction } from 'kysely';
import { codesOfLevel } from '../access/codes.ts';
import { platformOrganisation } from '../accounts/accounts.store.ts';
import { insertAccount } from '../accounts/new-account.ts';
import { newTemporaryPassword } from '../accounts/temporary-passwords.ts';
import { type AuditEntry, recordAudits } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { fitsUnder } from '../organisations/organisations.states.ts';
import { type HeldOrganisation, holdForChange, insertOrganisation } from '../organisations/organisations.store.ts';
import { assertHeld } from '../permissions/held.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { levelsInReach } from './abilities.ts';

type Tx = Transaction<Database>;
type Add = typeof userManagementEndpoints.add;

const kindOfLevel = { 2: 'installer', 3: 'agent', 4: 'distributor' } as const;

const required = (path: string) =>
  new CallError('refusedInput', { fields: [{ path, reason: 'required', params: {} }] });

interface Place {
  readonly id: string;
  readonly path: readonly string[];
  /** Made for this account, which leads it. */
  readonly made?: {
    readonly kind: 'installer' | 'agent' | 'distributor';
    readonly name: string;
    readonly parent: string;
  };
}

async function placeFor(tx: Tx, input: Parsed<Add>, context: CallContext): Promise<Place> {
  const { level, organisationID, organisation } = input;
  if (level === 10 || level === 255) {
    const id = await platformOrganisation(tx);
    return { id, path: [id] };
  }
  if (organisationID === undefined) throw required('organisationID');
  const held: HeldOrganisation = found(await holdForChange(tx, context.scope, organisationID), 'organisationNotFound');
  if (level === 1) return held;
  if (organisation === undefined) throw required('organisation');
  const kind = kindOfLevel[level];
  if (!fitsUnder(kind, held.kind)) throw new CallError('wrongParent');
  const { country, email, phone } = input;
  const { id, path } = await insertOrganisation(tx, {
    kind,
    parentID: held.id,
    parentPath: held.path,
    name: organisation,
    country,
    email,
    phone,
    note: '',
  });
  return { id, path, made: { kind, name: organisation, parent: held.name } };
}

/** Makes an account, and the organisation that it leads where its level has one. */
export async function addAccount({ db }: Uses<'db'>, input: Parsed<Add>, context: CallContext): Promise<Result<Add>> {
  if (!levelsInReach(context.actor).includes(input.level)) throw new CallError('noPermission');
  assertHeld(context.actor, codesOfLevel(input.level));
  const { password, hash } = await newTemporaryPassword();
  const id = await db.transaction().execute(async (tx) => {
    const { level, user, email, name, phone, country } = input;
    const place = await placeFor(tx, input, context);
    const leads = level !== 1;
    const account = { level, leads, user, email, name, phone, country };
    const accountId = await insertAccount(
      tx,
      { organisationID: place.id, ...account, passwordHash: hash },
      context.language,
    );
    const entries: AuditEntry[] = [
      {
        log: 'account',
        action: 'user-management.add',
        recordKind: 'account',
        recordId: accountId,
        recordName: user,
        organisationPath: place.path,
        after: { level, user, email, name, phone, country },
      },
    ];
    if (place.made !== undefined)
      entries.unshift({
        log: 'operation',
        action: 'organisations.add',
        recordKind: 'organisation',
        recordId: place.id,
        recordName: place.made.name,
        organisationPath: place.path,
        after: { kind: place.made.kind, parent: place.made.parent, country, email, phone },
      });
    await recordAudits(tx, context, entries);
    return accountId;
  });
  return { id, user: input.user, password };
}
