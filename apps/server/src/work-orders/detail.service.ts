import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { readerOf, readsInternal } from './internal.ts';
import type { Caller } from './order-rules.ts';
import { toWorkOrderRow } from './orders.service.ts';
import { type OrderFound, ordersById, organisationsOn } from './orders.store.ts';
import { sameNow } from './snapshot.ts';
import { heldValuesOf, internalEntries, type ThreadReader, threadPart, wayOf } from './thread.store.ts';

type Calls = typeof workOrderEndpoints;

const MOST_ENTRIES = 100;
const MOST_STEPS = 30;
/** Of the held values so many are compared with those of now. */
const MOST_COMPARED = 6;

const threadReader = (caller: Caller, order: OrderFound): ThreadReader => ({
  accountId: caller.actor.accountId,
  readsInternal: readsInternal(readerOf(caller), order),
});

/** All that the caller may know of an order. */
export async function orderDetail(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { id }: Parsed<Calls['detail']>,
  context: CallContext,
): Promise<Result<Calls['detail']>> {
  const { scope } = context;
  const [row] = await ordersById(db, scope, [id]);
  const order = found(row, 'workOrderNotFound');
  const now = nowMs();
  const reader = threadReader(context, order);
  const told = toWorkOrderRow(order, context, now);
  const about = { siteId: order.site_id, deviceId: order.device_id, alarmCode: order.alarm_code };
  const [part, internal, way, organisations, held] = await Promise.all([
    threadPart(db, id, reader, MOST_ENTRIES),
    reader.readsInternal ? internalEntries(db, id) : null,
    wayOf(db, id, MOST_STEPS),
    told.can.handUp || told.can.handDown ? organisationsOn(db, order.way) : [],
    heldValuesOf(db, id),
  ]);
  const at = organisations.findIndex(({ id: each }) => each === order.holder_id);
  const named = organisations.map(({ id: organisationID, name }) => ({ organisationID, name }));
  return {
    order: told,
    entries: part.entries,
    earlier: part.earlier,
    internal,
    way,
    above: told.can.handUp ? (named[at - 1] ?? null) : null,
    below: told.can.handDown ? named.slice(at + 1) : [],
    now: await sameNow(db, scope, about, held.slice(0, MOST_COMPARED), now),
  };
}

/** What comes before an entry of the thread. */
export async function orderThread(
  { db }: Uses<'db'>,
  { id, before }: Parsed<Calls['thread']>,
  context: CallContext,
): Promise<Result<Calls['thread']>> {
  const [row] = await ordersById(db, context.scope, [id]);
  const order = found(row, 'workOrderNotFound');
  return threadPart(db, id, threadReader(context, order), MOST_ENTRIES, before);
}
