/**
 * What becomes of that somebody is told of an incident. `waiting`: its time has not come. `told`: it is in a delivery. `dropped`: there was nothing to tell
 * when its time came; an incident that begins anew lets it wait again.
 */
export const tellingStates = ['waiting', 'told', 'dropped'] as const;
export type TellingState = (typeof tellingStates)[number];

export const tellingMoves = ['tell', 'drop', 'renew'] as const;
export type TellingMove = (typeof tellingMoves)[number];

/** The one table of moves; what it does not name changes nothing. Nothing leads out of `told`, so that nobody is told twice. */
export const tellingTable: { readonly [From in TellingState]: { readonly [Move in TellingMove]?: TellingState } } = {
  waiting: { tell: 'told', drop: 'dropped' },
  dropped: { renew: 'waiting' },
  told: {},
};

/** Why there was nothing to tell. */
export const dropReasons = [
  'over',
  'returned',
  'acknowledged',
  'explained',
  'toldAlready',
  'noChannel',
  'unseen',
  'ruleChanged',
] as const;
export type DropReason = (typeof dropReasons)[number];

/** A delivery on its way to one place. `queued`: it is tried, with growing pauses. `sent`: it was taken there. `failed`: it is not tried again. */
export const deliveryStates = ['queued', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const deliveryMoves = ['send', 'giveUp'] as const;
export type DeliveryMove = (typeof deliveryMoves)[number];

export const deliveryTable: { readonly [From in DeliveryState]: { readonly [Move in DeliveryMove]?: DeliveryState } } =
  {
    queued: { send: 'sent', giveUp: 'failed' },
    sent: {},
    failed: {},
  };

export const tellingMoved = (from: TellingState, move: TellingMove): TellingState | undefined =>
  tellingTable[from][move];
export const deliveryMoved = (from: DeliveryState, move: DeliveryMove): DeliveryState | undefined =>
  deliveryTable[from][move];
