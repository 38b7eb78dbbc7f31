/**
 * Where a work order stands. `turnedOn`: asked, and nobody has begun. `processing`: somebody works on it. `upgraded`: handed to the level
 * above. `solved`: answered, and the one who asked may say otherwise. `closed`: done with.
 */
export const orderStates = ['turnedOn', 'processing', 'upgraded', 'solved', 'closed'] as const;
export type OrderState = (typeof orderStates)[number];

/** What happens to a work order. `begin`: somebody answers it, takes it or is given it. */
export const orderMoves = ['begin', 'handUp', 'handDown', 'solve', 'close', 'reopen'] as const;
export type OrderMove = (typeof orderMoves)[number];

/** The one table of moves; what it does not name is refused. */
export const moves: { readonly [From in OrderState]: { readonly [Move in OrderMove]?: OrderState } } = {
  turnedOn: { begin: 'processing', handUp: 'upgraded', handDown: 'turnedOn', solve: 'solved', close: 'closed' },
  processing: { handUp: 'upgraded', handDown: 'processing', solve: 'solved', close: 'closed' },
  upgraded: { handUp: 'upgraded', handDown: 'processing', solve: 'solved', close: 'closed' },
  solved: { close: 'closed', reopen: 'processing' },
  closed: { reopen: 'processing' },
};

/** Where a move leads; undefined where it is none from there. */
export const moved = (from: OrderState, move: OrderMove): OrderState | undefined => moves[from][move];

/** States in which somebody has to do something. */
export const openStates = ['turnedOn', 'processing', 'upgraded'] as const satisfies readonly OrderState[];

export const isOpen = (state: OrderState): boolean => openStates.some((open) => open === state);

/** Whoever asked can reopen an order for so long after it was closed; what comes later is another one. */
export const REOPENED_WITHIN_MS = 30 * 86_400_000;
/** A solved order is closed when nobody has said anything for so long. */
export const CLOSED_AFTER_MS = 14 * 86_400_000;
