import { Readable } from 'node:stream';
import type { Endpoint, Parsed } from '@sonnenwarte/contract/endpoint';
import { type ExportEndpoint, type ExportFormat, MAX_EXPORT_ROWS } from '@sonnenwarte/contract/exports';
import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import type { Quality } from '@sonnenwarte/contract/status';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import { CallError } from '../http/call-error.ts';
import { type Api, type CallContext, type ContextOf, serveFile } from '../http/serve.ts';
import { breathe } from '../ingestion/in-slices.ts';
import { type CellKind, type CellValue, cellOf, type FileUnit, type Table, timeText, wallClockOf } from './cells.ts';
import { csvOf } from './csv.ts';
import { type PhraseKey, phraseText } from './phrase-text.ts';
import { xlsxOf } from './xlsx.ts';

const ROWS_PER_READ = 1_000;
/** Between so many rows the event loop is given back. */
const ROWS_AT_ONCE = 100;

/** What turns values into words of the caller's language. */
export interface ExportWords {
  readonly language: Language;
  readonly timeZone: string;
  readonly text: (key: PhraseKey, values?: Readonly<Record<string, string | number>>) => string;
  /** Name of a country by its code. */
  readonly country: (code: string) => string;
}

export interface ExportColumn<Row> {
  /** Phrase of the heading: the one of the screen's column. */
  readonly label: PhraseKey;
  /** `text` unless said otherwise; `time` takes a Date, `day` takes `YYYY-MM-DD`. */
  readonly kind?: CellKind;
  /** Unit of the numbers, told in the heading; they are rounded to its decimals. */
  readonly unit?: FileUnit;
  readonly value: (row: Row, words: ExportWords) => CellValue;
  /** How the figure came about: a column of its own beside it. */
  readonly quality?: (row: Row) => Quality;
}

export interface ExportSource<L extends Endpoint, C extends readonly [string, ...string[]], Row> {
  /**
   * A page of rows by the list's own service, within the caller's scope. `input` is the list's input whose `pageSize`
   * is as large as one read may be; `last` is the row before, for lists that read on from a row instead of a count.
   */
  readonly page: (
    input: Parsed<L>,
    context: ContextOf<L>,
    last: Row | undefined,
  ) => Promise<{ rows: readonly Row[]; total: number }>;
  readonly columns: { readonly [Name in C[number]]: ExportColumn<Row> };
  /** Beginning of the file's name; the feature's name unless said otherwise. */
  readonly name?: string;
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

/** Binds the export of a list: pages through the list's service and streams the rows as they come. */
export function serveExport<const L extends Endpoint, const C extends readonly [string, ...string[]], Row>(
  api: Api,
  endpoint: ExportEndpoint<L, C>,
  source: ExportSource<L, C, Row>,
): void {
  serveFile(api, endpoint as Endpoint & { readonly file: true }, async (parsed, context) => {
    const { format, columns: names, ...input } = parsed as { format: ExportFormat; columns: C[number][] };
    const { language, timeZone: sentZone } = context as CallContext;
    const timeZone = isValidZone(sentZone) ? sentZone : 'UTC';
    const clock = wallClockOf(timeZone);
    const countries = new Intl.DisplayNames([localeOf(language)], { type: 'region' });
    const words: ExportWords = {
      language,
      timeZone,
      text: (key, values) => phraseText(key, language, values),
      country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    };
    const columns = names.flatMap((name) => withQuality<Row>(source.columns[name]));
    const read = (currentPage: number, last: Row | undefined) =>
      source.page(
        { ...input, pageSize: ROWS_PER_READ, currentPage } as unknown as Parsed<L>,
        context as ContextOf<L>,
        last,
      );
    const first = await read(1, undefined);
    if (first.total > MAX_EXPORT_ROWS)
      throw new CallError('exportTooLarge', { rows: first.total, maximum: MAX_EXPORT_ROWS });

    async function* rows(): AsyncGenerator<readonly CellValue[]> {
      let { rows: page } = first;
      for (let number = 2; ; number++) {
        for (const [place, row] of page.entries()) {
          if (place % ROWS_AT_ONCE === 0) await breathe();
          yield columns.map((column) => cellOf(column.value(row, words), column.unit));
        }
        if (page.length < ROWS_PER_READ) return;
        ({ rows: page } = await read(number, page.at(-1)));
      }
    }

    const name = `${source.name ?? endpoint.feature}-${timeText(new Date(api.nowMs()), clock).slice(0, 10)}`;
    const table: Table = { name, header: columns.map((column) => headingOf(column, words)), rows: rows(), clock };
    const chunks = format === 'xlsx' ? xlsxOf(table) : csvOf(table, language);
    return {
      name: `${name}.${format}`,
      contentType: contentTypes[format],
      body: Readable.from(chunks, { objectMode: false }),
    };
  });
}

interface FileColumn<Row> extends ExportColumn<Row> {
  /** Phrase of what the column says of the one before. */
  readonly says?: PhraseKey;
}

function withQuality<Row>(column: ExportColumn<Row>): FileColumn<Row>[] {
  const { label, quality } = column;
  if (quality === undefined) return [column];
  return [column, { label, says: 'states.quality', value: (row, { text }) => text(`states.${quality(row)}`) }];
}

function headingOf<Row>({ label, says, kind = 'text', unit }: FileColumn<Row>, { text, timeZone }: ExportWords) {
  const remark = says === undefined ? (kind === 'time' ? timeZone : unit) : text(says);
  return { text: remark === undefined ? text(label) : `${text(label)} (${remark})`, kind };
}

/** A time of an answer, in ms, as a cell. */
export const timeCell = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
