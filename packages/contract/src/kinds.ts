import type * as z from 'zod/mini';

/**
 * What a quantity is measured in: the unit in which calls tell it, and the one in which people read it in columns and
 * files, how many of the former it holds and its decimals.
 */
export const quantities = {
  count: { unit: '', shown: '', holds: 1, decimals: 0 },
  power: { unit: 'W', shown: 'kW', holds: 1_000, decimals: 2 },
  energy: { unit: 'Wh', shown: 'kWh', holds: 1_000, decimals: 2 },
  percent: { unit: '%', shown: '%', holds: 1, decimals: 0 },
  capacity: { unit: 'kWp', shown: 'kWp', holds: 1, decimals: 2 },
  specificYield: { unit: 'kWh/kWp', shown: 'kWh/kWp', holds: 1, decimals: 2 },
  millivolts: { unit: 'mV', shown: 'mV', holds: 1, decimals: 0 },
} as const;
export type QuantityKind = keyof typeof quantities;

interface Sorting {
  /** The list cannot be sorted by it. */
  readonly sort?: false;
}

/** A number of one unit; `null` where nothing was measured. */
export interface QuantityField extends Sorting {
  readonly kind: QuantityKind;
  /** Field of the row that says how the figure came about. */
  readonly quality?: string;
}

/** A text as it stands, a serial number, a country by its code, or a named state. */
export interface TextField extends Sorting {
  readonly kind: 'text' | 'serial' | 'country' | 'state';
}

/** A moment in ms since 1970, or an access level. */
export interface NumericField extends Sorting {
  readonly kind: 'time' | 'level';
}

/** One of a closed list, each named by `<phrases>.<value>`. */
export interface ChoiceField extends Sorting {
  readonly kind: 'choice';
  readonly phrases: string;
  readonly values: readonly (string | number)[];
}

/** What is none of these: the screen says how it is shown, and the server what a file holds of it. */
export interface OwnField extends Sorting {
  readonly kind: 'own';
}

/** What a field of a list's row is. The vocabulary is closed: a kind is added on its third use, until then a field is `own`. */
export type Field = QuantityField | TextField | NumericField | ChoiceField | OwnField;
export type Fields = Readonly<Record<string, Field>>;
export type FieldKind = Field['kind'];

/** The kinds by name: `is.text`. */
export const is = {
  text: { kind: 'text' },
  serial: { kind: 'serial' },
  country: { kind: 'country' },
  state: { kind: 'state' },
  time: { kind: 'time' },
  level: { kind: 'level' },
  count: { kind: 'count' },
  power: { kind: 'power' },
  energy: { kind: 'energy' },
  percent: { kind: 'percent' },
  capacity: { kind: 'capacity' },
  specificYield: { kind: 'specificYield' },
  millivolts: { kind: 'millivolts' },
  own: { kind: 'own', sort: false },
  choice: <const P extends string, const V extends readonly (string | number)[]>(phrases: P, values: V) =>
    ({ kind: 'choice', phrases, values }) as const,
} as const;

/** The same field of a list that is not sorted by it. */
export const unsorted = <const F extends Field>(field: F) => ({ ...field, sort: false }) as const;

/** The kinds that a field of this type can be. */
type FieldFor<Value> =
  | OwnField
  | ChoiceField
  | ([NonNullable<Value>] extends [number] ? QuantityField | NumericField : never)
  | ([NonNullable<Value>] extends [string] ? TextField : never);

type FieldsFor<Row> = { readonly [Name in keyof Row]?: FieldFor<Row[Name]> };

/** Says of fields of a row what they are; a name that the row lacks and a kind that its type cannot be do not compile. */
export const fieldsOf =
  <const Row extends z.ZodMiniObject>(_row: Row) =>
  <const F extends FieldsFor<z.output<Row>>>(fields: F & Record<Exclude<keyof F, keyof z.output<Row>>, never>): F =>
    fields;

/** Names of the fields that a list can be sorted by. */
export type SortField<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { readonly sort: false } ? never : Name;
}[keyof F] &
  string;

/** Names of the fields of these kinds. */
export type FieldOfKind<F extends Fields, Kind extends FieldKind> = {
  [Name in keyof F]: F[Name] extends { readonly kind: Kind } ? Name : never;
}[keyof F] &
  string;

export const sortFieldsOf = <F extends Fields>(fields: F): SortField<F>[] =>
  Object.entries(fields).flatMap(([name, field]) => (field.sort === false ? [] : [name as SortField<F>]));

export const isQuantity = (field: Field): field is QuantityField => field.kind in quantities;
