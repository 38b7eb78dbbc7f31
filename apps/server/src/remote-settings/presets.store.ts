import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { type Scope, visibleOrganisations } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type SettingKind = Database['setting_presets']['kind'];

/** Presets of an organisation and of those above it for a kind, by name; the scope is held by the path of the caller's own organisation. */
export const presetsFor = (db: Db, path: readonly string[], kind: SettingKind) =>
  db
    .selectFrom('setting_presets')
    .innerJoin('organisations', 'organisations.id', 'setting_presets.organisation_id')
    .leftJoin('accounts', 'accounts.id', 'setting_presets.made_by')
    .select([
      'setting_presets.id',
      'setting_presets.organisation_id',
      'setting_presets.name',
      'setting_presets.content',
      'setting_presets.made_at',
      sql<string | null>`coalesce(nullif(accounts.name, ''), accounts.username)`.as('by'),
    ])
    .where(sql<SqlBool>`setting_presets.organisation_id = any(${path}::uuid[])`)
    .where('organisations.deleted_at', 'is', null)
    .where('setting_presets.kind', '=', kind)
    .orderBy(sql`lower(setting_presets.name)`)
    .orderBy('setting_presets.id')
    .execute();

interface NewPreset {
  readonly organisationId: string;
  readonly kind: SettingKind;
  readonly name: string;
  readonly content: Record<string, SettingValue>;
  readonly madeBy: string;
}

/** Keeps a preset; undefined where there are as many as there may be. Those of an organisation come one after another. */
export async function insertPreset(tx: Transaction<Database>, preset: NewPreset, most: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`presets ${preset.organisationId}`}, 0))`.execute(tx);
  const { kept } = await tx
    .selectFrom('setting_presets')
    .select(sql<number>`count(*)::int`.as('kept'))
    .where('organisation_id', '=', preset.organisationId)
    .executeTakeFirstOrThrow();
  if (kept >= most) return undefined;
  return tx
    .insertInto('setting_presets')
    .values({
      organisation_id: preset.organisationId,
      kind: preset.kind,
      name: preset.name,
      content: JSON.stringify(preset.content),
      made_by: preset.madeBy,
    })
    .returning('id')
    .executeTakeFirst();
}

/** Takes away a preset of the caller's own organisation, as far as that is in scope. */
export const deletePreset = (tx: Transaction<Database>, scope: Scope, organisationId: string, id: string) =>
  tx
    .deleteFrom('setting_presets')
    .where('id', '=', id)
    .where('organisation_id', '=', (eb) =>
      eb
        .selectFrom('organisations')
        .select('organisations.id')
        .where('organisations.id', '=', organisationId)
        .where(visibleOrganisations(scope)),
    )
    .returning(['name', 'kind', 'content'])
    .executeTakeFirst();
