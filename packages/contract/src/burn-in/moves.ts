/** A run is not paused: what it proves is that a unit bore its load without a break. */
export const runStates = ['planned', 'running', 'finished', 'aborted'] as const;
export type RunState = (typeof runStates)[number];
export const runEvents = ['start', 'finish', 'abort'] as const;
export type RunEvent = (typeof runEvents)[number];

/** `waiting`: nothing of it has been recorded in the run. */
export const unitStates = ['waiting', 'running', 'passed', 'failed', 'aborted', 'removed'] as const;
export type UnitState = (typeof unitStates)[number];
export const unitEvents = ['begin', 'pass', 'fail', 'abort', 'remove'] as const;
export type UnitEvent = (typeof unitEvents)[number];

type Moves<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** Which state of a run follows which event; what is not named does not happen. */
export const runMoves: Moves<RunState, RunEvent> = {
  planned: { start: 'running', abort: 'aborted' },
  running: { finish: 'finished', abort: 'aborted' },
  finished: {},
  aborted: {},
};

/** The same of a unit. What was told of it once stays. */
export const unitMoves: Moves<UnitState, UnitEvent> = {
  waiting: { begin: 'running', fail: 'failed', abort: 'aborted', remove: 'removed' },
  running: { pass: 'passed', fail: 'failed', abort: 'aborted', remove: 'removed' },
  passed: {},
  failed: {},
  aborted: {},
  removed: {},
};

export const afterRunEvent = (state: RunState, event: RunEvent): RunState | undefined => runMoves[state][event];
export const afterUnitEvent = (state: UnitState, event: UnitEvent): UnitState | undefined => unitMoves[state][event];

/** States to which an event happens. */
export const runStatesBefore = (event: RunEvent): RunState[] =>
  runStates.filter((state) => runMoves[state][event] !== undefined);
export const unitStatesBefore = (event: UnitEvent): UnitState[] =>
  unitStates.filter((state) => unitMoves[state][event] !== undefined);

/** Nothing more happens to it. */
export const isRunOver = (state: RunState): boolean => Object.keys(runMoves[state]).length === 0;
export const isUnitOver = (state: UnitState): boolean => Object.keys(unitMoves[state]).length === 0;

/** Units that have a verdict. */
export const isJudged = (state: UnitState): boolean => state === 'passed' || state === 'failed';

/** Why the portal itself has taken a unit off: its device stands in somebody's plant. */
export const LEFT_FOR_PLANT = '@plant';
