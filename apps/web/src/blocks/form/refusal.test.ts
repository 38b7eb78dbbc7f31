import { setUp } from '@sonnenwarte/contract/accounts/accounts';
import { errno } from '@sonnenwarte/contract/errors';
import { line, paragraph, text } from '@sonnenwarte/contract/fields';
import { limits } from '@sonnenwarte/contract/limits';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, NetworkError } from '../../client/failures.ts';
import { type Refusal, reasonOf, reasons, refusalsOf, schemaRefusals } from './refusal.ts';

const refusalsFor = (schema: z.ZodMiniType, value: unknown): readonly Refusal[] => {
  const parsed = z.safeParse(schema, value);
  return parsed.success ? [] : schemaRefusals(parsed.error);
};

const reasonFor = (schema: z.ZodMiniType, value: unknown) => {
  const [first] = refusalsFor(z.object({ field: schema }), { field: value });
  return first && reasonOf(first, value);
};

describe('the reason that a user is told', () => {
  test.each([
    ['an empty text', z.string().check(z.minLength(3)), '', 'required'],
    ['spaces alone', z.string().check(z.trim(), z.minLength(3)), '   ', 'required'],
    ['a missing value', z.string(), undefined, 'required'],
    ['a short text', z.string().check(z.minLength(3)), 'ab', 'tooShort'],
    ['a long text', z.string().check(z.maxLength(3)), 'abcd', 'tooLong'],
    ['a text of another form', z.string().check(z.regex(/^\d+$/)), 'abc', 'invalidFormat'],
    ['a sign that is not seen', line(20), 'own\u0000er', 'unprintable'],
    ['one in a password', text(20, 6), 'secret\u0007', 'unprintable'],
    ['one in several lines', paragraph(20), 'a\nb\u0000', 'unprintable'],
    ['a small number', z.number().check(z.gte(3)), 2, 'tooSmall'],
    ['a large number', z.number().check(z.lte(3)), 4, 'tooLarge'],
    ['letters for a number', z.number(), '12 kW', 'noNumber'],
    ['nothing chosen', z.enum(['a', 'b']), '', 'notChosen'],
    ['nothing chosen of several kinds', z.union([z.literal(1), z.literal(2)]), '', 'notChosen'],
    ['a value that is not offered', z.enum(['a', 'b']), 'c', 'notOffered'],
    ['an empty list', z.array(z.string()).check(z.minLength(1)), [], 'notChosen'],
    ['a short list', z.array(z.string()).check(z.minLength(2)), ['a'], 'tooFew'],
    ['a long list', z.array(z.string()).check(z.maxLength(1)), ['a', 'b'], 'tooMany'],
    ['a box that must be ticked', z.literal(true), false, 'unchecked'],
    [
      'a rule of its own',
      z.string().check(z.refine((text) => text === 'a', { params: { reason: 'differs' } })),
      'b',
      'differs',
    ],
  ] as const)('for %s', (_, schema, value, expected) => {
    expect(reasonFor(schema, value)).toBe(expected);
  });

  test('is one that has a text, whatever the server calls it', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.anything()), fc.anything(), (reason, params, value) => {
        expect(reasons).toContain(reasonOf({ path: 'a', reason, params }, value));
      }),
    );
  });

  test('carries the bounds that its text names', () => {
    const [refusal] = refusalsFor(setUp.input, { code: 'c', user: 'brandner', email: 'a@b.de', password: 'x' });
    expect(refusal).toEqual({
      path: 'password',
      reason: 'too_small',
      params: { min: limits.password.min, of: 'string' },
    });
  });
});

describe('the refusals of an answer', () => {
  const fields = [{ path: 'email', reason: 'taken', params: {} }];

  test('are its fields', () => {
    expect(refusalsOf(new ApiError(errno.refusedInput, 'Refused', { fields }))).toEqual(fields);
  });

  test.each([
    ['another error number', new ApiError(errno.noPermission, 'No permission', { fields })],
    ['a result of another form', new ApiError(errno.refusedInput, 'Refused', { fields: 'email' })],
    ['no answer', new NetworkError(true)],
    ['something else', 'failed'],
  ])('are none for %s', (_, error) => {
    expect(refusalsOf(error)).toEqual([]);
  });
});
