import { expect, test } from 'vitest';
import { joinedSpans } from './recalculation-steps.ts';

test('spans that are due are done in their order, what touches as one, and nothing of the years between', () => {
  const spans = [
    { fromMs: 9_000, toMs: 9_500 },
    { fromMs: 10, toMs: 20 },
    { fromMs: 15, toMs: 30 },
    { fromMs: 30, toMs: 31 },
    { fromMs: 11, toMs: 12 },
  ];
  expect(joinedSpans(spans)).toEqual([
    { fromMs: 10, toMs: 31 },
    { fromMs: 9_000, toMs: 9_500 },
  ]);
  expect(spans[1]).toEqual({ fromMs: 10, toMs: 20 });
});
