import type { Transaction } from 'kysely';
import { keepDesired, keepReported, type Reported } from '../device-settings/reported.store.ts';
import type { Told } from '../ingestion/sessions/command-hooks.ts';
import type { Database } from '../stores/schema.ts';
import type { CommandChange } from './commands.store.ts';
import { type OpenCommand, subjectOf } from './open-command.ts';

/** What a device told of a command, and when it came. */
export interface Telling {
  readonly command: OpenCommand;
  readonly values: Told;
  readonly atMs: number;
}

/**
 * Keeps what devices told with their answers, and what was confirmed as what is meant to be, within the transaction of the steps. What an answer tells
 * after something else was written is of then, and says nothing of now. Answers whose settings were written.
 */
export async function keepReadBacks(
  trx: Transaction<Database>,
  changes: readonly CommandChange[],
  tellings: readonly Telling[],
  nowMs: number,
): Promise<string[]> {
  const reported = tellings
    .filter(({ command }) => !command.isOvertaken)
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(
      ({ command, values, atMs }): Reported => ({
        subjectId: subjectOf(command),
        values,
        atMs,
        by: 'readBack',
        command: { ...command, wanted: command.content.values ?? {} },
      }),
    );
  await keepReported(trx, reported);
  await keepDesired(
    trx,
    changes
      .filter(
        ({ command, to }) =>
          to.state === 'confirmed' && command.state !== 'confirmed' && to.kind === 'write' && !command.isOvertaken,
      )
      .map(({ to }) => ({ ...to, subjectId: subjectOf(to), values: to.content.values ?? {}, atMs: nowMs })),
  );
  return [...new Set(reported.map(({ subjectId }) => subjectId))];
}
