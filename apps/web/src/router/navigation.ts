import type { Query } from './query.ts';
import { queryText } from './query.ts';

export interface GoOptions {
  replace?: boolean;
}

let goTo: (address: string, options: GoOptions) => void = () => undefined;

/** Connects navigation to the router; the router itself is not imported by what navigates. */
export function connectNavigation(connected: (address: string, options: GoOptions) => void): void {
  goTo = connected;
}

export const addressOf = (path: string, query: Query = {}): string => `${path}${queryText(query)}`;

export const go = (path: string, query: Query = {}, options: GoOptions = {}): void =>
  goTo(addressOf(path, query), options);
