import { finished } from 'node:stream/promises';
import { MOST_IMPORTED } from '@sonnenwarte/contract/dataloggers/managing';
import { isDataloggerSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { CsvError, parse } from 'csv-parse';
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
const LONGEST_ROW_BYTES = 4_096;
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

/** As German spreadsheets write it, with tabs, or with commas: what the first line has most of, outside quotes. */
export function delimiterOf(file: string): string {
  const [first = ''] = file
    .slice(0, LONGEST_ROW_BYTES)
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const [best = ','] = [',', ';', '\t'].sort((one, other) => first.split(other).length - first.split(one).length);
  return best;
}

/** What is in a cell: spreadsheets keep long numbers as `="…"`, or with an apostrophe before them. */
const plainCell = (cell: string | undefined): string =>
  (cell ?? '')
    .trim()
    .replace(/^="?(.*?)"?$/, '$1')
    .replace(/^'/, '')
    .trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text of the portal holds
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const described = (cell: string | undefined): string =>
  plainCell(cell).replaceAll(hidden, '').slice(0, LONGEST_CELL).toWellFormed();

/** Which cell is which, and whether the first row says so. */
function columnsIn(first: readonly string[]): { hasHeader: boolean; at: Partial<Record<ColumnName, number>> } {
  const at: Partial<Record<ColumnName, number>> = {};
  for (const [index, cell] of first.entries()) {
    const name = names.get(
      plainCell(cell)
        .toLowerCase()
        .replaceAll(/[\s_.-]/g, ''),
    );
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
  { cells, line }: FileRecord,
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

interface FileRecord {
  readonly cells: readonly string[];
  /** On which it begins. */
  readonly line: number;
}

const ends = /\r\n|\n|\r/g;

/**
 * Records of a file, and the line of the one that cannot be read, such as one with a quote that is never closed: it and all behind it are
 * lost. Not many more are read than there may be.
 */
async function recordsOf(file: string): Promise<{ records: FileRecord[]; brokenAt: number | undefined }> {
  const records: FileRecord[] = [];
  let lines = 0;
  let failure: unknown;
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(file),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW_BYTES,
    on_record: (cells: string[], info) => {
      ({ lines } = info);
      records.push({ cells, line: lines - cells.reduce((sum, cell) => sum + (cell.match(ends)?.length ?? 0), 0) });
      return null;
    },
  });
  const ended = finished(parser.resume()).catch((error: unknown) => {
    failure = error;
  });
  const turns = new Turns();
  for (let at = 0; at < file.length && failure === undefined && records.length <= MOST_IMPORTED + 1; at += PIECE) {
    if (turns.isOver) await turns.giveBack();
    await new Promise((done) => parser.write(file.slice(at, at + PIECE), done));
  }
  if (!parser.destroyed) parser.end();
  await ended;
  if (failure !== undefined && !(failure instanceof CsvError)) throw failure;
  return { records, brokenAt: failure === undefined ? undefined : lines + 1 };
}
