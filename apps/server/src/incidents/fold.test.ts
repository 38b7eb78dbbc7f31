import {
  incidentMoves,
  incidentStates,
  moved,
  moves,
  RETURNS_WITHIN_MS,
} from '@sonnenwarte/contract/incidents/incident-moves';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSpells, type GoingOn, type NewIncident, type Spell, stateAfter } from './fold.ts';

const HOUR = RETURNS_WITHIN_MS;
const spell = (id: string, sinceMs: number, untilMs: number | null, incidentId: string | null = null): Spell => ({
  id,
  sinceMs,
  untilMs,
  incidentId,
});

describe('the table of moves', () => {
  test('leads nowhere from closed, and to closed from what is over alone', () => {
    expect(moves.closed).toEqual({});
    for (const from of incidentStates) expect(moved(from, 'close')).toBe(from === 'cleared' ? 'closed' : undefined);
  });

  test('no order of moves leaves what is over and done with anywhere but closed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...incidentMoves)), (order) => {
        let state: (typeof incidentStates)[number] = 'open';
        let known = false;
        for (const move of order) {
          state = moved(state, move) ?? state;
          known ||= state === 'acknowledged';
        }
        state = stateAfter(state, known, false);
        expect(['cleared', 'closed']).toContain(state);
        expect(moved(state, 'close') ?? state).toBe('closed');
      }),
    );
  });

  test('what comes back and was acknowledged stays so', () => {
    expect(stateAfter('cleared', true, true)).toBe('acknowledged');
    expect(stateAfter('cleared', false, true)).toBe('open');
    expect(stateAfter('acknowledged', true, true)).toBe('acknowledged');
  });
});

describe('spells of one trouble', () => {
  test('what comes again within the hour is the same incident, what comes later another', () => {
    const { begun } = foldSpells(undefined, [
      spell('c', 3 * HOUR, null),
      spell('a', 0, 1_000),
      spell('b', HOUR, HOUR + 1_000),
    ]);
    expect(begun).toEqual([
      { spellIds: ['a', 'b'], sinceMs: 0, untilMs: HOUR + 1_000 },
      { spellIds: ['c'], sinceMs: 3 * HOUR, untilMs: null },
    ]);
  });

  test('what goes on takes what follows, and is over where something else begins', () => {
    const current = { id: 'i', sinceMs: 0, untilMs: 1_000 };
    expect(foldSpells(current, [spell('b', HOUR, null)])).toEqual({ joined: ['b'], isOver: false, begun: [] });
    expect(foldSpells(current, [spell('b', 2 * HOUR, null)])).toEqual({
      joined: [],
      isOver: true,
      begun: [{ spellIds: ['b'], sinceMs: 2 * HOUR, untilMs: null }],
    });
  });

  test('what is told late of a time long before is an incident of its own, and what goes on goes on', () => {
    const current = { id: 'i', sinceMs: 10 * HOUR, untilMs: null };
    expect(foldSpells(current, [spell('b', 0, 1_000)])).toEqual({
      joined: [],
      isOver: false,
      begun: [{ spellIds: ['b'], sinceMs: 0, untilMs: 1_000 }],
    });
  });

  test('the end of a spell of a closed incident begins none', () => {
    expect(foldSpells(undefined, [spell('a', 0, 1_000, 'closed')])).toEqual({ joined: [], isOver: false, begun: [] });
  });

  /** Spells of one subject, one after the other, as they are when all has been told. */
  const histories = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 3 * HOUR }), fc.integer({ min: 0, max: 2 * HOUR })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((steps) => {
      let at = 0;
      return steps.map(([pause, length], index) => {
        at += pause;
        const sinceMs = at;
        at += length;
        return spell(`s${String(index).padStart(2, '0')}`, sinceMs, at);
      });
    });

  test('every spell is in one incident, none of which hangs together with another', () => {
    fc.assert(
      fc.property(histories, (spells) => {
        const { begun } = foldSpells(undefined, spells);
        expect(begun.flatMap(({ spellIds }) => spellIds).toSorted()).toEqual(spells.map(({ id }) => id).toSorted());
        for (const [index, each] of begun.entries()) {
          const next = begun[index + 1];
          if (next !== undefined) expect(next.sinceMs).toBeGreaterThan((each.untilMs ?? 0) + HOUR);
        }
      }),
    );
  });

  test('told in parts, in order, spells come to the same incidents as told at once', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat({ max: 4 })), (spells, sizes) => {
        const whole = foldSpells(undefined, spells).begun.map(({ sinceMs, untilMs }) => ({ sinceMs, untilMs }));
        expect(inParts(spells, sizes)).toEqual(whole);
      }),
    );
  });
});

/** Folds part after part, as the store does. */
function inParts(spells: readonly Spell[], sizes: readonly number[]): { sinceMs: number; untilMs: number | null }[] {
  const done: { sinceMs: number; untilMs: number | null }[] = [];
  let current: GoingOn | undefined;
  let rest = [...spells];
  let turn = 0;
  while (rest.length > 0) {
    const size = 1 + (sizes[turn % Math.max(1, sizes.length)] ?? 0);
    turn += 1;
    const part = rest.slice(0, size);
    rest = rest.slice(size);
    const { joined, isOver, begun } = foldSpells(current, part);
    if (current !== undefined) {
      const taken = part.filter(({ id }) => joined.includes(id));
      const untilMs = Math.max(current.untilMs ?? 0, ...taken.map((each) => each.untilMs ?? 0));
      current = { ...current, untilMs };
    }
    const all: (GoingOn | NewIncident)[] = [...(current === undefined ? [] : [current]), ...begun];
    const last = all.at(-1);
    done.push(...all.slice(0, -1).map(({ sinceMs, untilMs }) => ({ sinceMs, untilMs })));
    if (last !== undefined) current = { id: `i${turn}`, sinceMs: last.sinceMs, untilMs: last.untilMs };
    expect(isOver).toBe(begun.length > 0 && all.length > begun.length);
  }
  return current === undefined ? done : [...done, { sinceMs: current.sinceMs, untilMs: current.untilMs }];
}
