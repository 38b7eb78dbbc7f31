import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DueTimes } from './due-times.ts';
import { newUlid } from './ulid.ts';

it('what is due is taken out in the order of its times, and nothing before them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 100 })), fc.nat({ max: 100 }), (times, nowMs) => {
      const due = new DueTimes<number>();
      for (const atMs of times) due.put(atMs, atMs);
      const sorted = times.toSorted((a, b) => a - b);
      expect(due.nextMs).toBe(sorted[0]);
      expect([...due.take(nowMs)]).toEqual(sorted.filter((atMs) => atMs <= nowMs));
      expect(due.nextMs).toBe(sorted.find((atMs) => atMs > nowMs));
    }),
  );
});

it('ids sort as they were made, also within a millisecond and where the clock is set back', () => {
  const ids = [5, 5, 5, 4, 6].flatMap((ms) => [newUlid(1_700_000_000_000 + ms), newUlid(1_700_000_000_000 + ms)]);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
});
