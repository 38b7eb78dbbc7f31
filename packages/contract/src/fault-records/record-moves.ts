/**
 * A record that a device keeps of one of its faults, as the portal has it: `kept` (the device has it, nobody has fetched it), `asked`, `receiving` (parts of it
 * have come), `stored`, `failed`.
 */
export const recordStates = ['kept', 'asked', 'receiving', 'stored', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/**
 * `ask`: somebody, or the portal itself, asks for it. `part`: a part has come. `complete`: all have, and they are that record. `gap`: what was to come has
 * not, or was damaged. `fail`: the device was not reached or has refused.
 */
export const recordEvents = ['ask', 'part', 'complete', 'gap', 'fail'] as const;
export type RecordEvent = (typeof recordEvents)[number];

/** How often the device is asked for what is missing before it is given up. */
export const MOST_ROUNDS = 3;

export interface RecordStanding {
  readonly state: RecordState;
  /** How often the device was asked since somebody wanted the record. */
  readonly rounds: number;
}

const moves: Readonly<Record<RecordState, Readonly<Partial<Record<RecordEvent, RecordState>>>>> = {
  kept: { ask: 'asked' },
  asked: { part: 'receiving', complete: 'stored', gap: 'asked', fail: 'failed' },
  receiving: { part: 'receiving', complete: 'stored', gap: 'asked', fail: 'failed' },
  stored: {},
  failed: { ask: 'asked' },
};

/** What becomes of a record by an event; undefined where that does not happen to it. A gap is asked for again until the rounds are used up. */
export function afterEvent({ state, rounds }: RecordStanding, event: RecordEvent): RecordStanding | undefined {
  const next = moves[state][event];
  if (next === undefined) return undefined;
  if (event === 'ask') return { state: next, rounds: 1 };
  if (event !== 'gap') return { state: next, rounds };
  return rounds < MOST_ROUNDS ? { state: next, rounds: rounds + 1 } : { state: 'failed', rounds };
}

/** States to which an event happens. */
export const statesBefore = (event: RecordEvent): RecordState[] =>
  recordStates.filter((state) => moves[state][event] !== undefined);

/** It is on its way. */
export const isUnderWay = (state: RecordState): boolean => state === 'asked' || state === 'receiving';
