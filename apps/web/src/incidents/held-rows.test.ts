import { expect, test } from 'vitest';
import { heldRows } from './held-rows.ts';

const row = (incidentID: string, lostWh = 0) => ({ incidentID, lostWh });
const shown = [row('a', 3), row('b', 2), row('c', 1)];

test('the same incidents keep their places, whatever they cost by now', () => {
  const fresh = [row('c', 9), row('a', 4), row('b', 2)];
  expect(heldRows(shown, fresh, false)).toEqual({ rows: [row('a', 4), row('b', 2), row('c', 9)], added: [] });
});

test('what has gone goes, and what was on the next page comes in its place', () => {
  const fresh = [row('a', 3), row('c', 1), row('d', 0)];
  expect(heldRows(shown, fresh, false)).toEqual({ rows: fresh, added: [] });
});

test('new incidents wait, and push nothing off the page', () => {
  const fresh = [row('new', 8), row('a', 4), row('b', 2)];
  expect(heldRows(shown, fresh, true)).toEqual({
    rows: [row('a', 4), row('b', 2), row('c', 1)],
    added: [row('new', 8)],
  });
});

test('a page that was empty waits for nobody to ask', () => {
  expect(heldRows([], [row('new')], false).rows).toEqual([row('new')]);
});
