import { expect, test } from 'vitest';
import { fuzzBroker, fuzzSeed } from '../testing/fuzz-broker.ts';

const SECONDS = 600;

test('ten minutes of bytes by chance end no broker and get nothing past who is not authenticated', {
  retry: 0,
}, async () => {
  await expect(fuzzBroker(fuzzSeed(), SECONDS)).resolves.toBeUndefined();
});
