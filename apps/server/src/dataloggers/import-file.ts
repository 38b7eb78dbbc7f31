import { MOST_IMPORTED } from '@sonnenwarte/contract/dataloggers/managing';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type CsvRecord, delimiterOf, headerCell, plainCell, recordsIn, seenCell } from '../csv/csv-records.ts';
import { CallError } from '../http/call-error.ts';
import { Turns } from '../turns.ts';

/** A row of a file as it was read. */
export interface ImportRow {
  readonly line: number;
  readonly sn: string;
  readonly key: string;
  readonly type: string;
  readonly model: string;
  /** What is wrong with the row itself. */
  readonly problem?: 'invalidSn' | 'identicalSn' | 'importKeyOdd' | 'importRowBroken';
}

const LONGEST_CELL = 64;
const PIECE = 16_384;
/** As the keys that the command line takes. */
const KEY = /^[0-9A-Za-z][0-9A-Za-z -]{5,62}[0-9A-Za-z]$/;

type ColumnName = 'sn' | 'key' | 'type' | 'model';
const names: ReadonlyMap<string, ColumnName> = new Map([
  ...(['sn', 's/n', 'serial', 'serialnumber', 'seriennummer', 'modulesn'] as const).map(
    (name) => [name, 'sn'] as const,
  ),
  ...(['key', 'schlüssel', 'pin'] as const).map((name) => [name, 'key'] as const),
  ...(['type', 'typ', 'moduletype'] as const).map((name) => [name, 'type'] as const),
  ...(['model', 'modell'] as const).map((name) => [name, 'model'] as const),
]);

const described = (cell: string | undefined): string => seenCell(cell).slice(0, LONGEST_CELL).toWellFormed();

/** Which cell is which, and whether the first row says so. */
function columnsIn(first: readonly string[]): { hasHeader: boolean; at: Partial<Record<ColumnName, number>> } {
  const at: Partial<Record<ColumnName, number>> = {};
  for (const [index, cell] of first.entries()) {
    const name = names.get(headerCell(cell));
    if (name !== undefined && at[name] === undefined) at[name] = index;
  }
  if (at.sn !== undefined) return { hasHeader: true, at };
  // A first row that holds no digits at all names columns, but not that of the serial numbers.
  if (first.every((cell) => !/\d/.test(cell))) throw new CallError('importWithoutSn');
  return { hasHeader: false, at: { sn: 0, key: 1, type: 2, model: 3 } };
}

/**
 * Reads a file of serial numbers. Rows that are wrong in themselves say why; whether they can be imported is for others to say. The event
 * loop is given back in between. Refuses a file without rows, with too many, or without a column of serial numbers.
 */
export async function readImport(file: string): Promise<ImportRow[]> {
  const { records, brokenAt } = await recordsOf(file);
  const rows: ImportRow[] = [];
  const firstLines = new Map<string, number>();
  const turns = new Turns();
  let columns: ReturnType<typeof columnsIn> | undefined;
  for (const record of records) {
    if (turns.isOver) await turns.giveBack();
    if (columns === undefined) {
      columns = columnsIn(record.cells);
      if (columns.hasHeader) continue;
    }
    if (record.cells.every((cell) => cell.trim() === '')) continue;
    if (rows.length >= MOST_IMPORTED) throw new CallError('importTooLong', { maximum: MOST_IMPORTED });
    rows.push(rowOf(record, columns.at, firstLines));
  }
  if (brokenAt !== undefined) {
    rows.push({ line: brokenAt, sn: '', key: '', type: '', model: '', problem: 'importRowBroken' });
  }
  if (rows.length === 0) throw new CallError('importEmpty');
  return rows;
}

function rowOf(
  { cells, line }: CsvRecord,
  at: Partial<Record<ColumnName, number>>,
  firstLines: Map<string, number>,
): ImportRow {
  const cell = (name: ColumnName) => (at[name] === undefined ? undefined : cells[at[name]]);
  const sn = described(cell('sn')).replaceAll(' ', '');
  const key = plainCell(cell('key')).slice(0, LONGEST_CELL + 1);
  const row = { line, sn, key, type: described(cell('type')), model: described(cell('model')) };
  if (!isDataloggerSn(sn)) return { ...row, problem: 'invalidSn' };
  if (firstLines.has(sn)) return { ...row, problem: 'identicalSn' };
  firstLines.set(sn, line);
  if (key !== '' && !KEY.test(key)) return { ...row, problem: 'importKeyOdd' };
  return row;
}

/** Records of a file, and the line of the one that cannot be read. Not many more are read than there may be. */
async function recordsOf(file: string): Promise<{ records: CsvRecord[]; brokenAt: number | undefined }> {
  const records: CsvRecord[] = [];
  const reading = recordsIn(piecesOf(file), delimiterOf(file));
  for (;;) {
    const step = await reading.next();
    if (step.done === true) return { records, brokenAt: step.value };
    records.push(...step.value);
    if (records.length > MOST_IMPORTED + 1) {
      await reading.return(undefined);
      return { records, brokenAt: undefined };
    }
  }
}

function* piecesOf(file: string): Generator<string> {
  for (let at = 0; at < file.length; at += PIECE) yield file.slice(at, at + PIECE);
}
