import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accepts, inputOf, valueAt } from './form-values.ts';

const schema = z.object({
  name: z.string().check(z.minLength(1)),
  note: z.string(),
  country: z.nullable(z.string().check(z.length(2))),
  since: z.optional(z.string().check(z.length(10))),
  level: z.union([z.literal(1), z.literal(2)]),
});

describe('input made of a form', () => {
  test('sends an empty field as the contract wants it: empty text, null, or nothing', () => {
    expect(inputOf(schema, { name: 'A', note: '', country: '', since: '', level: 1 })).toEqual({
      name: 'A',
      note: '',
      country: null,
      level: 1,
    });
  });

  test('leaves an empty field that must be filled in for the schema to refuse', () => {
    expect(inputOf(schema, { name: '', level: '' })).toEqual({ name: '', level: '' });
  });

  test('keeps what is not empty, and leaves out what the call does not know', () => {
    expect(inputOf(schema, { since: '2026-11-21', confirm: 'x' })).toEqual({ since: '2026-11-21' });
  });
});

test.each([
  ['name', false],
  ['note', true],
  ['country', true],
  ['since', true],
  ['level', false],
  ['unknown', false],
  ['address.city', true],
])('whether %s may stay empty: %s', (name, expected) => {
  expect(accepts(schema, name)).toBe(expected);
});

test.each([
  ['a', 1],
  ['b.c', 'x'],
  ['b.d.0', true],
  ['b.x.y', undefined],
  ['a.b', undefined],
])('the value at %s', (path, expected) => {
  expect(valueAt({ a: 1, b: { c: 'x', d: [true] } }, path)).toBe(expected);
});
