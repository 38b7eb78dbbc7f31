import type { Endpoint, Input, Result } from '@sonnenwarte/contract/endpoint';
import { QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { onSessionEnd } from '../state/session.ts';
import { type CallOptions, call } from './call.ts';
import { NetworkError } from './failures.ts';

const MAX_RETRIES = 2;
const FRESH_MS = 30_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => error instanceof NetworkError && !error.timedOut && count < MAX_RETRIES,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

onSessionEnd(() => queryClient.clear());

/** Key of an answer in the cache; its first part is the feature, by which writes refresh it. */
export const keyOf = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  [endpoint.feature, endpoint.path, input] as const;

/**
 * Options for `useQuery`: the answer of a reading call. Its failure is the screen's to show, where the data would
 * stand; `inPlace: false` is for answers that have no place of their own.
 */
export const read = <const E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: Pick<CallOptions, 'quiet' | 'inPlace'> = {},
) =>
  queryOptions<Result<E>>({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, input, { inPlace: true, ...options, signal }),
  });

/** A writing call. On success everything of its feature, and of `alsoChanges`, is read again. */
export function useWrite<const E extends Endpoint>(
  endpoint: E,
  { alsoChanges = [], ...options }: { alsoChanges?: readonly string[] } & Pick<CallOptions, 'quiet' | 'inPlace'> = {},
) {
  const cache = useQueryClient();
  return useMutation<Result<E>, Error, Input<E>>({
    mutationFn: (input) => call(endpoint, input, options),
    onSuccess: () =>
      Promise.all([endpoint.feature, ...alsoChanges].map((scope) => cache.invalidateQueries({ queryKey: [scope] }))),
  });
}
