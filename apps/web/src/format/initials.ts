/** At most two letters that stand for a name. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .slice(0, 2)
    .map((part) => ([...part][0] ?? '').toLocaleUpperCase())
    .join('');
