/** What a place fills in. */
export interface Filled {
  country: string;
  city: string;
  ianaTimezone: string;
  currency: string;
}

const names = ['country', 'city', 'ianaTimezone', 'currency'] as const satisfies readonly (keyof Filled)[];

/**
 * What a place changes in a form. A field is filled where it is empty or holds what was filled in before; what was typed since
 * stays. A place that was chosen by its name also takes the place of what the form began with (`first`).
 */
export function filling(
  place: Partial<Filled>,
  now: Filled,
  before: Partial<Filled>,
  first: Partial<Filled> = {},
): { change: Partial<Filled>; filled: Partial<Filled> } {
  const change: Partial<Filled> = {};
  for (const name of names) {
    const found = place[name] ?? '';
    const value = now[name];
    if (found !== '' && (value === '' || value === before[name] || value === first[name])) change[name] = found;
  }
  return { change, filled: { ...before, ...change } };
}
