import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { GrantDevice } from '@sonnenwarte/contract/user-management/grants';
import type { userManagementEndpoints } from '@sonnenwarte/contract/user-management/user-management';
import type { Kysely, Transaction } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Asked, Found } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import { tenancyChanged } from '../tenancy/moves.ts';
import { abilitiesOn } from './abilities.ts';
import { grantableBySn, grantDevices, listGrantable, revokeDevices } from './grants.store.ts';
import { accountRow, type HeldAccount, holdAccount } from './user-management.store.ts';

type Db = Kysely<Database>;
type Users = typeof userManagementEndpoints;

/** Devices are granted to integrators only; any other account answers as if it did not exist. */
async function integratorOf(db: Db, { scope }: Scoped, id: string): Promise<void> {
  const row = found(await accountRow(db, scope, id), 'accountNotFound');
  if (row.level !== 10) throw new CallError('accountNotFound');
}

export async function grantPage(
  { db }: Uses<'db'>,
  input: Asked<Users['grantList']>,
  context: CallContext,
): Promise<Found<GrantDevice> & { grantedTotal: number }> {
  await integratorOf(db, context, input.id);
  return listGrantable(db, context.scope, input);
}

/** What would become of each line of pasted serial numbers. */
export async function checkSns(
  { db }: Uses<'db'>,
  { id, sns }: Parsed<Users['grantCheck']>,
  context: CallContext,
): Promise<Result<Users['grantCheck']>> {
  await integratorOf(db, context, id);
  const wanted = sns.filter((sn) => sn !== '');
  const devices = await grantableBySn(db, context.scope, id, wanted);
  const bySn = new Map(devices.map((device) => [device.sn.toUpperCase(), device]));
  const seen = new Set<string>();
  return {
    lines: wanted.map((sn) => {
      const key = sn.toUpperCase();
      const device = bySn.get(key);
      const isRepeated = seen.has(key);
      seen.add(key);
      if (device === undefined) return { sn, outcome: 'unknown', device: null };
      return { sn, outcome: isRepeated ? 'repeated' : device.granted ? 'granted' : 'new', device };
    }),
  };
}

const changing = (
  db: Db,
  context: CallContext,
  id: string,
  change: (tx: Transaction<Database>, held: HeldAccount) => Promise<number>,
): Promise<{ changed: number }> =>
  db.transaction().execute(async (tx) => {
    const held = found(await holdAccount(tx, context.scope, id), 'accountNotFound');
    if (held.level !== 10) throw new CallError('accountNotFound');
    if (!abilitiesOn(context.actor, held).grant) throw new CallError('notToThisAccount');
    return { changed: await change(tx, held) };
  });

export const addGrants = (
  { db }: Uses<'db'>,
  { id, deviceIds }: Parsed<Users['grantAdd']>,
  context: CallContext,
): Promise<Result<Users['grantAdd']>> =>
  changing(db, context, id, async (tx, held) => {
    const granted = await grantDevices(tx, context.scope, id, deviceIds);
    if (granted.found < new Set(deviceIds).size) throw new CallError('deviceNotFound');
    if (granted.sns.length === 0) return 0;
    await tenancyChanged(tx);
    await recordAudit(tx, context, { ...entryOf('grants.add', held), after: { devices: granted.sns } });
    return granted.sns.length;
  });

export const removeGrants = (
  { db }: Uses<'db'>,
  { id, deviceIds }: Parsed<Users['grantRemove']>,
  context: CallContext,
): Promise<Result<Users['grantRemove']>> =>
  changing(db, context, id, async (tx, held) => {
    const sns = await revokeDevices(tx, id, deviceIds);
    if (sns.length === 0) return 0;
    await tenancyChanged(tx);
    await recordAudit(tx, context, { ...entryOf('grants.remove', held), before: { devices: sns } });
    return sns.length;
  });

const entryOf = <A extends 'grants.add' | 'grants.remove'>(action: A, { id, username, path }: HeldAccount) => ({
  log: 'operation' as const,
  action,
  recordKind: 'account' as const,
  recordId: id,
  recordName: username,
  organisationPath: path,
});
