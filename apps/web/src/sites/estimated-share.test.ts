import { expect, test } from 'vitest';
import { estimatedShare } from './estimated-share.ts';

test.each([
  [{ energyWh: 1_000, estimatedWh: 32 }, 3.2],
  [{ energyWh: 1_000, estimatedWh: 0 }, 'none'],
  [{ energyWh: 0, estimatedWh: 0 }, 'none'],
  [{ energyWh: null, estimatedWh: null }, 'none'],
  [{ energyWh: 1_000, estimatedWh: null }, 'unknown'],
  [{ energyWh: 1_000_000, estimatedWh: 400 }, 'little'],
  [{ energyWh: 1_000, estimatedWh: 999.9 }, 'whole'],
  [{ energyWh: 1_000, estimatedWh: 1_000 }, 'whole'],
])('of %j it says %j', (part, said) => {
  expect(estimatedShare(part)).toBe(said);
});
