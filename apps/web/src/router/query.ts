/**
 * Query of an address: flat texts. Nested fields are written with dots (`condition.state=fault`), lists with commas
 * (`condition.states=fault,offline`).
 */
export type Query = Readonly<Record<string, string>>;

export const parseQuery = (search: string): Query => Object.fromEntries(new URLSearchParams(search));

export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(key, String(value));
  }
  // A comma needs no escape in a query, and lists are read more easily with it.
  const text = parameters.toString().replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
