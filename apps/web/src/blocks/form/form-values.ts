import { alternatives, defOf, itemOf, schemaAt } from '@sonnenwarte/contract/schema-at';
import * as z from 'zod/mini';

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** Value at a path like `address.city` or `strings.0.modules`. */
export function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Plain)[step];
  }
  return value;
}

/** The same values with another one at a path; what is not on the way stays the same object. */
export function withValueAt<V extends object>(values: V, path: string, value: unknown): V {
  const [head = '', ...rest] = path.split('.');
  const before = (values as Plain)[head];
  const inner = rest.length === 0 ? value : withValueAt(Object(before ?? {}), rest.join('.'), value);
  if (Array.isArray(values)) return values.with(Number(head), inner) as unknown as V;
  return { ...values, [head]: inner };
}

/** Whether two values of a form are the same, in whatever order their fields were set. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => same(each, b[at]));
  if (!isPlain(a) || !isPlain(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && same(a[name], b[name]));
}

/** What differs from where a form began, field by field; a list is one field, since its rows have no names. */
export function changedFields(values: object, baseline: object): Plain {
  const before: Plain = { ...baseline };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const was = before[name];
      if (same(value, was)) return [];
      return [[name, isPlain(value) && isPlain(was) ? changedFields(value, was) : value]];
    }),
  );
}

/** Values with changes of `changedFields` put on top. */
export function withChanges<V extends object>(values: V, changes: object): V {
  const before: Plain = { ...(values as Plain) };
  const changed = Object.entries(changes).map(([name, change]) => {
    const was = before[name];
    return [name, isPlain(was) && isPlain(change) ? withChanges(was, change) : change];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

/** Empties the fields at the paths, or leaves them unset; `*` in a path stands for every row of a list. */
export function withoutValues<V>(values: V, paths: Iterable<string>, empty: '' | undefined): V {
  let left: unknown = values;
  for (const path of paths) left = emptied(left, path.split('.'), empty);
  return left as V;
}

function emptied(value: unknown, [head, ...rest]: readonly string[], empty: unknown): unknown {
  if (head === undefined) return empty;
  if (Array.isArray(value) && head === '*') return value.map((each) => emptied(each, rest, empty));
  return isPlain(value) && head in value ? { ...value, [head]: emptied(value[head], rest, empty) } : value;
}

const takes = (field: z.core.$ZodType, value: unknown): boolean => z.safeParse(field, value).success;

const emptyValues: readonly unknown[] = ['', undefined, null, []];

/**
 * Whether a field may stay empty. One that the call does not know, such as a repeated password, is there to be filled in;
 * inside of what it does not know, nothing is.
 */
export function accepts(schema: z.ZodMiniObject, path: string): boolean {
  const field = schemaAt(schema, path);
  if (field !== undefined) return emptyValues.some((empty) => takes(field, empty));
  return path.includes('.');
}

const shapeOf = (schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined =>
  (schema as z.ZodMiniObject).shape;

/** Within a field: rows and named values as the contract wants them. */
function insideOf(field: z.core.$ZodType, value: unknown): unknown {
  if (Array.isArray(value)) {
    const item = itemOf(field);
    return item ? value.map((each) => insideOf(item, each)) : value;
  }
  // Names of a record are nobody's fields.
  if (!isPlain(value) || alternatives(field).some((each) => defOf(each).type === 'record')) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => entryOf(schemaAt(field, name), name, inner)),
  );
}

function entryOf(field: z.core.$ZodType | undefined, name: string, value: unknown): [string, unknown][] {
  if (!field) return [];
  if (value !== '' || takes(field, '')) return [[name, insideOf(field, value)]];
  if (takes(field, null)) return [[name, null]];
  return takes(field, undefined) ? [] : [[name, value]];
}

/**
 * Input of a call: the fields that it knows. What was left empty, also within a row, is sent as the contract wants it: an
 * empty text, else `null`, else nothing.
 */
export function inputOf(schema: z.ZodMiniObject, values: object): object {
  const shape = shapeOf(schema) ?? {};
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => entryOf(shape[name], name, value)));
}
