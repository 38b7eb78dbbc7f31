import { codesOfCall, type Endpoint } from './endpoint.ts';
import { allEndpoints } from './endpoints.ts';
import { isLevel } from './levels.ts';
import { permissions } from './permissions.ts';

/**
 * Problems of endpoint declarations that types cannot hold back (a cast, plain JavaScript): no callers, a level that
 * does not exist, an unknown code, a code that none of the callers can hold, the same method and path twice.
 */
export function checkEndpoints(endpoints: readonly Endpoint[]): string[] {
  const seen = new Set<string>();
  return endpoints.flatMap((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    const problems: string[] = [];
    if (seen.has(name)) problems.push(`${name}: declared twice`);
    seen.add(name);
    const callers: unknown = endpoint.callers;
    if (callers !== 'public' && !(Array.isArray(callers) && callers.length > 0 && callers.every(isLevel))) {
      problems.push(`${name}: does not say who may call it`);
    }
    for (const code of codesOfCall(endpoint)) {
      const holders: readonly number[] | undefined = permissions[code];
      if (!holders) problems.push(`${name}: unknown permission code ${code}`);
      else if (Array.isArray(callers) && !callers.some((level) => holders.includes(level))) {
        problems.push(`${name}: none of its callers can hold ${code}`);
      }
    }
    return problems;
  });
}

export const checkContract = (): string[] => checkEndpoints(allEndpoints);
