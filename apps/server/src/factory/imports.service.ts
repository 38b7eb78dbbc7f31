import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { factoryEndpoints } from '@sonnenwarte/contract/factory/factory';
import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import { type UnitProblem, unitProblems } from '@sonnenwarte/contract/factory/imports';
import { lastPlannedDay } from '@sonnenwarte/contract/factory/warranty';
import type { CellValue } from '../exports/cells.ts';
import { wallClockOf } from '../exports/cells.ts';
import { phraseText } from '../exports/phrase-text.ts';
import { fileOf } from '../exports/serve-export.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, FileAnswer } from '../http/serve.ts';
import type { ReceivedFile } from '../http/serve-upload.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { batchById, batchForChange } from './batches.store.ts';
import {
  beginImport,
  endStaging,
  forgetImport,
  forgetOldest,
  holdImports,
  importRows,
  judgeRows,
  stageRows,
  type Verdict,
  type WrongRow,
  waitingImport,
  wrongRows,
} from './imports.store.ts';
import { settleLater } from './reckoning.store.ts';
import { recordFactory } from './recorded.ts';
import { type ToldColumns, unitRowsIn } from './units-file.ts';

type Calls = typeof factoryEndpoints;
type Used = Uses<'db' | 'nowMs'>;

const ROWS_AT_ONCE = 1_000;
/** Files of an account that wait beside a new one; the oldest are forgotten. */
const MOST_WAITING = 4;

const problemsIn = (counts: ReadonlyMap<Verdict, number>): { problem: UnitProblem; count: number }[] =>
  unitProblems.flatMap((problem) => {
    const count = counts.get(problem) ?? 0;
    return count === 0 ? [] : [{ problem, count }];
  });

const sumOf = (counts: readonly { readonly count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0);

/** Reads a file, keeps its rows and tells what importing them would do. */
export async function checkUnits(
  { db, nowMs }: Used,
  { batchID }: Parsed<Calls['importCheck']>,
  { actor }: CallContext,
  { bytes }: ReceivedFile,
): Promise<Result<Calls['importCheck']>> {
  const batch = found(await batchById(db, batchID), 'deviceBatchNotFound');
  await forgetOldest(db, actor.accountId, MOST_WAITING);
  const now = nowMs();
  const importID = await beginImport(db, actor.accountId, batchID, new Date(now));
  try {
    let rows = 0;
    let unread: readonly string[] = [];
    const tell = (columns: ToldColumns) => {
      ({ unread } = columns);
    };
    for await (const some of unitRowsIn(bytes, batch.kind, lastPlannedDay(now), tell)) {
      await stageRows(db, importID, some);
      rows += some.length;
    }
    await endStaging(db, importID, rows);
    const counts = await judgeRows(db, { id: importID, batch_id: batchID, rows }, batch.kind);
    const problems = problemsIn(counts);
    const told = await wrongRows(db, importID);
    return {
      importID,
      rows,
      fresh: counts.get('fresh') ?? 0,
      changed: counts.get('changed') ?? 0,
      same: counts.get('same') ?? 0,
      bad: sumOf(problems),
      unread: [...unread],
      counts: problems,
      problems: told.map(({ line, sn, verdict, detail }) => ({ line, sn, problem: verdict, detail })),
    };
  } catch (error) {
    await forgetImport(db, importID);
    throw error;
  }
}

/** Imports a file that was read, all of it or what can be; within a transaction, so that nothing is half there. */
export const runImport = (
  { db }: Used,
  { importID, onlyGood }: Parsed<Calls['importRun']>,
  context: CallContext,
): Promise<Result<Calls['importRun']>> =>
  inTransaction(db, async (tx) => {
    await holdImports(tx);
    const waiting = found(await waitingImport(tx, context.actor.accountId, importID), 'unitImportNotFound');
    const batch = found(await batchForChange(tx, waiting.batch_id), 'deviceBatchNotFound');
    // Since it was read, devices may have been heard and other files imported.
    const counts = await judgeRows(tx, waiting, batch.kind);
    const known = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // Its rows are gone with a crash of the database.
    if (known !== waiting.rows) throw new CallError('unitImportNotFound');
    const skipped = sumOf(problemsIn(counts));
    if (skipped > 0 && !onlyGood) throw new CallError('unitImportRefused', { rows: skipped });
    await importRows(tx, waiting);
    await forgetImport(tx, importID);
    await settleLater(tx, batch.id);
    const imported = {
      added: counts.get('fresh') ?? 0,
      changed: counts.get('changed') ?? 0,
      same: counts.get('same') ?? 0,
      skipped,
    };
    if (imported.added + imported.changed > 0) {
      const record = { kind: 'deviceBatch', id: batch.id, name: batch.number } as const;
      await recordFactory(tx, context, 'factory.import', record, { after: imported });
    }
    return imported;
  });

/** All rows that cannot be imported, with why. */
export async function problemFile(
  { db }: Used,
  { importID }: Parsed<Calls['importProblems']>,
  { actor, language }: CallContext,
): Promise<FileAnswer> {
  const waiting = found(await waitingImport(db, actor.accountId, importID), 'unitImportNotFound');

  async function* rows(): AsyncGenerator<readonly CellValue[]> {
    for (let after = -1; ; ) {
      const some: readonly WrongRow[] = await wrongRows(db, waiting.id, after, ROWS_AT_ONCE);
      for (const { line, sn, verdict, detail } of some) {
        const told = verdict === 'otherKind' ? phraseText(`factory.kind.${detail as UnitKind}`, language) : detail;
        yield [line, sn, phraseText(`factory.problem.${verdict}`, language, { detail: told })];
      }
      const last = some.at(-1);
      if (last === undefined || some.length < ROWS_AT_ONCE) return;
      after = last.line;
    }
  }
  const header = [
    { text: phraseText('factory.import.lineHeader', language), kind: 'number' as const },
    { text: phraseText('factory.units.field.sn', language), kind: 'text' as const },
    { text: phraseText('factory.import.problemHeader', language), kind: 'text' as const },
  ];
  const table = { name: 'SN', header, rows: rows(), clock: wallClockOf('UTC') };
  return fileOf(table, phraseText('factory.import.problemFile', language), 'csv', language);
}

export async function dropImport(
  { db }: Used,
  { importID }: Parsed<Calls['importDrop']>,
  { actor }: CallContext,
): Promise<void> {
  found(await waitingImport(db, actor.accountId, importID), 'unitImportNotFound');
  await forgetImport(db, importID);
}
