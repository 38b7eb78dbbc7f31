import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  accepts,
  changedFields,
  inputOf,
  same,
  valueAt,
  withChanges,
  withoutValues,
  withValueAt,
} from './form-values.ts';

const schema = z.object({
  name: z.string().check(z.minLength(1)),
  note: z.string(),
  country: z.nullable(z.string().check(z.length(2))),
  since: z.optional(z.string().check(z.length(10))),
  level: z.union([z.literal(1), z.literal(2)]),
  owner: z.object({ name: z.string().check(z.minLength(1)), note: z.optional(z.string().check(z.minLength(3))) }),
  strings: z.array(z.object({ modules: z.int(), tilt: z.nullable(z.number()), note: z.string() })),
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

  test('does the same within rows', () => {
    const strings = [
      { modules: 12, tilt: '', note: '', colour: 'red' },
      { modules: '', tilt: 30, note: 'east' },
    ];
    expect(inputOf(schema, { strings, owner: { name: '', note: '' } })).toEqual({
      strings: [
        { modules: 12, tilt: null, note: '' },
        { modules: '', tilt: 30, note: 'east' },
      ],
      owner: { name: '' },
    });
  });

  test('keeps a record as it is, whatever its names', () => {
    const named = z.object({ query: z.record(z.string(), z.string()) });
    const values = { query: { 'condition.content': 'two', columns: '' } };
    expect(inputOf(named, values)).toEqual(values);
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
  ['owner.name', false],
  ['owner.note', true],
  ['strings.0.modules', false],
  ['strings.12.tilt', true],
  ['strings.0.note', true],
  ['strings', true],
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

test('a value is put at a path, and what is not on the way stays the same', () => {
  const before = {
    name: 'A',
    rows: [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  };
  const after = withValueAt(before, 'rows.1.a', 5);
  expect(after).toEqual({
    name: 'A',
    rows: [
      { a: 1, b: 2 },
      { a: 5, b: 4 },
    ],
  });
  expect(after.rows[0]).toBe(before.rows[0]);
  expect(before.rows[1]?.a).toBe(3);
});

describe('what counts as typed', () => {
  test('is what differs from where the form began, without secrets', () => {
    const baseline = { name: 'Anna', codes: ['a'], email: '', password: '' };
    const values = { name: 'Anna', codes: ['a', 'b'], email: 'a@b.de', password: 'geheim1234' };
    const typed = withoutValues(changedFields(values, baseline), ['password'], undefined);
    expect(JSON.parse(JSON.stringify(typed))).toEqual({ codes: ['a', 'b'], email: 'a@b.de' });
  });

  test('is told field by field within a field of several, and a list as a whole', () => {
    const baseline = { owner: { name: 'Anna', city: 'Ulm' }, rows: [{ a: 1 }, { a: 2 }] };
    const values = { owner: { name: 'Anna', city: 'Bonn' }, rows: [{ a: 1 }] };
    expect(changedFields(values, baseline)).toEqual({ owner: { city: 'Bonn' }, rows: [{ a: 1 }] });
  });

  test('is nothing once a row was added and taken away again', () => {
    const baseline = { rows: [{ a: 1, b: 2 }] };
    expect(changedFields({ rows: [{ b: 2, a: 1 }] }, baseline)).toEqual({});
  });

  test('loses the secrets of every row', () => {
    const rows = [
      { user: 'a', password: 'x' },
      { user: 'b', password: 'y' },
    ];
    expect(withoutValues({ rows }, ['rows.*.password'], '')).toEqual({
      rows: [
        { user: 'a', password: '' },
        { user: 'b', password: '' },
      ],
    });
  });

  test('put on top of where the form began gives what was in the form', () => {
    const values = fc.record({
      name: fc.string(),
      owner: fc.record({ name: fc.string(), city: fc.constantFrom('Ulm', 'Bonn') }),
      rows: fc.array(fc.record({ a: fc.integer({ min: 0, max: 2 }) }), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(values, values, (now, before) => {
        const changed = changedFields(now, before);
        expect(same(withChanges(before, changed), now)).toBe(true);
        expect(Object.keys(changed).length === 0).toBe(same(now, before));
      }),
    );
  });
});

describe('what is typed while a save runs', () => {
  const sent = { name: 'Anna', note: '', password: 'geheim1234' };
  const saved = withoutValues(sent, ['password'], '');
  const shownAfter = (typed: typeof sent) => withChanges(saved, changedFields(typed, sent));

  test('stays in the form and is not saved yet', () => {
    const shown = shownAfter({ ...sent, note: 'calls on Monday' });
    expect(shown).toEqual({ name: 'Anna', note: 'calls on Monday', password: '' });
    expect(changedFields(shown, saved)).toEqual({ note: 'calls on Monday' });
  });

  test('may be a text that was emptied, or a secret', () => {
    expect(shownAfter({ name: '', note: '', password: 'geheim12345' })).toEqual({
      name: '',
      note: '',
      password: 'geheim12345',
    });
  });

  test('is nothing where nothing was typed', () => {
    expect(shownAfter(sent)).toEqual(saved);
  });
});
