import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { factoryKeepers } from './factory-words.ts';

export const MOST_UNIT_FILE_BYTES = 16 * 1024 * 1024;
export const MOST_UNIT_ROWS = 100_000;
/** Of the rows of a file that cannot be imported so many are told one by one; a file holds them all. */
export const MOST_TOLD_UNIT_PROBLEMS = 200;
/** So many columns of a file that nothing is read from are told. */
export const MOST_UNREAD_COLUMNS = 30;
/** Why a row cannot be imported. */
export const unitProblems = [
  'snMissing',
  'snWrong',
  'twice',
  'elsewhere',
  'otherKind',
  'otherModel',
  'dayUnreadable',
  'dayInFuture',
  'tooLong',
  'rowBroken',
] as const;
export type UnitProblem = (typeof unitProblems)[number];

const id = z.uuid();

const rowProblem = z.object({
  line: z.int(),
  sn: z.string(),
  problem: z.enum(unitProblems),
  /** The first line of a number that is there twice, the batch that has it, what the device tells of itself. */
  detail: z.string(),
});
export type UnitRowProblem = z.infer<typeof rowProblem>;

export const importCheck = endpoint({
  method: 'POST',
  path: '/c/v0/factory/import/check',
  feature: 'factory',
  summary: `Reads a CSV file of up to ${MOST_UNIT_ROWS} serial numbers for a batch and tells what importing it would do; kept for a day.`,
  callers: factoryKeepers,
  changes: [],
  upload: { mostBytes: MOST_UNIT_FILE_BYTES, tooLarge: 'unitFileTooLarge', isPatient: true },
  input: z.object({ batchID: id }),
  result: z.object({
    importID: z.string(),
    rows: z.int(),
    /** Units that are not there yet, that are with other values, and that are as the file says. */
    fresh: z.int(),
    changed: z.int(),
    same: z.int(),
    bad: z.int(),
    /** Heads of the columns that nothing is read from. */
    unread: z.array(z.string()),
    counts: z.array(z.object({ problem: z.enum(unitProblems), count: z.int() })),
    problems: z.array(rowProblem),
  }),
  names: { batchID: 'deviceBatch' },
});
export type UnitImportPreview = z.infer<(typeof importCheck)['result']>;

export const importRun = endpoint({
  method: 'POST',
  path: '/c/v0/factory/import/run',
  feature: 'factory',
  summary: 'Imports a file that was read before: all of it, or with `onlyGood` the rows without errors.',
  callers: factoryKeepers,
  changes: ['factory'],
  input: z.object({ importID: id, onlyGood: z._default(z.boolean(), false) }),
  result: z.object({ added: z.int(), changed: z.int(), same: z.int(), skipped: z.int() }),
  names: { importID: 'unitImport' },
});
export type UnitsImported = z.infer<(typeof importRun)['result']>;

export const importProblems = endpoint({
  method: 'POST',
  path: '/c/v0/factory/import/problems',
  feature: 'factory',
  summary: 'All rows of a file that cannot be imported, as a CSV file that says why.',
  callers: factoryKeepers,
  reads: true,
  file: true,
  input: z.object({ importID: id }),
  result: z.null(),
  names: { importID: 'unitImport' },
});

export const importDrop = endpoint({
  method: 'POST',
  path: '/c/v0/factory/import/drop',
  feature: 'factory',
  summary: 'Forgets a file that was read and is not imported.',
  callers: factoryKeepers,
  changes: [],
  input: z.object({ importID: id }),
  result: z.object({}),
  names: { importID: 'unitImport' },
});
