import * as z from 'zod/mini';

/** Query of an address: flat texts. Nested fields are written with dots (`condition.state=fault`). */
export type Query = Readonly<Record<string, string>>;

export const parseQuery = (search: string): Query => Object.fromEntries(new URLSearchParams(search));

export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(key, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

interface Nested {
  [key: string]: Nested | string | number | boolean;
}

function setAt(target: Nested, path: readonly string[], value: string | number | boolean): void {
  const [head, ...rest] = path;
  if (head === undefined || ['__proto__', 'constructor', 'prototype'].includes(head)) return;
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  const inner = target[head];
  const next: Nested = typeof inner === 'object' ? inner : {};
  target[head] = next;
  setAt(next, rest, value);
}

const numeric = /^-?\d+(\.\d+)?$/;

type Flat = ReadonlyMap<string, string | number | boolean>;

function flatten(value: unknown, path = ''): Map<string, string | number | boolean> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return new Map([[path, value]]);
  }
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

function nestedOf(defaults: Flat, query: Query, numbers: ReadonlySet<string>): Nested {
  const nested: Nested = {};
  for (const [key, value] of defaults) setAt(nested, key.split('.'), value);
  for (const [key, text] of Object.entries(query)) {
    setAt(nested, key.split('.'), numbers.has(key) ? Number(text) : text);
  }
  return nested;
}

/**
 * Reads a list's input from an address with the endpoint's own schema. A text that the schema refuses is tried as a number;
 * what is still refused, or unknown, is left out, so that a mistyped address gives the default instead of an error.
 */
export function parseInput<S extends z.ZodMiniObject>(schema: S, query: Query): z.output<S> {
  const defaults = flatten(z.parse(schema, {}));
  let rest: Query = query;
  const numbers = new Set<string>();
  for (;;) {
    const parsed = z.safeParse(schema, nestedOf(defaults, rest, numbers));
    if (parsed.success) return parsed.data;
    const before = rest;
    const refused = new Set(parsed.error.issues.map((issue) => issue.path.join('.')));
    let changed = false;
    for (const [key, text] of Object.entries(before)) {
      if (![...refused].some((path) => key === path || key.startsWith(`${path}.`) || path.startsWith(`${key}.`)))
        continue;
      changed = true;
      if (numeric.test(text) && !numbers.has(key)) numbers.add(key);
      else rest = Object.fromEntries(Object.entries(rest).filter(([other]) => other !== key));
    }
    if (!changed) return z.parse(schema, {});
  }
}

/** Writes a list's input as an address: what equals the default stays out of it. */
export function queryOf<S extends z.ZodMiniObject>(schema: S, value: z.output<S>): Query {
  const defaults = flatten(z.parse(schema, {}));
  return Object.fromEntries(
    [...flatten(value)].flatMap(([key, inner]) => (defaults.get(key) === inner ? [] : [[key, String(inner)]])),
  );
}
