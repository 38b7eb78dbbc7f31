import { expect, test } from 'vitest';
import { fuzzBroker, fuzzSeed } from '../testing/fuzz-broker.ts';

const SECONDS = 15;

test('no bytes of anybody end the broker, keep a good logger waiting or get past who is not authenticated', {
  timeout: 180_000,
  retry: 0,
}, async () => {
  await expect(fuzzBroker(fuzzSeed(), SECONDS)).resolves.toBeUndefined();
});
