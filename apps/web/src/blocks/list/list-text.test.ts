import { readFileSync } from 'node:fs';
import type { ListEndpoint } from '@sonnenwarte/contract/endpoint';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { describe, expect, test } from 'vitest';
import { textsOf } from './list-text.ts';

const lists = allEndpoints.filter((each): each is typeof each & ListEndpoint => 'list' in each);

/** English has what all other languages must have, which the check of phrases holds. */
function textOf(key: string): unknown {
  const [feature = '', ...path] = key.split('.');
  const file = new URL(import.meta.resolve(`@sonnenwarte/phrases/json/${feature}/en`));
  return path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    JSON.parse(readFileSync(file, 'utf8')),
  );
}

describe.each(lists.map((list) => [list.path, list] as const))('the list %s', (_, endpoint) => {
  const texts = textsOf(endpoint);

  test('has a label for each of its fields and a name for each of their choices', () => {
    for (const [name, field] of Object.entries(endpoint.list.fields)) {
      expect(textOf(`${texts}.field.${name}`), name).toBeTypeOf('string');
      if (field.kind !== 'choice') continue;
      for (const value of field.values)
        expect(textOf(`${field.phrases}.${value}`), `${name} ${value}`).toBeTypeOf('string');
    }
  });

  test('says what it searches and what to do where there is nothing', () => {
    // The three logs are called as their routes.
    const sentences = texts === 'audit' ? ['search', 'empty', 'noMatch'] : ['title', 'search', 'empty', 'noMatch'];
    for (const sentence of sentences) expect(textOf(`${texts}.list.${sentence}`), sentence).toBeTypeOf('string');
  });
});
