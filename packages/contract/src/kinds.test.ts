import { expect, test } from 'vitest';
import type { ListEndpoint } from './endpoint.ts';
import { allEndpoints } from './endpoints.ts';
import { fieldsOf, is } from './kinds.ts';
import { memberRow } from './members/members.ts';

const lists = allEndpoints.filter((each): each is typeof each & ListEndpoint => 'list' in each);

test('a field that a row lacks, and a kind that its type cannot be, do not compile', () => {
  // @ts-expect-error a row of members has no power
  fieldsOf(memberRow)({ powerW: is.power });
  // @ts-expect-error a name is no power
  fieldsOf(memberRow)({ name: is.power });
  expect(fieldsOf(memberRow)({ name: is.text })).toEqual({ name: { kind: 'text' } });
});

test('every list names the field that tells its rows apart, and a default order by one of its fields', () => {
  expect(lists.length).toBeGreaterThan(9);
  for (const { path, list, input } of lists) {
    const { sort } = input.parse(sampleOf(path)) as { sort?: { field: string } };
    if (sort !== undefined) expect(Object.keys(list.fields), path).toContain(sort.field);
  }
});

const sampleOf = (path: string): object =>
  path.endsWith('/grant/list') ? { id: '00000000-0000-4000-8000-000000000000' } : {};
