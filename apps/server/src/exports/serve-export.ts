import { Readable } from 'node:stream';
import type { Endpoint, ListEndpoint, RowOf } from '@sonnenwarte/contract/endpoint';
import { type ExportEndpoint, type ExportFormat, MAX_EXPORT_ROWS } from '@sonnenwarte/contract/exports';
import type { FieldOfKind } from '@sonnenwarte/contract/kinds';
import { type Language, localeOf } from '@sonnenwarte/contract/languages';
import { isValidZone } from '@sonnenwarte/energy/calendar';
import { CallError } from '../http/call-error.ts';
import { type Api, type CallContext, type ContextOf, type FileAnswer, serveFile } from '../http/serve.ts';
import { breathe } from '../in-slices.ts';
import type { Asked, Found, Place } from '../stores/lists.ts';
import { type CellValue, type Table, timeText, wallClockOf } from './cells.ts';
import { csvOf } from './csv.ts';
import { type FileColumn, fileColumnsOf } from './file-columns.ts';
import { type PhraseKey, phraseText } from './phrase-text.ts';
import { workbookOf, xlsxOf } from './xlsx.ts';

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

type OwnFields<L extends ListEndpoint> = FieldOfKind<L['list']['fields'], 'own'>;

export interface ExportSource<L extends ListEndpoint, Row extends object> {
  /** Rows by the list's own service, within the caller's scope. */
  readonly find: (input: Asked<L>, context: ContextOf<L>) => Promise<Found<Row>>;
  /** What a file holds of the fields that are of no kind of their own. */
  readonly own: { readonly [Name in OwnFields<L>]: (row: Row, words: ExportWords) => CellValue };
  /** Zone of the clock by which it tells times; of whoever asks where there is none. */
  readonly zoneOf?: (input: Asked<L>, context: ContextOf<L>) => Promise<string | undefined>;
  /** What the file is called; as the list unless said otherwise. */
  readonly title?: PhraseKey;
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>;

/** What no system takes in the name of a file. */
const unnameable = /[\\/:*?"<>|]/g;

/** Binds the export of a list: reads on from its last row through the list's service, and streams the rows as they come. */
export function serveExport<const L extends ListEndpoint, Row extends RowOf<L> & object>(
  api: Api,
  endpoint: ExportEndpoint<L>,
  source: ExportSource<NoInfer<L>, Row>,
): void {
  const list: ListEndpoint = endpoint.fileOf;
  serveFile(api, endpoint as Endpoint & { readonly file: true }, async (parsed, context) => {
    const { format, columns: names, ...input } = parsed as { format: ExportFormat; columns: string[] };
    const { language, timeZone: sentZone } = context as CallContext;
    const ownZone = await source.zoneOf?.(input as unknown as Asked<L>, context as ContextOf<L>);
    const timeZone = ownZone ?? (isValidZone(sentZone) ? sentZone : 'UTC');
    const clock = wallClockOf(timeZone);
    const countries = new Intl.DisplayNames([localeOf(language)], { type: 'region' });
    const words: ExportWords = {
      language,
      timeZone,
      text: (key, values) => phraseText(key, language, values),
      country: (code) => (/^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code),
    };
    const columns: readonly FileColumn[] = fileColumnsOf(list, names, source.own, words);
    const read = (after: Place | null) =>
      source.find({ ...input, pageSize: ROWS_PER_READ, after } as unknown as Asked<L>, context as ContextOf<L>);
    const first = await read(null);
    if (first.total > MAX_EXPORT_ROWS)
      throw new CallError('exportTooLarge', { rows: first.total, maximum: MAX_EXPORT_ROWS });

    async function* rows(): AsyncGenerator<readonly CellValue[]> {
      let found = first;
      for (;;) {
        for (const [place, row] of found.rows.entries()) {
          if (place % ROWS_AT_ONCE === 0) await breathe();
          yield columns.map((column) => column.value(row));
        }
        if (found.end === undefined) return;
        found = await read(found.end);
      }
    }

    const title = words.text(source.title ?? (`${endpoint.feature}.list.title` as PhraseKey));
    const table: Table = { name: title, header: columns.map(({ header }) => header), rows: rows(), clock };
    return fileOf(table, `${title}-${timeText(new Date(api.nowMs()), clock).slice(0, 10)}`, format, language);
  });
}

/** What a file is saved as. */
export const fileNameOf = (name: string, ending: string): string => `${name.replaceAll(unnameable, ' ')}.${ending}`;

/** A table as a file of a format, whose rows are read while it is sent. */
export const fileOf = (table: Table, name: string, format: ExportFormat, language: Language): FileAnswer => ({
  name: fileNameOf(name, format),
  contentType: contentTypes[format],
  body: Readable.from(format === 'xlsx' ? xlsxOf(table) : csvOf(table, language), { objectMode: false }),
});

/** Several tables as the sheets of one XLSX file, one after the other. */
export const workbookFileOf = (tables: readonly Table[], name: string): FileAnswer => ({
  name: fileNameOf(name, 'xlsx'),
  contentType: contentTypes.xlsx,
  body: Readable.from(workbookOf(tables), { objectMode: false }),
});
