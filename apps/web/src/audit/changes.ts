export interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly changed: boolean;
}

type Values = Readonly<Record<string, unknown>> | null;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Fields of an entry side by side, those of either side, changed ones first. */
export function changesOf(before: Values, after: Values): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => {
      const was = before?.[field];
      const is = after?.[field];
      return { field, before: was, after: is, changed: !same(was, is) };
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed));
}
