/** `queued`: nobody has begun with it; the specification's "processing, then completed" follows. */
export const reportStates = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type ReportState = (typeof reportStates)[number];

/** What happens to a report. `begin` while it is processed is a new beginning after whoever made it was stopped. */
export const reportEvents = ['begin', 'putBack', 'complete', 'fail', 'cancel', 'retry'] as const;
export type ReportEvent = (typeof reportEvents)[number];

/** Which state follows which event; what is not named does not happen. */
export const reportMoves: Readonly<Record<ReportState, Readonly<Partial<Record<ReportEvent, ReportState>>>>> = {
  queued: { begin: 'processing', fail: 'failed', cancel: 'cancelled' },
  processing: { begin: 'processing', putBack: 'queued', complete: 'completed', fail: 'failed', cancel: 'cancelled' },
  completed: {},
  failed: { retry: 'queued' },
  cancelled: { retry: 'queued' },
};

/** Events that only the run tells that has begun last. */
const ofTheRun: readonly ReportEvent[] = ['putBack', 'complete', 'fail'];

export interface ReportProgress {
  readonly state: ReportState;
  /** How often it was begun. */
  readonly run: number;
}

/** A report after an event that a run tells, or anybody; undefined where it does not happen to it. */
export function afterEvent(
  { state, run }: ReportProgress,
  event: ReportEvent,
  toldBy: number | undefined,
): ReportProgress | undefined {
  const next = reportMoves[state][event];
  if (next === undefined || (ofTheRun.includes(event) && toldBy !== run)) return undefined;
  return { state: next, run: event === 'begin' ? run + 1 : run };
}

/** States to which an event happens. */
export const statesBefore = (event: ReportEvent): ReportState[] =>
  reportStates.filter((state) => reportMoves[state][event] !== undefined);

/** Nothing more happens to it by itself. */
export const isOver = (state: ReportState): boolean => state !== 'queued' && state !== 'processing';
