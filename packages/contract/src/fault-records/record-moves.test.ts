import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEvent,
  isUnderWay,
  MOST_ROUNDS,
  type RecordStanding,
  recordEvents,
  recordStates,
  statesBefore,
} from './record-moves.ts';

const events = fc.array(fc.constantFrom(...recordEvents), { maxLength: 60 });
const kept: RecordStanding = { state: 'kept', rounds: 0 };

describe('a fault record', () => {
  test('is stored only by being complete, only after it was asked for, and then for good', () => {
    fc.assert(
      fc.property(events, (all) => {
        let record = kept;
        let asked = false;
        for (const event of all) {
          const next = afterEvent(record, event);
          asked ||= event === 'ask';
          if (record.state === 'stored') expect(next).toBeUndefined();
          if (next?.state === 'stored') {
            expect(event).toBe('complete');
            expect(asked).toBe(true);
            expect(isUnderWay(record.state)).toBe(true);
          }
          record = next ?? record;
        }
      }),
    );
  });

  test('is asked for a bounded number of times, however often its parts are missing, and can be wanted again after that', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('part' as const, 'gap' as const), { maxLength: 60 }), (all) => {
        let record = afterEvent(kept, 'ask') ?? kept;
        let asks = 1;
        for (const event of all) {
          const next = afterEvent(record, event);
          if (event === 'gap' && next?.state === 'asked') asks += 1;
          record = next ?? record;
          expect(record.rounds).toBeLessThanOrEqual(MOST_ROUNDS);
        }
        expect(asks).toBeLessThanOrEqual(MOST_ROUNDS);
        if (record.state === 'failed') expect(afterEvent(record, 'ask')).toEqual({ state: 'asked', rounds: 1 });
      }),
    );
  });

  test('that waits ends by every silence: gaps alone lead out of each state in which it is under way', () => {
    for (const state of recordStates.filter(isUnderWay)) {
      let record: RecordStanding = { state, rounds: 1 };
      for (let gap = 0; gap < MOST_ROUNDS; gap += 1) record = afterEvent(record, 'gap') ?? record;
      expect(record.state).toBe('failed');
    }
    expect(statesBefore('ask')).toEqual(['kept', 'failed']);
  });
});
