import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DeliveryState,
  deliveryMoved,
  deliveryMoves,
  type TellingState,
  tellingMoved,
  tellingMoves,
} from './delivery-moves.ts';

test('in whatever order things happen, somebody is told of an incident at most once, and what is told stays told', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tellingMoves)), (moves) => {
      let state: TellingState = 'waiting';
      let told = 0;
      for (const move of moves) {
        const next = tellingMoved(state, move);
        if (next === 'told') told += 1;
        if (state === 'told') expect(next).toBeUndefined();
        state = next ?? state;
      }
      expect(told).toBeLessThanOrEqual(1);
      // Whatever happened, one of the moves leads on until it is told.
      if (state !== 'told') expect(tellingMoves.some((move) => tellingMoved(state, move) !== undefined)).toBe(true);
    }),
  );
});

test('a delivery ends once, sent or failed', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...deliveryMoves), { minLength: 1 }), (moves) => {
      let state: DeliveryState = 'queued';
      let ends = 0;
      for (const move of moves) {
        const next = deliveryMoved(state, move);
        if (next !== undefined) ends += 1;
        state = next ?? state;
      }
      expect(ends).toBe(1);
    }),
  );
});
