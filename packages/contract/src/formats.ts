import * as z from 'zod/mini';

/** Formats of texts that have a keyboard or a refusal of their own. */
export type Format = 'email' | 'phone' | 'url' | 'username';

/** Which schemas are texts of a format; those that are made of one by further checks are, too. */
export const formats = z.registry<{ format: Format }>();

/** Notes the format of a schema. */
export function inFormat<S extends z.ZodMiniType>(format: Format, schema: S): S {
  // The registry asks for the type that it was made for; all schemas are kept alike.
  (formats as z.core.$ZodRegistry<{ format: Format }, z.core.$ZodType>).add(schema, { format });
  return schema;
}
