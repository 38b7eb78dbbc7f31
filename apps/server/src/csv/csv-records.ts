import { finished } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { Turns } from '../turns.ts';

const LONGEST_ROW_BYTES = 4_096;

/** A record of a file. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** On which it begins. */
  readonly line: number;
}

/** The delimiter that a first line of its own says, as spreadsheets write it. */
export const toldDelimiter = (file: string): string | undefined => /^\ufeff?sep=(.)\r?(?:\n|$)/i.exec(file)?.[1];

/** As German spreadsheets write it, with tabs, or with commas: what the first line has most of, outside quotes. */
export function delimiterOf(file: string): string {
  const told = toldDelimiter(file);
  if (told !== undefined) return told;
  const [first = ''] = file
    .slice(0, LONGEST_ROW_BYTES)
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const [best = ','] = [',', ';', '\t'].sort((one, other) => first.split(other).length - first.split(one).length);
  return best;
}

/** What is in a cell: spreadsheets keep long numbers as `="…"`, or with an apostrophe before them. Any other formula stays one. */
export const plainCell = (cell: string | undefined): string =>
  (cell ?? '')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text of the portal holds
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The same without signs that are not seen. */
export const seenCell = (cell: string | undefined): string => plainCell(cell).replaceAll(hidden, '').toWellFormed();

/** A header as it is compared: without case, spaces and what joins words. */
export const headerCell = (cell: string): string =>
  plainCell(cell)
    .toLowerCase()
    .replaceAll(/[\s_.-]/g, '');

const ends = /\r\n|\n|\r/g;

/**
 * Records of a file that comes in pieces, as many at once as a piece holds, so that no more is in memory; the event loop is given back in
 * between. Returns the line of a record that cannot be read, such as one with a quote that is never closed: it and all behind it are lost.
 */
export async function* recordsIn(
  pieces: Iterable<string>,
  delimiter: string,
): AsyncGenerator<CsvRecord[], number | undefined> {
  let records: CsvRecord[] = [];
  let lines = 0;
  let failure: unknown;
  const parser = parse({
    bom: true,
    delimiter,
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
  const taken = () => {
    const read = records;
    records = [];
    return read;
  };
  const turns = new Turns(1);
  try {
    for (const piece of pieces) {
      if (failure !== undefined) break;
      if (turns.isOver) await turns.giveBack();
      await new Promise((done) => parser.write(piece, done));
      if (records.length > 0) yield taken();
    }
    if (!parser.destroyed) parser.end();
    await ended;
  } finally {
    parser.destroy();
  }
  if (failure !== undefined && !(failure instanceof CsvError)) throw failure;
  if (records.length > 0) yield taken();
  return failure === undefined ? undefined : lines + 1;
}
