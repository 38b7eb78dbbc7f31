import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { dueHours, dueOf, type OrderClock, orderCategories } from '@sonnenwarte/contract/work-orders/due-times';
import { isOpen } from '@sonnenwarte/contract/work-orders/order-states';
import { orderProducts, type WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import { MOST_ORDERS_COUNTED, type workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { phraseText } from '../exports/phrase-text.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Asked } from '../stores/lists.ts';
import { readerOf, readsInternal } from './internal.ts';
import { type Caller, canOf } from './order-rules.ts';
import { type Asker, countsOf, dueNext, type OrderFound, ordersFound } from './orders.store.ts';

type Calls = typeof workOrderEndpoints;

/** As many as a tile shows. */
const MOST_NEXT = 5;

export const askerOf = (caller: Caller, nowMs: number): Asker => ({ ...readerOf(caller), nowMs });

export const clockOf = (
  order: Pick<OrderFound, 'answer_due_at' | 'solution_due_at' | 'answered_at' | 'still_since' | 'still_ms'>,
): OrderClock => ({
  answerDueMs: order.answer_due_at.getTime(),
  solutionDueMs: order.solution_due_at.getTime(),
  answeredAtMs: order.answered_at?.getTime() ?? null,
  stillSinceMs: order.still_since?.getTime() ?? null,
  stillMs: Number(order.still_ms),
});

export function toWorkOrderRow(order: OrderFound, caller: Caller, nowMs: number): WorkOrderRow {
  const clock = clockOf(order);
  const due = dueOf(clock, nowMs);
  const changedAt = readsInternal(readerOf(caller), order) ? order.touched_at : order.updated_at;
  return {
    orderID: order.id,
    number: order.number,
    title: order.title,
    state: order.state,
    category: order.category,
    product: order.product,
    isUrgent: order.urgent,
    submitMs: order.asked_at.getTime(),
    updateMs: changedAt.getTime(),
    asker: order.asker_name,
    askerAccount: order.asker_account ?? '',
    askerOrganisation: order.asker_organisation ?? '',
    contact: order.contact,
    isOwn: order.asked_by === caller.actor.accountId,
    stationID: order.site_id ?? '',
    plantName: order.site_name ?? '',
    ianaTimezone: order.time_zone ?? '',
    deviceID: order.device_id ?? '',
    deviceSN: order.device_sn ?? '',
    deviceKind: order.device_kind,
    incidentID: order.incident_id ?? '',
    alarmCode: order.alarm_code,
    holderID: order.holder_id,
    holder: order.holder_name,
    assigneeID: order.assignee_id ?? '',
    assignee: order.assignee_name,
    isWaiting: order.waiting,
    dueMs: order.due_at?.getTime() ?? null,
    isLate: isOpen(order.state) && due.isLate && !due.isStill,
    answerDueMs: clock.answerDueMs,
    solutionDueMs: clock.solutionDueMs,
    answeredAtMs: clock.answeredAtMs,
    stillSinceMs: clock.stillSinceMs,
    stillMs: clock.stillMs,
    stars: order.stars,
    can: canOf(caller, order, nowMs),
  };
}

/** Orders in scope, for a page as for a file. */
export async function orderList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Asked<Calls['list']>,
  context: CallContext,
) {
  const now = nowMs();
  const { rows, total, end } = await ordersFound(db, askerOf(context, now), input);
  return {
    rows: rows.map((row) => toWorkOrderRow(row, context, now)),
    total: Math.min(total, MOST_ORDERS_COUNTED),
    end,
    isMore: total > MOST_ORDERS_COUNTED,
  };
}

export async function orderSummary(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: Parsed<Calls['summary']>,
  context: CallContext,
): Promise<Result<Calls['summary']>> {
  const asker = askerOf(context, nowMs());
  const [counts, next] = await Promise.all([countsOf(db, asker), dueNext(db, asker, MOST_NEXT)]);
  return {
    counts,
    next: next.map(({ id, number, title, state, due_at, name }) => ({
      orderID: id,
      number,
      title,
      plantName: name ?? '',
      state,
      dueMs: due_at?.getTime() ?? null,
    })),
  };
}

/** What can be asked about, by its names. */
export async function questionTypesFor(
  _: object,
  __: Parsed<Calls['questionTypes']>,
  { language }: Pick<CallContext, 'language'>,
): Promise<Result<Calls['questionTypes']>> {
  return {
    types: orderCategories.map((category) => ({
      category,
      name: phraseText(`work-orders.category.${category}`, language),
      answerWithinHours: dueHours[category].normal.answer,
      solvedWithinHours: dueHours[category].normal.solution,
    })),
    products: orderProducts.map((product) => ({
      product,
      name: phraseText(`work-orders.product.${product}`, language),
    })),
  };
}
