import { isOpen, moved, REOPENED_WITHIN_MS } from '@sonnenwarte/contract/work-orders/order-states';
import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { coversPath } from '../access/scope.ts';
import type { CallContext } from '../http/serve.ts';
import { readerOf, readsInternal } from './internal.ts';
import type { OrderFound } from './orders.store.ts';

export type Caller = Pick<CallContext, 'actor' | 'scope'>;

type Judged = Pick<
  OrderFound,
  | 'state'
  | 'asked_by'
  | 'asked_from'
  | 'left_asker'
  | 'assignee_id'
  | 'holder_path'
  | 'holder_id'
  | 'way'
  | 'stars'
  | 'solved_at'
  | 'closed_at'
>;

export const isAsker = ({ actor }: Caller, order: Pick<Judged, 'asked_by'>): boolean =>
  order.asked_by === actor.accountId;

/** Whoever has the order, and who stands above them, works on it. */
export const worksOn = ({ scope }: Caller, { holder_path }: Pick<Judged, 'holder_path'>): boolean =>
  coversPath(scope, holder_path);

/** What the caller may do with an order in scope. */
export function canOf(caller: Caller, order: Judged, nowMs: number): WorkOrderRow['can'] {
  const works = worksOn(caller, order);
  const asks = isAsker(caller, order);
  const to = (move: Parameters<typeof moved>[1]): boolean => moved(order.state, move) !== undefined;
  const isInTime = order.closed_at === null || nowMs - order.closed_at.getTime() <= REOPENED_WITHIN_MS;
  const isTop = order.holder_path.length === 1;
  return {
    answer: order.state !== 'closed',
    note: readsInternal(readerOf(caller), order) && order.state !== 'closed',
    work: works && isOpen(order.state),
    begin:
      works &&
      isOpen(order.state) &&
      order.holder_id === caller.actor.organisationID &&
      order.assignee_id !== caller.actor.accountId,
    handUp: works && to('handUp') && !isTop,
    handDown: works && to('handDown') && order.way.at(-1) !== order.holder_id,
    solve: works && to('solve'),
    close: (asks || (works && order.state === 'solved')) && to('close'),
    reopen: (asks || works) && to('reopen') && isInTime,
    // Reopening forgets that it was solved; who asked may also close what nobody has solved.
    rate: asks && order.solved_at !== null && order.stars === null && isInTime,
  };
}
