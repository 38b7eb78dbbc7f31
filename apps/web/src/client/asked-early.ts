import type { Endpoint, Input, Reading } from '@sonnenwarte/contract/endpoint';
import { call } from './call.ts';
import { handOn } from './handed-on.ts';
import type { Callable } from './permit.ts';

/** A call that is made beside the code of the screen that shows its answer. */
export interface Early {
  readonly endpoint: Pick<Endpoint, 'method' | 'path'>;
  readonly input: object;
}

/** Names a call by what the compiler compares with its endpoint: the endpoint itself, with its schemas, comes with the screen. */
export const early = <E extends Endpoint & Reading>(endpoint: Pick<E, 'method' | 'path'>, input: Input<E>): Early => ({
  endpoint,
  input: input as object,
});

/** Asks now; the screen takes the answer where it reads the same. */
export function askEarly({ endpoint, input }: Early): Promise<unknown> {
  const answer = call(endpoint as Callable, input as never, { quiet: true });
  handOn(endpoint.path, input, answer);
  return answer;
}
