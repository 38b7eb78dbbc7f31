import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a change that differ from a record, as they were and as they become; nothing where none does. */
export function changedFieldsOf(record: Fields, change: Fields): { before: Fields; after: Fields } | undefined {
  const names = Object.keys(change).filter((name) => !isDeepStrictEqual(record[name], change[name]));
  if (names.length === 0) return undefined;
  const picked = (from: Fields): Fields => Object.fromEntries(names.map((name) => [name, from[name]]));
  return { before: picked(record), after: picked(change) };
}
