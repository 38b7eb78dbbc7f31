import type * as z from 'zod/mini';
import { type Format, formats } from './formats.ts';

type Schema = z.core.$ZodType;

export const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** Schemas that a value may have to fit: without what only makes it optional, and of a choice each. */
export function alternatives(schema: Schema): readonly Schema[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return alternatives(def.innerType);
    case 'pipe':
      return alternatives(def.in);
    case 'union':
      return def.options.flatMap(alternatives);
    default:
      return [schema];
  }
}

function inside(schema: Schema, step: string): Schema | undefined {
  for (const each of alternatives(schema)) {
    const def = defOf(each);
    if (def.type === 'object' && Object.hasOwn(def.shape, step)) return def.shape[step];
    if (def.type === 'array' && /^\d+$/.test(step)) return def.element;
  }
  return undefined;
}

/** The schema at a path like `owner.email` or `strings.0.modules`; `undefined` where there is none. */
export function schemaAt(schema: Schema, path: string): Schema | undefined {
  let at: Schema | undefined = schema;
  for (const step of path.split('.')) at = at && inside(at, step);
  return at;
}

/** The schema of the items, where a list is taken. */
export function itemOf(schema: Schema): Schema | undefined {
  for (const each of alternatives(schema)) {
    const def = defOf(each);
    if (def.type === 'array') return def.element;
  }
  return undefined;
}

/** What a schema says of a text: how many characters it takes at most, and in what format. */
export interface TextFacts {
  readonly maxLength: number | undefined;
  readonly format: Format | undefined;
}

export function textFacts(schema: Schema): TextFacts {
  let maxLength: number | undefined;
  let format: Format | undefined;
  for (const each of alternatives(schema)) {
    if (defOf(each).type !== 'string') continue;
    const { maximum } = each._zod.bag;
    if (typeof maximum === 'number') maxLength = Math.max(maxLength ?? 0, maximum);
    format ??= formats.get(each)?.format;
  }
  return { maxLength, format };
}
