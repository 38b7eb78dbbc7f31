/**
 * Where an incident stands. `open`: it goes on and nobody has taken notice. `acknowledged`: it goes on and somebody has. `cleared`: what was told is over;
 * it may come back. `closed`: done with; what comes later is another incident.
 */
export const incidentStates = ['open', 'acknowledged', 'cleared', 'closed'] as const;
export type IncidentState = (typeof incidentStates)[number];

/** What happens to an incident. `returned`: told anew before it was closed; `returnedKnown`: so, and somebody has acknowledged it. */
export const incidentMoves = ['acknowledge', 'clear', 'return', 'returnKnown', 'close'] as const;
export type IncidentMove = (typeof incidentMoves)[number];

/** The one table of moves; what it does not name changes nothing. */
export const moves: { readonly [From in IncidentState]: { readonly [Move in IncidentMove]?: IncidentState } } = {
  open: { acknowledge: 'acknowledged', clear: 'cleared' },
  acknowledged: { clear: 'cleared' },
  cleared: { return: 'open', returnKnown: 'acknowledged', close: 'closed' },
  closed: {},
};

/** Where a move leads; undefined where it is none from there. */
export const moved = (from: IncidentState, move: IncidentMove): IncidentState | undefined => moves[from][move];

/** States in which what was told goes on. */
export const standingStates = ['open', 'acknowledged'] as const satisfies readonly IncidentState[];

/** What comes back within this time after it was over is the same incident once more; after it an incident is closed. */
export const RETURNS_WITHIN_MS = 3_600_000;
