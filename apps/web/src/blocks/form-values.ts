import * as z from 'zod/mini';

/** Value at a path like `address.city`. */
export function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const shapeOf = (schema: z.ZodMiniObject): Readonly<Record<string, z.core.$ZodType>> => schema.shape;

const takes = (field: z.core.$ZodType, value: unknown): boolean => z.safeParse(field, value).success;

/**
 * Whether a field may stay empty. Only fields of the first level are asked; those inside decide by themselves, and one
 * that the call does not know, such as a repeated password, is there to be filled in.
 */
export function accepts(schema: z.ZodMiniObject, name: string): boolean {
  if (name.includes('.')) return true;
  const field = shapeOf(schema)[name];
  return field !== undefined && (takes(field, '') || takes(field, undefined) || takes(field, null));
}

/**
 * Input of a call: the fields that it knows. What was left empty is sent as the contract wants it: an empty text, else
 * `null`, else nothing.
 */
export function inputOf(schema: z.ZodMiniObject, values: object): object {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const field = shape[name];
      if (!field) return [];
      if (value !== '' || takes(field, '')) return [[name, value]];
      if (takes(field, null)) return [[name, null]];
      return takes(field, undefined) ? [] : [[name, value]];
    }),
  );
}
