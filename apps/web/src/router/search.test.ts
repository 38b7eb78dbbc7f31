import { list as devices } from '@sonnenwarte/contract/devices/devices';
import { list } from '@sonnenwarte/contract/sites/sites';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseQuery, queryText } from './query.ts';
import { listOfText, parseInput, queryOf, textOfList } from './search.ts';

describe('list state in the address', () => {
  test('an empty address gives the defaults, and the defaults an empty address', () => {
    const value = parseInput(list.input, {});
    expect(value).toMatchObject({ pageSize: 10, currentPage: 1, sort: { field: 'state', order: 'asc' } });
    expect(queryOf(list.input, value)).toEqual({});
  });

  test('numbers, nested filters and order are read', () => {
    const query = {
      currentPage: '3',
      pageSize: '50',
      'condition.state': 'fault',
      'sort.field': 'city',
      'sort.order': 'desc',
    };
    expect(parseInput(list.input, query)).toMatchObject({
      currentPage: 3,
      pageSize: 50,
      condition: { state: 'fault' },
      sort: { field: 'city', order: 'desc' },
    });
  });

  test('a truth is read as one, and a search text of that word stays a text', () => {
    const query = { 'condition.deviates': 'true', 'condition.content': 'true' };
    const { condition } = parseInput(devices.input, query);
    expect(condition).toMatchObject({ deviates: true, content: 'true' });
    expect(queryOf(devices.input, parseInput(devices.input, query))).toEqual(query);
  });

  test('a search text of digits stays a text', () => {
    expect(parseInput(list.input, { 'condition.content': '60123' }).condition.content).toBe('60123');
  });

  test('what the schema refuses gives the default and leaves the rest', () => {
    const value = parseInput(list.input, { pageSize: '7', currentPage: '2', 'condition.state': 'broken', x: 'y' });
    expect(value).toMatchObject({ pageSize: 10, currentPage: 2 });
    expect(value.condition.state).toBeUndefined();
  });

  test('what is written is read again', () => {
    const inputs = fc.record({
      pageSize: fc.constantFrom(10 as const, 20 as const, 50 as const),
      currentPage: fc.integer({ min: 1, max: 1_000_000 }),
      condition: fc.record({
        status: fc.integer({ min: 0, max: 3 }),
        contentType: fc.integer({ min: 0, max: 4 }),
        content: fc.string({ maxLength: 64 }).map((text) => text.trim()),
      }),
      sort: fc.record({
        field: fc.constantFrom('name' as const, 'city' as const),
        order: fc.constantFrom('asc' as const, 'desc' as const),
      }),
    });
    fc.assert(
      fc.property(inputs, (input) => {
        const value = z.parse(list.input, input);
        expect(parseInput(list.input, parseQuery(queryText(queryOf(list.input, value))))).toEqual(value);
      }),
    );
  });

  test('no address reaches the prototype of objects', () => {
    parseInput(list.input, { '__proto__.polluted': '1', 'constructor.prototype.polluted': '1' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('lists in the address', () => {
  const schema = z.object({
    condition: z._default(
      z.object({
        states: z.optional(z.array(z.enum(['online', 'offline', 'fault']))),
        levels: z._default(z.array(z.union([z.literal(1), z.literal(2), z.literal(10)])), [1]),
        names: z._default(z.array(z.string().check(z.maxLength(20))), []),
      }),
      { levels: [1], names: [] },
    ),
  });

  test('a filter of several values is written with commas, and read again', () => {
    const value = z.parse(schema, { condition: { states: ['fault', 'offline'], levels: [2, 10] } });
    const text = queryText(queryOf(schema, value));
    expect(text).toBe('?condition.states=fault,offline&condition.levels=2,10');
    expect(parseInput(schema, parseQuery(text))).toEqual(value);
  });

  test('none of several is another filter than the default', () => {
    const value = z.parse(schema, { condition: { levels: [] } });
    expect(queryOf(schema, value)).toEqual({ 'condition.levels': '' });
    expect(parseInput(schema, { 'condition.levels': '' }).condition.levels).toEqual([]);
    expect(parseInput(schema, {}).condition.levels).toEqual([1]);
  });

  test('a value that the schema does not know is left out, the others stay', () => {
    expect(parseInput(schema, { 'condition.states': 'fault,broken,online' }).condition.states).toEqual([
      'fault',
      'online',
    ]);
    expect(parseInput(schema, { 'condition.levels': '7,x' }).condition.levels).toEqual([1]);
  });

  test('whatever texts a list holds, they are read as they were written', () => {
    const texts = fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', ',', '\\', '\\,', ',,')));
    fc.assert(
      fc.property(texts, (items) => {
        expect(listOfText(textOfList(items))).toEqual(items);
        expect(
          parseInput(schema, parseQuery(queryText(queryOf(schema, { condition: { levels: [1], names: items } })))),
        ).toEqual({
          condition: { levels: [1], names: items },
        });
      }),
    );
  });
});
