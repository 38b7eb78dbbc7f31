/** The fields of `after` that differ, as they were and as they became. */
export function changedFields<T extends Record<string, unknown>>(
  before: Readonly<Record<keyof T, unknown>>,
  after: T,
): { before: Partial<Record<keyof T, unknown>>; after: Partial<T> } {
  const was: Partial<Record<keyof T, unknown>> = {};
  const became: Partial<T> = {};
  for (const name of Object.keys(after) as (keyof T)[]) {
    if (before[name] === after[name]) continue;
    was[name] = before[name];
    became[name] = after[name];
  }
  return { before: was, after: became };
}
