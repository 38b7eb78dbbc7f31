import type { AuditAction } from '@sonnenwarte/contract/audit/actions';
import type { CommandContent, CommandKind } from '@sonnenwarte/contract/commands/command';
import { sql, type Transaction } from 'kysely';
import { type AuditEntry, type AuditSource, recordAuditsFrom } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { partsOf } from '../in-slices.ts';
import type { Database } from '../stores/schema.ts';
import { factsOfAccounts, factsOfCommands, type SubjectFacts } from './command-facts.store.ts';
import type { NewCommand } from './commands.store.ts';
import type { OpenCommand } from './open-command.ts';

type Trx = Transaction<Database>;

const ENTRIES_AT_ONCE = 250;

/** What the entry says of what is to be done. */
const toldOf = (id: string, { values, action, parameters }: CommandContent): Record<string, unknown> => ({
  commandID: id,
  ...values,
  ...(action !== undefined && { action }),
  ...parameters,
});

const isRecorded = ({ kind }: { readonly kind: CommandKind }): boolean => kind !== 'read';

async function record(
  trx: Trx,
  action: Extract<AuditAction, `commands.${string}`>,
  commands: readonly { readonly id: string; readonly orderedBy: string | null }[],
  from: AuditSource,
  detail: (facts: SubjectFacts) => Pick<AuditEntry, 'before' | 'after'>,
): Promise<void> {
  for (const part of partsOf(commands, ENTRIES_AT_ONCE)) {
    const facts = await factsOfCommands(
      trx,
      part.map(({ id }) => id),
    );
    const accounts =
      from.actor === undefined
        ? await factsOfAccounts(
            trx,
            part.flatMap(({ orderedBy }) => orderedBy ?? []),
          )
        : undefined;
    await recordAuditsFrom(
      trx,
      part.flatMap(({ id, orderedBy }) => {
        const fact = facts.get(id);
        if (fact === undefined) return [];
        const account = orderedBy === null ? undefined : accounts?.get(orderedBy);
        const source: AuditSource = account === undefined ? from : { ...from, actor: account };
        const entry: AuditEntry = {
          ...entryAbout(fact.isDevice ? 'device' : 'datalogger', {
            id: fact.subjectId,
            name: fact.sn,
            path: fact.path,
          }),
          action,
          ...detail(fact),
        };
        return [{ from: source, entry }];
      }),
    );
  }
}

/** Records that commands were ordered; reading changes nothing and is not recorded. */
export const recordOrders = (trx: Trx, commands: readonly NewCommand[], from: AuditSource): Promise<void> =>
  record(trx, 'commands.order', commands.filter(isRecorded), from, ({ id, content, before, source }) => ({
    before,
    after: { ...toldOf(id, content), source },
  }));

/** Records that commands were taken back. */
export async function recordCancelled(trx: Trx, ids: readonly string[], from: AuditSource): Promise<void> {
  if (ids.length === 0) return;
  const rows = await trx
    .selectFrom('commands')
    .select(['id', 'kind', 'ordered_by as orderedBy'])
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
  await record(trx, 'commands.cancel', rows.filter(isRecorded), from, ({ id }) => ({ after: { commandID: id } }));
}

type Ended = Pick<OpenCommand, 'id' | 'kind' | 'orderedBy' | 'state' | 'code' | 'message' | 'readBack'>;

/** Records how commands ended, also where that turned out to be otherwise later. */
export const recordEnds = (trx: Trx, commands: readonly Ended[]): Promise<void> => {
  const byId = new Map(commands.map((command) => [command.id, command]));
  return record(trx, 'commands.end', commands.filter(isRecorded), {}, (fact) => {
    const command = byId.get(fact.id);
    return {
      before: fact.before,
      after: {
        commandID: fact.id,
        state: command?.state,
        code: command?.code,
        ...(command?.message ? { message: command.message } : {}),
        ...command?.readBack,
      },
    };
  });
};
