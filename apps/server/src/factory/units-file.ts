import { isUtf8 } from 'node:buffer';
import type { UnitKind } from '@sonnenwarte/contract/factory/factory-words';
import { MOST_UNIT_ROWS, type UnitProblem } from '@sonnenwarte/contract/factory/imports';
import { isDataloggerSn, isDeviceSn } from '@sonnenwarte/device-protocol/sparkplug/topics';
import { type CsvRecord, delimiterOf, headerCell, plainCell, recordsIn, seenCell } from '../csv/csv-records.ts';
import { CallError } from '../http/call-error.ts';
import { Turns } from '../turns.ts';

/** A row of a file as it was read; what it leaves out is as its batch has it. */
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

/** What a row has that says nothing else. */
export interface BatchValues {
  readonly kind: UnitKind;
  readonly model: string;
  readonly firmware: string;
  readonly delivered_on: string | null;
}

const LONGEST_CELL = 64;
const PIECE_BYTES = 64 * 1024;
const LEAST_YEAR = 1980;
const MOST_YEAR = 2099;

const columns = ['sn', 'odm', 'model', 'firmware', 'day'] as const;
type ColumnName = (typeof columns)[number];
type Places = Partial<Record<ColumnName, number>>;

const words: Readonly<Record<ColumnName, readonly string[]>> = {
  sn: ['sn', 's/n', 'serial', 'serialnumber', 'serialno', 'seriennummer', 'devicesn'],
  odm: ['odmsn', 'odm', 'odmserial', 'odmserialnumber', 'odmseriennummer'],
  model: ['model', 'modell', 'type', 'typ', 'devicetype'],
  firmware: ['firmware', 'version', 'fw', 'firmwareversion'],
  day: [
    'deliveredon',
    'delivered',
    'deliverydate',
    'delivery',
    'date',
    'day',
    'lieferdatum',
    'geliefertam',
    'lieferung',
    'datum',
  ],
};
const names: ReadonlyMap<string, ColumnName> = new Map(
  columns.flatMap((column) => words[column].map((word) => [word, column] as const)),
);

/** Which cell is which, and whether the first row says so. */
function placesIn(first: readonly string[]): { hasHeader: boolean; at: Places } {
  const at: Places = {};
  for (const [index, cell] of first.entries()) {
    const name = names.get(headerCell(cell));
    if (name !== undefined && at[name] === undefined) at[name] = index;
  }
  if (at.sn !== undefined) return { hasHeader: true, at };
  // A first row that holds no digits at all names columns, but not that of the serial numbers.
  if (first.every((cell) => !/\d/.test(cell))) throw new CallError('importWithoutSn');
  return { hasHeader: false, at: Object.fromEntries(columns.map((name, place) => [name, place])) };
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

function rowOf({ cells, line }: CsvRecord, at: Places, batch: BatchValues, lastDay: string): UnitFileRow {
  const cell = (name: ColumnName) => (at[name] === undefined ? undefined : cells[at[name]]);
  const sn = seenCell(cell('sn')).replaceAll(' ', '').toUpperCase();
  const told = [cell('odm'), cell('model'), cell('firmware')].map(seenCell);
  const [odm = '', model = '', firmware = ''] = told.map((text) => text.slice(0, LONGEST_CELL).toWellFormed());
  const dayText = plainCell(cell('day'));
  const day = dayText === '' ? batch.delivered_on : dayIn(dayText);
  const wrong = (): UnitProblem | '' => {
    if (sn === '') return 'snMissing';
    if (!(batch.kind === 'logger' ? isDataloggerSn(sn) : isDeviceSn(sn))) return 'snWrong';
    if (told.some((text) => text.length > LONGEST_CELL)) return 'tooLong';
    if (day === undefined) return 'dayUnreadable';
    return dayText !== '' && day !== null && day > lastDay ? 'dayInFuture' : '';
  };
  return {
    line,
    sn: sn.slice(0, LONGEST_CELL).toWellFormed(),
    odm_sn: odm,
    model: model === '' ? batch.model : model,
    firmware: firmware === '' ? batch.firmware : firmware,
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

/**
 * Rows of a CSV file of delivered units, some at a time, so that no more is in memory. A header that names the columns, or SN, ODM-SN, model,
 * firmware and day of delivery in this order. Refuses a file without rows, with too many, or without a column of serial numbers.
 */
export async function* unitRowsIn(bytes: Buffer, batch: BatchValues, lastDay: string): AsyncGenerator<UnitFileRow[]> {
  const [first = ''] = piecesOf(bytes.subarray(0, PIECE_BYTES));
  const reading = recordsIn(piecesOf(bytes), delimiterOf(first));
  let places: ReturnType<typeof placesIn> | undefined;
  let count = 0;
  const turns = new Turns();
  for (;;) {
    const step = await reading.next();
    const rows: UnitFileRow[] = [];
    for (const record of step.done === true ? [] : step.value) {
      if (turns.isOver) await turns.giveBack();
      if (places === undefined) {
        places = placesIn(record.cells);
        if (places.hasHeader) continue;
      }
      if (record.cells.every((cell) => cell.trim() === '')) continue;
      count += 1;
      if (count > MOST_UNIT_ROWS) {
        await reading.return(undefined);
        throw new CallError('importTooLong', { maximum: MOST_UNIT_ROWS });
      }
      rows.push(rowOf(record, places.at, batch, lastDay));
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
