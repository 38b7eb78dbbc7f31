import { edit, remove } from '@sonnenwarte/contract/members/members';
import { useEndpointForm } from '../blocks/form/endpoint-form.ts';
import { call } from '../client/call.ts';
import type { Permitted } from '../client/permit.ts';
import { read, useWrite, write } from '../client/queries.ts';

const input = { accountID: '' };

/**
 * Ways to a call that writes past the question for its code. None of them may compile: `npm run check` fails where a
 * mark is idle. Nothing runs them.
 */
export const plantedFaults: Readonly<Record<string, () => unknown>> = {
  // @ts-expect-error a call without a permit
  'the call itself': () => call(remove, input),
  // @ts-expect-error a write without a permit
  'a write': () => write(remove, input),
  // @ts-expect-error a mutation without a permit
  'a mutation': () => useWrite(remove),
  // @ts-expect-error a form without a permit
  'a form': () => useEndpointForm(edit, { initialValues: { account: '' } }),
  // @ts-expect-error what writes is not read
  'a write that is called a read': () => read(remove, input),
  // @ts-expect-error only the question makes a permit
  'a permit that nobody gave': (): Permitted<typeof remove> => remove,
};
