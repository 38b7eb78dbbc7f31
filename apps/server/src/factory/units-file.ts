import { isUtf8 } from 'node:buffer';
import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import { MOST_UNIT_ROWS, MOST_UNREAD_COLUMNS, type UnitProblem } from '@sonnenwarte/contract/factory/imports';
import { isDataloggerSn, isDeviceSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type CsvRecord, delimiterOf, plainCell, recordsIn, seenCell, toldDelimiter } from '../csv/csv-records.ts';
import { CallError } from '../http/call-error.ts';
import { Turns } from '../turns.ts';
import { columnNamed, type UnitColumn, unitColumns } from './unit-heads.ts';

/** A row of a file as it was read; what it leaves out is empty, and as its batch has it when it is imported. */
export interface UnitFileRow {
  readonly line: number;
  readonly sn: string;
  readonly odm_sn: string;
  readonly model: string;
  readonly firmware: string;
  readonly delivered_on: string | null;
  /** What is wrong with the row itself; empty where nothing is. */
  readonly wrong: UnitProblem | '';
}

const LONGEST_CELL = 64;
const PIECE_BYTES = 64 * 1024;
const LEAST_YEAR = 1980;
const MOST_YEAR = 2099;

type Places = Partial<Record<UnitColumn, number>>;

interface Columns {
  readonly hasHeader: boolean;
  readonly at: Places;
  /** Heads of columns that nothing is read from. */
  readonly unread: readonly string[];
}

/** Which cell is which, and whether the first row says so. */
function columnsIn(first: readonly string[]): Columns {
  const at: Places = {};
  const unread: string[] = [];
  for (const [index, cell] of first.entries()) {
    const name = columnNamed(cell);
    if (name !== undefined && at[name] === undefined) at[name] = index;
    else if (seenCell(cell) !== '') unread.push(seenCell(cell).slice(0, LONGEST_CELL).toWellFormed());
  }
  if (at.sn !== undefined) return { hasHeader: true, at, unread: unread.slice(0, MOST_UNREAD_COLUMNS) };
  // What names any column, or holds no digits at all, is a header, but without that of the serial numbers.
  if (Object.keys(at).length > 0 || first.every((cell) => !/\d/.test(cell))) throw new CallError('importWithoutSn');
  return { hasHeader: false, at: Object.fromEntries(unitColumns.map((name, place) => [name, place])), unread: [] };
}

const isoLike = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ].*)?$/;
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/** A day as files tell it, `YYYY-MM-DD`; undefined where it is none, or where day and month could be each other. */
export function dayIn(text: string): string | undefined {
  const [, isoYear, , isoMonth, isoDay] = isoLike.exec(text) ?? [];
  const [, dottedDay, dottedMonth, dottedYear] = dotted.exec(text) ?? [];
  const [year, month, day] = [isoYear ?? dottedYear, isoMonth ?? dottedMonth, isoDay ?? dottedDay].map(Number);
  if (year === undefined || month === undefined || day === undefined || !(year >= LEAST_YEAR && year <= MOST_YEAR))
    return;
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined;
}

function rowOf({ cells, line }: CsvRecord, at: Places, kind: UnitKind, lastDay: string): UnitFileRow {
  const cell = (name: UnitColumn) => (at[name] === undefined ? undefined : cells[at[name]]);
  const sn = seenCell(cell('sn')).replaceAll(' ', '').toUpperCase();
  const told = [cell('odm'), cell('model'), cell('firmware')].map(seenCell);
  const [odm = '', model = '', firmware = ''] = told.map((text) => text.slice(0, LONGEST_CELL).toWellFormed());
  const dayText = plainCell(cell('day'));
  const day = dayText === '' ? null : dayIn(dayText);
  const wrong = (): UnitProblem | '' => {
    if (sn === '') return 'snMissing';
    if (!(kind === 'logger' ? isDataloggerSn(sn) : isDeviceSn(sn))) return 'snWrong';
    if (told.some((text) => text.length > LONGEST_CELL)) return 'tooLong';
    if (day === undefined) return 'dayUnreadable';
    return day !== null && day > lastDay ? 'dayInFuture' : '';
  };
  return {
    line,
    sn: sn.slice(0, LONGEST_CELL).toWellFormed(),
    odm_sn: odm,
    model,
    firmware,
    delivered_on: day ?? null,
    wrong: wrong(),
  };
}

function encodingOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Else the code page of Windows, in which spreadsheets save what they call CSV.
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

function* piecesOf(bytes: Buffer): Generator<string> {
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    // No text holds U+0000, and the database takes none.
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true }).replaceAll('\0', '');
  }
}

/** Records behind the line that says the delimiter alone. */
async function* recordsOf(bytes: Buffer): ReturnType<typeof recordsIn> {
  const [first = ''] = piecesOf(bytes.subarray(0, PIECE_BYTES));
  const skipped = toldDelimiter(first) === undefined ? 0 : 1;
  const reading = recordsIn(piecesOf(bytes), delimiterOf(first));
  for (;;) {
    const step = await reading.next();
    if (step.done === true) return step.value;
    const records = step.value.filter(({ line }) => line > skipped);
    if (records.length > 0) yield records;
  }
}

const isEmpty = ({ cells }: CsvRecord): boolean => cells.every((cell) => cell.trim() === '');

/** Refuses a file with too many rows before any of them is kept. */
async function checkLength(bytes: Buffer): Promise<void> {
  // The first may be a header.
  let left = MOST_UNIT_ROWS + 1;
  for await (const records of recordsOf(bytes)) {
    left -= records.filter((record) => !isEmpty(record)).length;
    if (left < 0) throw tooLong();
  }
}

const tooLong = () => new CallError('importTooLong', { maximum: MOST_UNIT_ROWS });

/** What is told of the columns of a file once its first row was read. */
export type ToldColumns = Pick<Columns, 'unread'>;

/**
 * Rows of a CSV file of delivered units, some at a time, so that no more is in memory. A header that names the columns, or SN, ODM-SN, model,
 * firmware and day of delivery in this order. Refuses a file without rows, with too many, or without a column of serial numbers.
 */
export async function* unitRowsIn(
  bytes: Buffer,
  kind: UnitKind,
  lastDay: string,
  tell: (columns: ToldColumns) => void = () => undefined,
): AsyncGenerator<UnitFileRow[]> {
  await checkLength(bytes);
  const reading = recordsOf(bytes);
  let columns: Columns | undefined;
  let count = 0;
  const turns = new Turns();
  for (;;) {
    const step = await reading.next();
    const rows: UnitFileRow[] = [];
    for (const record of step.done === true ? [] : step.value) {
      if (turns.isOver) await turns.giveBack();
      if (isEmpty(record)) continue;
      if (columns === undefined) {
        columns = columnsIn(record.cells);
        tell(columns);
        if (columns.hasHeader) continue;
      }
      count += 1;
      if (count > MOST_UNIT_ROWS) {
        await reading.return(undefined);
        throw tooLong();
      }
      rows.push(rowOf(record, columns.at, kind, lastDay));
    }
    if (step.done === true && step.value !== undefined) {
      count += 1;
      rows.push({
        line: step.value,
        sn: '',
        odm_sn: '',
        model: '',
        firmware: '',
        delivered_on: null,
        wrong: 'rowBroken',
      });
    }
    if (rows.length > 0) yield rows;
    if (step.done === true) break;
  }
  if (count === 0) throw new CallError('importEmpty');
}
