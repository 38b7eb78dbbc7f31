import * as endpoints from '@sonnenwarte/contract/features';
import { expect, test } from 'vitest';
import { featureOf } from './feature.ts';
import { featureIn } from './features.ts';

test.each(Object.entries(endpoints))('the calls of "%s" are answered by the room of that name', async (name, group) => {
  expect((await featureIn(name)).endpoints).toBe(group);
});

test('a feature without a room is named with the file that is missing', async () => {
  await expect(featureIn('strategies')).rejects.toThrow(
    'Nobody answers the calls of "strategies": apps/server/src/strategies/feature.ts is missing.',
  );
});

test('a call without an answer, with a wrong one or beyond the contract does not compile', () => {
  const { legal } = endpoints;
  const operator = async () => ({ name: '', contact: '' });
  expect(featureOf(legal, { operator }).endpoints).toBe(legal);
  // @ts-expect-error the call has no answer
  featureOf(legal, {});
  // @ts-expect-error the answer is of another shape
  featureOf(legal, { operator: async () => ({ name: '' }) });
  // @ts-expect-error the contract has no such call
  featureOf(legal, { operator, owner: operator });
  // @ts-expect-error nobody starts what it works with
  featureOf(legal, { operator: async ({ letters }: { letters: string }) => ({ name: letters, contact: '' }) });
  featureOf(legal, { operator: async ({ letters }) => ({ name: letters, contact: '' }) }, () => ({ letters: '' }));
});
