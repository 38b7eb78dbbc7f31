import { randomBytes, randomUUID } from 'node:crypto';
import { demoAccounts, demoOrganisationId } from '../demo/tenancy.ts';
import type { RecordPlaces, Whose } from './record-places.ts';

const day = 86_400_000;

export async function departmentRecord(at: RecordPlaces): Promise<string> {
  const { id } = await at.db
    .insertInto('departments')
    .values({ organisation_id: await at.installer(), parent_id: null, name: 'Made' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function permissionGroupRecord(at: RecordPlaces): Promise<string> {
  const { id } = await at.db
    .insertInto('permission_groups')
    .values({ organisation_id: await at.installer(), name: 'Made', type: 'role', department_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function sessionRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('sessions')
    .values({
      token_hash: randomBytes(32),
      account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      expires_at: new Date(Date.now() + day),
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function apiKeyRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('api_keys')
    .values({
      account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      name: 'Made',
      prefix: 'made',
      key_hash: randomBytes(32),
      last_used_at: null,
      revoked_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function channelRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('notification_channels')
    .values({
      account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      kind: 'email',
      name: 'Made',
      target: JSON.stringify({ address: 'made@example.com' }),
      last_delivered_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function viewRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('saved_views')
    .values({
      account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      list: '/made',
      name: randomBytes(5).toString('hex'),
      query: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deletionRecord(at: RecordPlaces, whose: Whose): Promise<string> {
  const { id } = await at.db
    .insertInto('deletions')
    .values({
      kind: 'account',
      record_id: randomUUID(),
      record_name: 'Made',
      deleted_by: await at.accountId('admin'),
      undo_until: new Date(Date.now() + (whose === 'own' ? day : -day)),
      undone_at: null,
      purged_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function ownDeletionRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const own = demoAccounts.find((account) => account.user === user)?.organisation ?? 'platform';
  const { id } = await at.db
    .insertInto('deletions')
    .values({
      kind: 'site',
      record_id: randomUUID(),
      record_name: 'Made',
      organisation_path: [own === 'platform' ? at.platform : demoOrganisationId(own)],
      deleted_by: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      undo_until: new Date(Date.now() + day),
      undone_at: null,
      purged_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function migrationRecord(at: RecordPlaces, whose: Whose): Promise<string> {
  if (whose === 'strangers') return randomUUID();
  const admin = await at.accountId('admin');
  const { id } = await at.db
    .insertInto('account_migrations')
    .values({
      source_account_id: await at.accountId('owner'),
      target_account_id: await at.accountId('installer'),
      source_account: 'owner',
      target_account: 'installer',
      sites: 0,
      transfer_count: 1,
      operated_by: admin,
      operated_by_name: 'admin',
      undo_until: new Date(Date.now() + day),
      undone_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function workModeTemplateRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const whoseId = whose === 'own' ? await at.accountId(user) : await at.someoneElse(user);
  const account = await at.db
    .selectFrom('accounts')
    .select(['organisation_id', 'level'])
    .where('id', '=', whoseId)
    .executeTakeFirstOrThrow();
  const isOwn = account.level === 1 || whose === 'strangers';
  const { id } = await at.db
    .insertInto('work_mode_templates')
    .values({
      organisation_id: isOwn ? null : account.organisation_id,
      account_id: isOwn ? whoseId : null,
      name: randomBytes(5).toString('hex'),
      content: JSON.stringify({ mode: 'selfUse', minSoc: 10, periods: [], pricePeriods: null }),
      created_by: whoseId,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
