import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { line, plantDay } from './fields.ts';

const takes = (schema: z.core.$ZodType, value: string): boolean => z.safeParse(schema, value).success;

describe('a text of one line', () => {
  test('has something that is seen, where it has anything', () => {
    const name = line(32, 1);
    for (const text of ['A', 'Haus \u00e4', '\u0915\u094d\u0937', '👩‍🔧']) expect(takes(name, text), text).toBe(true);
    for (const text of ['', ' ', '\u200b', '\u00ad\u00ad', '\u3164', '\u2800 \u200d'])
      expect(takes(name, text), text).toBe(false);
    expect(takes(line(32), '')).toBe(true);
  });
});

describe('a day of a plant', () => {
  test('is one that there is, of the years that the stores know in every zone', () => {
    for (const day of ['1980-01-01', '2024-02-29', '2099-12-31']) expect(takes(plantDay(), day), day).toBe(true);
    for (const day of [
      '0000-01-01',
      '0099-12-31',
      '1969-12-31',
      '1970-01-01',
      '2100-01-01',
      '9999-12-31',
      '2023-02-29',
    ])
      expect(takes(plantDay(), day), day).toBe(false);
  });
});
