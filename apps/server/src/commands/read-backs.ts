import type { Transaction } from 'kysely';
import { keepDesired, keepReported, type Reported } from '../device-settings/reported.store.ts';
import type { Told } from '../ingestion/sessions/command-hooks.ts';
import type { Database } from '../stores/schema.ts';
import type { CommandChange } from './commands.store.ts';
import { type OpenCommand, subjectOf, type Values } from './open-command.ts';

/**
 * Keeps what devices told with their answers, and what was confirmed as what is meant to be, within the transaction of the steps. What an answer tells
 * after something else was written is of then, and says nothing of now. Answers whose settings were written.
 */
export async function keepReadBacks(
  trx: Transaction<Database>,
  changes: readonly CommandChange[],
  told: ReadonlyMap<OpenCommand, Told>,
  nowMs: number,
): Promise<string[]> {
  const reported = new Map<OpenCommand, Values>();
  for (const [command, values] of told) if (!command.isOvertaken) reported.set(command, values);
  for (const { command, to } of changes) {
    if (to.readBack !== null && to.readBack !== command.readBack && !command.isOvertaken) {
      reported.set(command, { ...to.readBack, ...reported.get(command) });
    }
  }
  await keepReported(
    trx,
    [...reported].map(
      ([command, values]): Reported => ({
        subjectId: subjectOf(command),
        values,
        atMs: nowMs,
        by: 'readBack',
        command: { ...command, wanted: command.content.values ?? {} },
      }),
    ),
  );
  await keepDesired(
    trx,
    changes
      .filter(
        ({ command, to }) =>
          to.state === 'confirmed' && command.state !== 'confirmed' && to.kind === 'write' && !command.isOvertaken,
      )
      .map(({ to }) => ({ ...to, subjectId: subjectOf(to), values: to.content.values ?? {}, atMs: nowMs })),
  );
  return [...reported.keys()].map(subjectOf);
}
