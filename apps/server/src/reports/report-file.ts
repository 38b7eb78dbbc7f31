import { Readable } from 'node:stream';
import type { Language } from '@sonnenwarte/contract/languages';
import type { ReportFormat, RowQuality } from '@sonnenwarte/contract/reports/report';
import { historyNames } from '@sonnenwarte/contract/sites/site-history';
import { zoneOffsetMs } from '@sonnenwarte/energy/calendar';
import { type CellValue, type HeaderCell, type Table, wallClockOf } from '../exports/cells.ts';
import { type PhraseKey, phraseText } from '../exports/phrase-text.ts';
import { pointName, unitText } from '../exports/point-name.ts';
import { fileNameOf, fileOf, workbookFileOf } from '../exports/serve-export.ts';
import type { FileAnswer } from '../http/serve.ts';
import type { ReadRows, ReportColumn, ReportHead, ReportLine, ReportPart } from './canonical.ts';
import { parquetOf } from './parquet.ts';
import { localTimeText, offsetText } from './time-texts.ts';

/** Name of a column in a language, without its unit. */
export function columnName({ of, variable }: ReportColumn, language: Language): string {
  if (of !== 'plant') return pointName({ name: variable }, language);
  const words: readonly string[] =
    historyNames[variable as keyof typeof historyNames] ??
    (variable === 'selfUse' ? ['sites.figure.selfUseWh'] : [`sites.figure.${variable}`]);
  return words.map((key) => phraseText(key as PhraseKey, language)).join(' → ');
}

/** Heading of a column: name, unit and how its values came to one; the kind of device where several stand in one table. */
function headingOf(column: ReportColumn, language: Language, isOfMany: boolean): string {
  const { way } = column;
  const notes = [
    unitText(column.unit),
    way === 'mean' || way === 'growth' || way === 'last' ? phraseText(`reports.way.${way}`, language) : '',
  ];
  const within = notes.filter((note) => note !== '').join(', ');
  const name = columnName(column, language);
  const named = isOfMany ? `${phraseText(`sites.kind.${column.of}` as PhraseKey, language)} · ${name}` : name;
  return within === '' ? named : `${named} (${within})`;
}

const qualityWord = (quality: RowQuality, language: Language): string =>
  phraseText(`reports.quality.${quality}`, language);

function headingsOf(language: Language) {
  const time = phraseText('charts.time', language);
  return {
    plant: phraseText('reports.file.plant', language),
    device: phraseText('reports.file.device', language),
    zone: phraseText('reports.file.zone', language),
    local: phraseText('reports.file.localTime', language),
    offset: phraseText('reports.file.offset', language),
    utc: `${time} (UTC)`,
    quality: phraseText('reports.file.quality', language),
  };
}

const partOf = (head: ReportHead, part: number): ReportPart => {
  const found = head.parts[part];
  if (found === undefined) throw new Error(`no part ${part} in a report`);
  return found;
};

const text = (name: string): HeaderCell => ({ text: name, kind: 'text' });
const utcText = (tsMs: number): string => new Date(tsMs).toISOString();

/** One table of all rows; of a device that has no such variable a cell is empty. */
function csvTable({ head, rows }: ReadRows, language: Language, name: string): Table {
  const words = headingsOf(language);
  const ofDevices = head.source === 'devices';
  const isOfMany = new Set(head.columns.map(({ of }) => of)).size > 1;
  const header = [
    text(words.plant),
    ...(ofDevices ? [text(words.device)] : []),
    text(words.zone),
    text(words.local),
    text(words.utc),
    ...head.columns.map((column): HeaderCell => ({ text: headingOf(column, language, isOfMany), kind: 'number' })),
    text(words.quality),
  ];
  async function* cells(): AsyncGenerator<readonly CellValue[]> {
    for await (const { part, line } of rows) {
      const { name: device, plantName, timeZone, columns } = partOf(head, part);
      const values: CellValue[] = head.columns.map(() => null);
      for (const [place, column] of columns.entries()) values[column] = line.values[place] ?? null;
      yield [
        plantName,
        ...(ofDevices ? [device] : []),
        timeZone,
        localTimeText(line.tsMs, timeZone),
        utcText(line.tsMs),
        ...values,
        qualityWord(line.quality, language),
      ];
    }
  }
  return { name, header, rows: cells(), clock: wallClockOf('UTC') };
}

/** Rows one after the other, of which each reader takes those of its part. */
class InParts {
  readonly #rows: ReadRows['rows'];
  #next: { readonly part: number; readonly line: ReportLine } | undefined;

  constructor(rows: ReadRows['rows']) {
    this.#rows = rows;
  }

  async *of(part: number): AsyncGenerator<ReportLine> {
    for (;;) {
      this.#next ??= (await this.#rows.next()).value ?? undefined;
      if (this.#next === undefined || this.#next.part > part) return;
      const { line } = this.#next;
      this.#next = undefined;
      yield line;
    }
  }
}

/** A sheet for each device or plant, with its own columns and the clock of its plant. */
function sheetsOf({ head, rows }: ReadRows, language: Language): Table[] {
  const words = headingsOf(language);
  const inParts = new InParts(rows);
  return head.parts.map((part, place): Table => {
    const { name, timeZone, columns } = part;
    const header: HeaderCell[] = [
      { text: `${words.local} (${timeZone})`, kind: 'time' },
      text(words.offset),
      text(words.utc),
      ...columns.flatMap((at): HeaderCell[] => {
        const column = head.columns[at];
        return column === undefined ? [] : [{ text: headingOf(column, language, false), kind: 'number' }];
      }),
      text(words.quality),
    ];
    async function* cells(): AsyncGenerator<readonly CellValue[]> {
      for await (const { tsMs, quality, values } of inParts.of(place)) {
        yield [
          new Date(tsMs + zoneOffsetMs(tsMs, timeZone)),
          offsetText(tsMs, timeZone),
          utcText(tsMs),
          ...values,
          qualityWord(quality, language),
        ];
      }
    }
    return { name, header, rows: cells(), clock: wallClockOf('UTC') };
  });
}

/** A report as a file, made of its rows while it is sent; they are let go of when it is sent, or left by its client. */
export function reportFileOf(read: ReadRows, name: string, format: ReportFormat, language: Language): FileAnswer {
  const file = bodyOf(read, name, format, language);
  if (file.body instanceof Readable) file.body.once('close', read.close);
  return file;
}

function bodyOf(read: ReadRows, name: string, format: ReportFormat, language: Language): FileAnswer {
  if (format === 'csv') return fileOf(csvTable(read, language, name), name, 'csv', language);
  if (format === 'xlsx') return workbookFileOf(sheetsOf(read, language), name);
  return {
    name: fileNameOf(name, 'parquet'),
    contentType: 'application/vnd.apache.parquet',
    body: Readable.from(parquetOf(read), { objectMode: false }),
  };
}
