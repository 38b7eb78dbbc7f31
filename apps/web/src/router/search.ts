import { itemOf, schemaAt } from '@sonnenwarte/contract/schema-at';
import * as z from 'zod/mini';
import type { Query } from './query.ts';

type Plain = string | number | boolean;

interface Nested {
  [key: string]: Nested | Plain | readonly Plain[];
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function setAt(target: Nested, path: readonly string[], value: Plain | readonly Plain[]): void {
  const [head, ...rest] = path;
  if (head === undefined || ['__proto__', 'constructor', 'prototype'].includes(head)) return;
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  const inner = target[head];
  const next: Nested = typeof inner === 'object' && !Array.isArray(inner) ? (inner as Nested) : {};
  target[head] = next;
  setAt(next, rest, value);
}

const numeric = /^-?\d+(\.\d+)?$/;

/** A list as one text, `fault,offline`; a comma within an item is written `\,`. What ends with an empty item has a comma more. */
export function textOfList(items: readonly Plain[]): string {
  const text = items.map((item) => String(item).replaceAll(/[\\,]/g, String.raw`\$&`)).join(',');
  return items.at(-1) === '' ? `${text},` : text;
}

export function listOfText(text: string): string[] {
  if (text === '') return [];
  const items = [''];
  for (const [sign] of text.matchAll(/\\?./gsu)) {
    if (sign === ',') items.push('');
    else items.push(`${items.pop()}${sign.length > 1 && sign.startsWith('\\') ? sign.slice(1) : sign}`);
  }
  return items.at(-1) === '' ? items.slice(0, -1) : items;
}

/** Fields by their path; a list of plain values is one field. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (isPlain(value)) return new Map([[path, String(value)]]);
  if (Array.isArray(value)) return value.every(isPlain) ? new Map([[path, textOfList(value)]]) : new Map();
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

/** What an address says of a field: a text, or the texts of a list. */
type Said = string | readonly string[];

const isPlainText = (text: string): boolean => numeric.test(text) || text === 'true' || text === 'false';

const plainOf = (text: string): Plain => {
  if (!isPlainText(text)) return text;
  return numeric.test(text) ? Number(text) : text === 'true';
};

const asPlain = (said: Said): Plain | readonly Plain[] =>
  typeof said === 'string' ? plainOf(said) : said.map(plainOf);

function nestedOf(defaults: object, said: ReadonlyMap<string, Said>, plain: ReadonlySet<string>): Nested {
  const nested: Nested = structuredClone(defaults) as Nested;
  for (const [key, value] of said) setAt(nested, key.split('.'), plain.has(key) ? asPlain(value) : value);
  return nested;
}

/** What is left of a field that the schema refused at these paths: a list keeps its other items. */
function withoutRefused(key: string, said: Said, refused: ReadonlySet<string>): Said | undefined {
  if (typeof said === 'string' || refused.has(key)) return undefined;
  const left = said.filter((_, index) => ![...refused].some((path) => isAtOrIn(path, `${key}.${index}`)));
  return left.length === 0 || left.length === said.length ? undefined : left;
}

const isAtOrIn = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`);

/**
 * Reads a list's input from an address with the endpoint's own schema. A text that the schema refuses is tried as a number or a truth;
 * what is still refused, or unknown, is left out, so that a mistyped address gives the default instead of an error.
 */
export function parseInput<S extends z.ZodMiniObject>(schema: S, query: Query): z.output<S> {
  const defaults = z.parse(schema, {});
  const isList = (key: string): boolean => {
    const at = schemaAt(schema, key);
    return at !== undefined && itemOf(at) !== undefined;
  };
  const rest = new Map<string, Said>(
    Object.entries(query).map(([key, text]) => [key, isList(key) ? listOfText(text) : text]),
  );
  const plain = new Set<string>();
  for (;;) {
    const parsed = z.safeParse(schema, nestedOf(defaults, rest, plain));
    if (parsed.success) return parsed.data;
    const refused = new Set(parsed.error.issues.map((issue) => issue.path.join('.')));
    let changed = false;
    for (const [key, said] of [...rest]) {
      if (![...refused].some((path) => isAtOrIn(path, key) || isAtOrIn(key, path))) continue;
      changed = true;
      if (!plain.has(key) && [said].flat().some(isPlainText)) {
        plain.add(key);
        continue;
      }
      const left = withoutRefused(key, said, refused);
      if (left === undefined) rest.delete(key);
      else rest.set(key, left);
    }
    if (!changed) return defaults;
  }
}

/** Writes a list's input as an address: what equals the default stays out of it. */
export function queryOf<S extends z.ZodMiniObject>(schema: S, value: z.output<S>): Query {
  const defaults = flatten(z.parse(schema, {}));
  return Object.fromEntries(
    [...flatten(value)].flatMap(([key, text]) => (defaults.get(key) === text ? [] : [[key, text]])),
  );
}
