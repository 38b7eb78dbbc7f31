import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MOST_PRESETS, type settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import { recordAudit } from '../audit/audit.ts';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { orTaken } from '../http/unique-violation.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { asWritten, holdOnce, holdToCatalogue } from './checked-values.ts';
import { deletePreset, insertPreset, presetsFor } from './presets.store.ts';
import { ruleOfAny, toldRule } from './setting-rows.ts';

type Calls = typeof settingsEndpoints;

/** Presets of the own organisation and of those above it. */
export async function presetList(
  { db }: Uses<'db'>,
  { kind }: Parsed<Calls['presets']>,
  { actor }: CallContext,
): Promise<Result<Calls['presets']>> {
  const rows = await presetsFor(db, actor.organisationPath, kind);
  return {
    presets: rows.map(({ id, organisation_id, name, content, by, made_at }) => ({
      presetID: id,
      name,
      values: Object.entries(content).map(([setting, value]) => ({
        rule: toldRule(ruleOfAny(kind, setting, value)),
        value,
      })),
      by: by ?? '',
      atMs: made_at.getTime(),
      can: { remove: organisation_id === actor.organisationID && actor.viewAs === null },
    })),
  };
}

/** Keeps values under a name. They are held to the bounds of the catalogue; those of a model are looked at when they are written. */
export async function addPreset(
  { db }: Uses<'db'>,
  { kind, name, values: wanted }: Parsed<Calls['addPreset']>,
  context: CallContext,
): Promise<Result<Calls['addPreset']>> {
  const { actor } = context;
  const values = asWritten(wanted);
  holdOnce(values);
  holdToCatalogue(kind, values, actor.level);
  const content: Record<string, SettingValue> = Object.fromEntries(values.map((each) => [each.name, each.value]));
  return orTaken({ setting_presets_name: 'name' }, () =>
    inTransaction(db, async (tx) => {
      const preset = { organisationId: actor.organisationID, kind, name, content, madeBy: actor.accountId };
      const { id } = found(await insertPreset(tx, preset, MOST_PRESETS), 'tooManyPresets');
      await recordAudit(tx, context, {
        log: 'operation',
        action: 'remote-settings.addPreset',
        recordKind: 'preset',
        recordId: id,
        recordName: name,
        organisationPath: actor.organisationPath,
        after: { kind, ...content },
      });
      return { presetID: id };
    }),
  );
}

/** Takes away a preset of the own organisation. */
export async function removePreset(
  { db }: Uses<'db'>,
  { presetID }: Parsed<Calls['removePreset']>,
  context: CallContext,
): Promise<void> {
  const { actor, scope } = context;
  await inTransaction(db, async (tx) => {
    const preset = found(await deletePreset(tx, scope, actor.organisationID, presetID), 'presetNotFound');
    await recordAudit(tx, context, {
      log: 'operation',
      action: 'remote-settings.removePreset',
      recordKind: 'preset',
      recordId: presetID,
      recordName: preset.name,
      organisationPath: actor.organisationPath,
      before: { kind: preset.kind, ...preset.content },
    });
  });
}
