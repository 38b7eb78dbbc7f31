import { languages } from '@sonnenwarte/contract/languages';
import { headerCell } from '../csv/csv-records.ts';
import { phraseText } from '../exports/phrase-text.ts';

/** Columns of a file of delivered units, in the order of a file without a header. */
export const unitColumns = ['sn', 'odm', 'model', 'firmware', 'day'] as const;
export type UnitColumn = (typeof unitColumns)[number];

/** What people write over them beside what the portal does. */
const words: Readonly<Record<UnitColumn, readonly string[]>> = {
  sn: ['sn', 's/n', 'serial', 'serialno', 'devicesn'],
  odm: ['odmsn', 'odm', 'odmserial'],
  model: ['model', 'modell', 'type', 'typ', 'devicetype'],
  firmware: ['firmware', 'version', 'fw', 'firmwareversion'],
  day: ['delivered', 'deliverydate', 'delivery', 'date', 'day', 'lieferdatum', 'lieferung', 'datum'],
};

/** A header as it is compared; what stands in brackets behind it explains it. */
const wordOf = (cell: string): string => headerCell(cell.replace(/\s*[([].*[)\]]\s*$/, ''));

let names: ReadonlyMap<string, UnitColumn> | undefined;

/** The heads of the portal's own exports in all languages, and what people write. */
function headNames(): ReadonlyMap<string, UnitColumn> {
  if (names !== undefined) return names;
  const known = new Map(unitColumns.flatMap((column) => words[column].map((word) => [word, column] as const)));
  const own = { sn: 'sn', odm: 'odmSN', model: 'model', firmware: 'firmware', day: 'deliveredOn' } as const;
  for (const language of languages)
    for (const column of unitColumns)
      known.set(wordOf(phraseText(`factory.units.field.${own[column]}`, language)), column);
  names = known;
  return known;
}

/** The column that a head names. */
export const columnNamed = (cell: string): UnitColumn | undefined => headNames().get(wordOf(cell));
