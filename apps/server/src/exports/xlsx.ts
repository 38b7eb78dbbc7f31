import {
  type CellKind,
  type CellValue,
  type Decimals,
  type HeaderCell,
  type Table,
  wallClockMs,
  writable,
} from './cells.ts';
import { zipOf } from './zip.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const CHUNK_CHARACTERS = 32_768;
const MAX_CELL_CHARACTERS = 32_767;
const MAX_SHEET_NAME = 31;
const DAY_MS = 86_400_000;
/** Days from 1899-12-30, the zero of a sheet's clock, to 1970-01-01. */
const EPOCH_DAYS = 25_569;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string): string => writable(text).replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Places in `cellXfs` of the styles below. */
const style = { heading: 1, time: 2, day: 3 } as const;
const styleOfDecimals: Readonly<Record<Decimals, number>> = { 0: 4, 2: 5 };
/** Numbers that every program knows of the formats `0` and `0.00`. */
const WHOLE = 1;
const HUNDREDTHS = 2;

const xf = (format: number, font: number): string =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;

const styles = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${xf(0, 0)}${xf(0, 1)}${xf(164, 0)}${xf(165, 0)}${xf(WHOLE, 0)}${xf(HUNDREDTHS, 0)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const contentTypes = (sheets: number): string =>
  `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${Array.from({ length: sheets }, (_, place) => `<Override PartName="/xl/worksheets/sheet${place + 1}.xml" ContentType="${TYPES}.worksheet+xml"/>`).join('')}<Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`;

const packageParts = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const workbookParts = (sheets: number): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${Array.from({ length: sheets }, (_, place) => `<Relationship Id="rId${place + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${place + 1}.xml"/>`).join('')}<Relationship Id="rId${sheets + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`;

const sheetName = (name: string): string => name.replaceAll(/[\\/?*[\]:']/g, ' ').slice(0, MAX_SHEET_NAME);

/** Names of sheets, of which no two may be alike in any case. */
function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = sheetName(name);
    let free = plain;
    for (let again = 2; taken.has(free.toLowerCase()); again += 1)
      free = `${plain.slice(0, MAX_SHEET_NAME - String(again).length - 1)} ${again}`;
    taken.add(free.toLowerCase());
    return free;
  });
}

const workbook = (names: readonly string[]): string => {
  const sheets = sheetNames(names).map(
    (name, place) => `<sheet name="${xml(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  );
  return `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`;
};

const textCell = (text: string, styleOf = ''): string =>
  `<c t="inlineStr"${styleOf}><is><t xml:space="preserve">${xml(text.slice(0, MAX_CELL_CHARACTERS))}</t></is></c>`;

const serialDay = (wallMs: number): number => wallMs / DAY_MS + EPOCH_DAYS;

function cell(
  value: CellValue,
  { kind, decimals }: Pick<HeaderCell, 'kind' | 'decimals'>,
  clock: Intl.DateTimeFormat,
): string {
  if (value === null) return '<c/>';
  if (value instanceof Date) return `<c s="${style.time}"><v>${serialDay(wallClockMs(value, clock))}</v></c>`;
  if (typeof value === 'number') {
    const styleOf = decimals === undefined ? '' : ` s="${styleOfDecimals[decimals]}"`;
    return Number.isFinite(value) ? `<c${styleOf}><v>${value}</v></c>` : '<c/>';
  }
  if (kind === 'day' && /^\d{4}-\d\d-\d\d$/.test(value))
    return `<c s="${style.day}"><v>${serialDay(Date.parse(value))}</v></c>`;
  return textCell(value);
}

const widths: Readonly<Record<CellKind, number>> = { text: 24, number: 16, time: 20, day: 12 };

/** `A` for the first column, `AA` for the 27th. */
const columnName = (at: number): string =>
  at === 0 ? '' : columnName(Math.floor((at - 1) / 26)) + String.fromCharCode(65 + ((at - 1) % 26));

async function* sheet({ header, rows, clock }: Table): AsyncGenerator<string> {
  const columns = header
    .map(({ kind }, place) => `<col min="${place + 1}" max="${place + 1}" width="${widths[kind]}" customWidth="1"/>`)
    .join('');
  const headings = header.map(({ text }) => textCell(text, ` s="${style.heading}"`)).join('');
  let text = `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns}</cols><sheetData><row>${headings}</row>`;
  let lines = 1;
  for await (const row of rows) {
    lines++;
    text += `<row>${row.map((value, place) => cell(value, header[place] ?? { kind: 'text' }, clock)).join('')}</row>`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}</sheetData><autoFilter ref="A1:${columnName(header.length)}${lines}"/></worksheet>`;
}

/** An Office Open XML workbook, a sheet for each table, made row by row one after the other. Texts are always texts: nothing in it is calculated. */
export const workbookOf = (tables: readonly Table[]): AsyncGenerator<Buffer> =>
  zipOf([
    { name: '[Content_Types].xml', content: [contentTypes(tables.length)] },
    { name: '_rels/.rels', content: [packageParts] },
    { name: 'xl/workbook.xml', content: [workbook(tables.map(({ name }) => name))] },
    { name: 'xl/_rels/workbook.xml.rels', content: [workbookParts(tables.length)] },
    { name: 'xl/styles.xml', content: [styles] },
    ...tables.map((table, place) => ({ name: `xl/worksheets/sheet${place + 1}.xml`, content: sheet(table) })),
  ]);

/** One of a single sheet. */
export const xlsxOf = (table: Table): AsyncGenerator<Buffer> => workbookOf([table]);
