import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import { type CellKind, type CellValue, type Table, timeText, writable } from './cells.ts';

const BOM = '\ufeff';
const CHUNK_CHARACTERS = 32_768;

/** A text that a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r\n]/;

/** `,` or `;`: spreadsheets of a language whose decimal separator is the comma expect the semicolon between fields. */
export const separatorOf = (language: Language): ',' | ';' => (decimalOf(language) === ',' ? ';' : ',');

const decimalOf = (language: Language): string =>
  new Intl.NumberFormat(localeOf(language)).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

interface Dialect {
  readonly separator: string;
  readonly decimal: string;
  readonly clock: Intl.DateTimeFormat;
}

const quoted = (text: string, separator: string): string =>
  text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

function field(value: CellValue, kind: CellKind, { separator, decimal, clock }: Dialect): string {
  if (value === null) return '';
  if (value instanceof Date) return timeText(value, clock);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).replace('.', decimal) : '';
  const text = writable(value);
  return quoted(kind === 'text' && formula.test(text) ? `'${text}` : text, separator);
}

const line = (cells: readonly CellValue[], kinds: readonly CellKind[], dialect: Dialect): string =>
  `${cells.map((cell, place) => field(cell, kinds[place] ?? 'text', dialect)).join(dialect.separator)}\r\n`;

/** CSV after RFC 4180 in UTF-8 with a byte order mark, in the dialect that spreadsheets of the language read. */
export async function* csvOf({ header, rows, clock }: Table, language: Language): AsyncGenerator<string> {
  const dialect = { separator: separatorOf(language), decimal: decimalOf(language), clock };
  const kinds = header.map(({ kind }) => kind);
  let text =
    BOM +
    line(
      header.map((cell) => cell.text),
      header.map(() => 'text' as const),
      dialect,
    );
  for await (const row of rows) {
    text += line(row, kinds, dialect);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}
