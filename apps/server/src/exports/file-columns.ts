import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { type Field, isQuantity, type QuantityField, quantities } from '@sonnenwarte/contract/kinds';
import { roundedTo } from '@sonnenwarte/energy/rounding';
import type { CellValue, HeaderCell } from './cells.ts';
import type { PhraseKey } from './phrase-text.ts';
import type { ExportWords } from './serve-export.ts';

/** A column of a file: its heading, and what it holds of a row. */
export interface FileColumn {
  readonly header: HeaderCell;
  readonly value: (row: object) => CellValue;
}

type OwnValues = Readonly<Record<string, ((row: never, words: ExportWords) => CellValue) | undefined>>;

const valueIn = (row: object, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

function amountOf({ kind }: QuantityField, value: number): number | null {
  const { holds, decimals } = quantities[kind];
  // An installed power of 0 was never written down.
  return kind === 'capacity' && value === 0 ? null : roundedTo(value / holds, decimals);
}

function cellOf(field: Exclude<Field, { kind: 'own' }>, value: unknown, { text, country }: ExportWords): CellValue {
  if (value === null || value === undefined) return null;
  if (isQuantity(field)) return amountOf(field, Number(value));
  switch (field.kind) {
    case 'time':
      return new Date(Number(value));
    case 'country':
      return country(String(value));
    case 'state':
      return text(`states.${value}` as PhraseKey);
    case 'level':
      return text(`levels.${value}` as PhraseKey);
    case 'choice':
      return text(`${field.phrases}.${value}` as PhraseKey);
    default:
      return String(value);
  }
}

function headerOf(field: Field, label: string, timeZone: string): HeaderCell {
  if (field.kind === 'time') return { text: `${label} (${timeZone})`, kind: 'time' };
  if (!isQuantity(field)) return { text: label, kind: 'text' };
  const { shown, decimals } = quantities[field.kind];
  return { text: shown === '' ? label : `${label} (${shown})`, kind: 'number', decimals };
}

/** The columns of fields of a list; how a figure came about has one of its own beside it. */
export function fileColumnsOf(
  { feature, list: { fields, texts = feature } }: ListEndpoint,
  names: readonly string[],
  own: OwnValues,
  words: ExportWords,
): FileColumn[] {
  const { text, timeZone } = words;
  return names.flatMap((name): FileColumn[] => {
    const field = fields[name];
    if (field === undefined) return [];
    const label = text(`${texts}.field.${name}` as PhraseKey);
    const header = headerOf(field, label, timeZone);
    if (field.kind === 'own') return [{ header, value: (row) => own[name]?.(row as never, words) ?? null }];
    const column: FileColumn = { header, value: (row) => cellOf(field, valueIn(row, name), words) };
    const quality = isQuantity(field) ? field.quality : undefined;
    if (quality === undefined) return [column];
    return [
      column,
      {
        header: { text: `${label} (${text('states.quality')})`, kind: 'text' },
        value: (row) => (column.value(row) === null ? null : text(`states.${valueIn(row, quality)}` as PhraseKey)),
      },
    ];
  });
}
