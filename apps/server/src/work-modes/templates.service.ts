import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MOST_TEMPLATES, type workModeEndpoints } from '@sonnenwarte/contract/work-modes/work-modes';
import { type AuditEntry, pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { dropTemplate, isKept, keeperOf, putTemplate, templateOf, templatesOf } from './templates.store.ts';

type Calls = typeof workModeEndpoints;

/** Templates that the caller may use. */
export async function templateList(
  { db }: Uses<'db'>,
  _: Parsed<Calls['templates']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['templates']>> {
  const keeper = keeperOf(scope, actor);
  const rows = await templatesOf(db, keeper);
  return {
    templates: rows.map((row) => ({
      templateID: row.id,
      name: row.name,
      content: row.content,
      by: row.by,
      can: { remove: isKept(row, keeper) },
    })),
  };
}

async function entryOf(
  tx: Parameters<typeof recordAudit>[0],
  action: 'work-modes.addTemplate' | 'work-modes.removeTemplate',
  { actor }: CallContext,
  told: Pick<AuditEntry, 'before' | 'after'>,
): Promise<AuditEntry> {
  return {
    log: 'operation',
    action,
    recordKind: 'account',
    recordId: actor.accountId,
    recordName: actor.username,
    organisationPath: await pathOfOrganisation(tx, actor.organisationID),
    ...told,
  };
}

/** Keeps a plan as a template. */
export async function addTemplate(
  { db }: Uses<'db'>,
  { name, content }: Parsed<Calls['addTemplate']>,
  context: CallContext,
): Promise<Result<Calls['addTemplate']>> {
  const { scope, actor } = context;
  return inTransaction(db, async (tx) => {
    const kept = { name, content, by: actor.accountId };
    const templateID = await putTemplate(tx, keeperOf(scope, actor), kept, MOST_TEMPLATES);
    if (templateID === undefined) throw new CallError('tooManyTemplates', { most: MOST_TEMPLATES });
    await recordAudit(
      tx,
      context,
      await entryOf(tx, 'work-modes.addTemplate', context, { after: { name, ...content } }),
    );
    return { templateID };
  });
}

/** Removes a template of the caller's own. */
export async function removeTemplate(
  { db }: Uses<'db'>,
  { templateID }: Parsed<Calls['removeTemplate']>,
  context: CallContext,
): Promise<Result<Calls['removeTemplate']>> {
  const keeper = keeperOf(context.scope, context.actor);
  return inTransaction(db, async (tx) => {
    const { name, isOwn } = found(await templateOf(tx, keeper, templateID), 'workModeTemplateNotFound');
    if (!isOwn) throw new CallError('noPermission');
    await dropTemplate(tx, templateID);
    await recordAudit(tx, context, await entryOf(tx, 'work-modes.removeTemplate', context, { before: { name } }));
    return {};
  });
}
