import type { commandEndpoints } from '@sonnenwarte/contract/commands/commands';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { found } from '../http/call-error.ts';
import type { Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { shownCommand } from './shown-command.ts';
import { commandOfSubject, commandsOfSubject, subjectInScope } from './shown-commands.store.ts';

type Calls = typeof commandEndpoints;

/** Commands to a device or datalogger, the newest first. */
export async function commandList(
  { db }: Uses<'db'>,
  { id, condition, pageSize, currentPage }: Parsed<Calls['list']>,
  { scope }: Scoped,
): Promise<Result<Calls['list']>> {
  found(await subjectInScope(db, scope, id), 'deviceNotFound');
  const { total, rows } = await commandsOfSubject(db, scope, id, { ...condition, pageSize, currentPage });
  return { pageSize, currentPage, total, data: rows.map(shownCommand) };
}

/** One of them as it stands now. */
export async function commandInfo(
  { db }: Uses<'db'>,
  { id, commandID }: Parsed<Calls['info']>,
  { scope }: Scoped,
): Promise<Result<Calls['info']>> {
  found(await subjectInScope(db, scope, id), 'deviceNotFound');
  return shownCommand(found(await commandOfSubject(db, scope, id, commandID), 'commandNotFound'));
}
