import { languages } from '@sonnenwarte/contract/languages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unzip } from '../testing/unzip.ts';
import { type CellKind, type CellValue, type Table, timeText, wallClockOf } from './cells.ts';
import { csvOf, separatorOf } from './csv.ts';
import { xlsxOf } from './xlsx.ts';

const tableOf = (kinds: readonly CellKind[], rows: readonly (readonly CellValue[])[]): Table => ({
  name: 'plants',
  header: kinds.map((kind, place) => ({ text: `column ${place}`, kind })),
  rows: (async function* () {
    yield* rows;
  })(),
  clock: wallClockOf('Europe/Berlin'),
});

async function csv(table: Table, language: (typeof languages)[number] = 'en'): Promise<string> {
  let text = '';
  for await (const chunk of csvOf(table, language)) text += chunk;
  return text;
}

async function sheet(table: Table): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of xlsxOf(table)) chunks.push(chunk);
  return unzip(Buffer.concat(chunks)).get('xl/worksheets/sheet1.xml') ?? '';
}

/** A reader after RFC 4180 that knows nothing of the writer. */
function parseCsv(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at++;
      while (text[at] !== '"' || text[at + 1] === '"') {
        field += text[at];
        at += text[at] === '"' ? 2 : 1;
      }
      at++;
    } else while (at < text.length && text[at] !== separator && !text.startsWith('\r\n', at)) field += text[at++];
    row.push(field);
    if (text[at] === separator) at++;
    else {
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe('CSV', () => {
  test('any texts come back as they were, formulas with an apostrophe before them', async () => {
    const word = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, word), { maxLength: 8 }), async (rows) => {
        const text = await csv(tableOf(['text', 'text'], rows));
        const [, ...back] = parseCsv(text.slice(1), ',');
        const expected = rows.map((row) =>
          row.map((cell) => {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
            const kept = cell.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
            return /^[=+\-@\t\r\n]/.test(kept) ? `'${kept}` : kept;
          }),
        );
        expect(back).toEqual(expected);
      }),
    );
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'])(
    'no spreadsheet calculates the text %j',
    async (text) => {
      const [, [cell = ''] = []] = parseCsv((await csv(tableOf(['text'], [[text]]))).slice(1), ',');
      expect(cell).toBe(`'${text}`);
    },
  );

  test('begins with the mark of UTF-8 and keeps negative numbers numbers', async () => {
    expect(await csv(tableOf(['number'], [[-1.5]]))).toBe('\ufeffcolumn 0\r\n-1.5\r\n');
  });

  test('languages with a decimal comma have the semicolon between fields and the comma in numbers', async () => {
    const german = await csv(tableOf(['number', 'text'], [[1234.5, 'a;b']]), 'de');
    expect(german).toBe('\ufeffcolumn 0;column 1\r\n1234,5;"a;b"\r\n');
    const comma = languages.filter((language) => separatorOf(language) === ',');
    expect(comma).toEqual(['en', 'zh_CN', 'ko']);
  });

  test('times stand on the clock of the zone, on both sides of its shift', async () => {
    expect(timeText(new Date('2026-03-29T00:59:59Z'), wallClockOf('Europe/Berlin'))).toBe('2026-03-29 01:59:59');
    expect(timeText(new Date('2026-03-29T01:00:00Z'), wallClockOf('Europe/Berlin'))).toBe('2026-03-29 03:00:00');
    expect(timeText(new Date('2026-06-21T12:00:00Z'), wallClockOf('Asia/Kathmandu'))).toBe('2026-06-21 17:45:00');
  });

  test('a zone has one clock, however its name is spelled', () => {
    for (const spelled of ['europe/berlin', 'EUROPE/BERLIN', 'eUrOpE/bErLiN']) {
      expect(wallClockOf(spelled)).toBe(wallClockOf('Europe/Berlin'));
    }
    expect(wallClockOf('Asia/Kolkata')).toBe(wallClockOf('Asia/Calcutta'));
  });
});

describe('XLSX', () => {
  test('texts are text cells, whatever they look like', async () => {
    const made = await sheet(tableOf(['text', 'text'], [['=1+1', '<b>&"</b>\u0000']]));
    expect(made).toContain(
      '<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c t="inlineStr"><is><t xml:space="preserve">&lt;b&gt;&amp;&quot;&lt;/b&gt;</t></is></c>',
    );
    expect(made).not.toContain('<f>');
  });

  test('numbers, times and days are real ones', async () => {
    const time = new Date('2026-06-21T10:00:00Z');
    const made = await sheet(tableOf(['number', 'time', 'day', 'number'], [[12.5, time, '2026-06-21', null]]));
    expect(made).toContain('<row><c><v>12.5</v></c><c s="2"><v>46194.5</v></c><c s="3"><v>46194</v></c><c/></row>');
  });

  test('a quantity has its number format, whole or with two decimals, and the heading stays and filters', async () => {
    const header = [
      { text: 'Members', kind: 'number', decimals: 0 },
      { text: 'Total (kWh)', kind: 'number', decimals: 2 },
    ] as const;
    const made = await sheet({ ...tableOf([], [[3, 12.5]]), header });
    expect(made).toContain(
      '<row><c s="4"><v>3</v></c><c s="5"><v>12.5</v></c></row></sheetData><autoFilter ref="A1:B2"/>',
    );
    expect(made).toContain('state="frozen"');
    expect(await sheet(tableOf(new Array(28).fill('text'), []))).toContain('<autoFilter ref="A1:AB1"/>');
  });

  test('an archive of many rows holds them all', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [`plant ${index}`, index]);
    const made = await sheet(tableOf(['text', 'number'], rows));
    expect(made.split('<row>')).toHaveLength(20_002);
    expect(made).toContain('<v>19999</v>');
  });
});
