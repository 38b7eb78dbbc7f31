import type { Endpoint, Input, Reading, Result } from '@sonnenwarte/contract/endpoint';
import { type MutationOptions, QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { onSessionEnd, tokenOf } from '../state/session.ts';
import { type CallOptions, call } from './call.ts';
import { NetworkError } from './failures.ts';
import { isLost } from './line.ts';
import type { Callable } from './permit.ts';
import { takeArrived, takeHanded } from './take-handed.ts';

const MAX_RETRIES = 2;
const FRESH_MS = 30_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => error instanceof NetworkError && !error.timedOut && !isLost() && count < MAX_RETRIES,
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
export const read = <const E extends Endpoint & Reading>(
  endpoint: E,
  input: Input<E>,
  options: Pick<CallOptions, 'quiet' | 'inPlace'> = {},
) =>
  queryOptions<Result<E>>({
    queryKey: keyOf(endpoint, input),
    initialData: () => takeArrived(endpoint, input as object) as Result<E> | undefined,
    queryFn: ({ signal }) =>
      handedOn(endpoint, input, () =>
        endpoint.callers !== 'public' && tokenOf() === ''
          ? untilLeft(signal)
          : call(endpoint, input, { inPlace: true, ...options, signal }),
      ),
  });

/** The answer that was asked for before, else one that is asked for now: a failure is that of the screen's own call. */
const handedOn = <const E extends Endpoint>(endpoint: E, input: Input<E>, ask: () => Promise<Result<E>>) =>
  (takeHanded(endpoint, input as object) as Promise<Result<E>> | undefined)?.catch(ask) ?? ask();

/** A screen that is being left after its session asks nobody for anything; it waits as if for an answer. */
const untilLeft = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

type WriteOptions = Pick<CallOptions, 'quiet' | 'inPlace' | 'timeoutMs'>;

/** A writing call. On success everything of the features that it changes is read again; nothing waits for that. */
export async function write<const E extends Callable>(
  endpoint: E,
  input: Input<E>,
  options: WriteOptions = {},
  cache: QueryClient = queryClient,
): Promise<Result<E>> {
  const result = await call(endpoint, input, options);
  for (const feature of endpoint.changes ?? []) void cache.invalidateQueries({ queryKey: [feature] });
  return result;
}

/** How `useWrite` calls. */
export const writeOptions = <const E extends Callable>(
  endpoint: E,
  cache: QueryClient,
  options: WriteOptions = {},
): MutationOptions<Result<E>, Error, Input<E>> => ({
  mutationFn: (input) => write(endpoint, input, options, cache),
});

/** `write` as a mutation, with its state. */
export function useWrite<const E extends Callable>(endpoint: E, options: WriteOptions = {}) {
  const cache = useQueryClient();
  return useMutation<Result<E>, Error, Input<E>>(writeOptions(endpoint, cache, options));
}
