import { expect, test } from 'vitest';
import { toldHistory } from './told-history.ts';

const entry = (kind: 'raised' | 'returned' | 'cleared' | 'acknowledged' | 'closed', atMs: number) => ({
  id: `${kind} ${atMs}`,
  kind,
  atMs,
  by: '',
  text: '',
  untilMs: null,
  cause: null,
});
const words = (told: ReturnType<typeof toldHistory>) =>
  told.map((each) => (each.kind === 'spells' ? `${each.spells.length} times` : each.entry.id));

test('what came once is told step by step', () => {
  const entries = [entry('cleared', 30), entry('acknowledged', 20), entry('raised', 10)];
  expect(words(toldHistory(entries, [{ sinceMs: 10, untilMs: 30 }], false))).toEqual([
    'cleared 30',
    'acknowledged 20',
    'raised 10',
  ]);
});

const flutters = [
  entry('returned', 50),
  entry('cleared', 40),
  entry('acknowledged', 35),
  entry('returned', 30),
  entry('cleared', 20),
  entry('raised', 10),
];
const spells = [
  { sinceMs: 50, untilMs: null },
  { sinceMs: 30, untilMs: 40 },
  { sinceMs: 10, untilMs: 20 },
];

test('what flutters is told as one', () => {
  expect(words(toldHistory(flutters, spells, true))).toEqual(['3 times', 'acknowledged 35', 'raised 10']);
});

test('of what is over, the last end stands by itself', () => {
  const [last, ...others] = spells;
  const over = [{ sinceMs: last?.sinceMs ?? 0, untilMs: 60 }, ...others];
  const entries = [entry('closed', 70), entry('cleared', 60), ...flutters];
  expect(words(toldHistory(entries, over, false))).toEqual([
    'closed 70',
    'cleared 60',
    '3 times',
    'acknowledged 35',
    'raised 10',
  ]);
});
