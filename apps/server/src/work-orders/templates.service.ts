import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { MOST_ANSWER_TEMPLATES } from '@sonnenwarte/contract/work-orders/answer-templates';
import type { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import type { Transaction } from 'kysely';
import { pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { addTemplate, changeTemplate, dropTemplate, templatesFor, templatesKept } from './templates.store.ts';

type Calls = typeof workOrderEndpoints;
type Used = Uses<'db'>;

/** Those of the caller's organisation and of all above it. */
export async function answerTemplates(
  { db }: Used,
  _: Parsed<Calls['templates']>,
  { actor }: CallContext,
): Promise<Result<Calls['templates']>> {
  const rows = await templatesFor(db, actor.organisationID);
  return {
    templates: rows.map(({ id, name, text, organisation_id, organisation }) => ({
      templateID: id,
      name,
      text,
      organisation,
      can: { edit: organisation_id === actor.organisationID },
    })),
  };
}

const recordTemplate = async (
  tx: Transaction<Database>,
  context: CallContext,
  action: AuditAction & `work-orders.${string}`,
  { id, name }: { readonly id: string; readonly name: string },
) =>
  recordAudit(tx, context, {
    log: 'operation',
    action,
    recordKind: 'answerTemplate',
    recordId: id,
    recordName: name,
    organisationPath: await pathOfOrganisation(tx, context.actor.organisationID),
  });

export const keepTemplate = (
  { db }: Used,
  entered: Parsed<Calls['addTemplate']>,
  context: CallContext,
): Promise<Result<Calls['addTemplate']>> =>
  inTransaction(db, async (tx) => {
    const { organisationID } = context.actor;
    if ((await templatesKept(tx, organisationID)) >= MOST_ANSWER_TEMPLATES)
      throw new CallError('tooManyAnswerTemplates');
    const id = await addTemplate(tx, organisationID, entered);
    await recordTemplate(tx, context, 'work-orders.addTemplate', { id, name: entered.name });
    return { templateID: id };
  });

export const editTemplate = (
  { db }: Used,
  { id, ...entered }: Parsed<Calls['editTemplate']>,
  context: CallContext,
): Promise<Result<Calls['editTemplate']>> =>
  inTransaction(db, async (tx) => {
    if (!(await changeTemplate(tx, context.actor.organisationID, id, entered)))
      throw new CallError('answerTemplateNotFound');
    await recordTemplate(tx, context, 'work-orders.editTemplate', { id, name: entered.name });
    return {};
  });

export const removeTemplate = (
  { db }: Used,
  { id }: Parsed<Calls['removeTemplate']>,
  context: CallContext,
): Promise<Result<Calls['removeTemplate']>> =>
  inTransaction(db, async (tx) => {
    const name = await dropTemplate(tx, context.actor.organisationID, id);
    if (name === undefined) throw new CallError('answerTemplateNotFound');
    await recordTemplate(tx, context, 'work-orders.removeTemplate', { id, name });
    return {};
  });
