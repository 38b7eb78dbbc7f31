import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { WorkOrderRow } from '@sonnenwarte/contract/work-orders/work-order';
import type { workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import type { Transaction } from 'kysely';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { heldOrder, type Person, peopleToChoose, personById, personOfHolder, writeEntry } from './acts.store.ts';
import { applyChange, type Change } from './changes.ts';
import { canOf, isAsker } from './order-rules.ts';
import { type OrderFound, ordersById, organisationsOn } from './orders.store.ts';
import { usePictures } from './pictures.store.ts';

type Calls = typeof workOrderEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Tx = Transaction<Database>;

interface Held {
  readonly tx: Tx;
  readonly order: OrderFound;
  readonly by: Person;
  readonly can: WorkOrderRow['can'];
  readonly nowMs: number;
  readonly apply: (change: Change) => Promise<string>;
}

/** Works on an order in scope that nobody else changes meanwhile. */
function onOrder({ db, nowMs }: Used, context: CallContext, id: string, work: (held: Held) => Promise<unknown>) {
  return inTransaction(db, async (tx) => {
    const order = found(await heldOrder(tx, context.scope, id), 'workOrderNotFound');
    const by = await personById(tx, context.actor.accountId);
    const now = nowMs();
    const apply = (change: Change) => applyChange(tx, order, by, change, now, context);
    await work({ tx, order, by, can: canOf(context, order, now), nowMs: now, apply });
    return {};
  });
}

/** What is not the caller's to do, or not in the state that the order has by now. */
function mustBe(allowed: boolean): void {
  if (!allowed) throw new CallError('workOrderElsewhere');
}

const WRITTEN_IN_MS = 10 * 60_000;
/** What is written, of whatever order, is told to people; who answers many of them writes more. */
const byEndUser: Rate = { kind: 'work-orders.write', most: 20, windowMs: WRITTEN_IN_MS };
const byOperator: Rate = { ...byEndUser, most: 120 };

/** The same for what everybody may write, and so as often as they like. */
async function writeOn(used: Used, context: CallContext, id: string, work: (held: Held) => Promise<unknown>) {
  const { level, accountId } = context.actor;
  const retryAfterMs = await takeOf(used.db, level === LEVEL.endUser ? byEndUser : byOperator, accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  return onOrder(used, context, id, work);
}

/** Taken up by whoever is given it, answers it or takes it. */
const begun = ({ state }: OrderFound) => (state === 'turnedOn' ? ({ move: 'begin' } as const) : {});

export const writeMessage = (
  used: Used,
  { id, text, internal = false, waits = false, pictureIDs = [] }: Parsed<Calls['message']>,
  context: CallContext,
): Promise<Result<Calls['message']>> =>
  writeOn(used, context, id, async ({ tx, order, can, apply }) => {
    if (text === '' && pictureIDs.length === 0) {
      throw new CallError('refusedInput', { fields: [{ path: 'text', reason: 'required', params: {} }] });
    }
    mustBe(internal ? can.note : can.answer);
    const asks = isAsker(context, order);
    // Whoever asked writes an answer to nobody, also where it works on orders itself; nor do those for whom it asked.
    const answers = !internal && !asks && (can.note || can.work);
    await apply({
      action: internal ? 'work-orders.note' : 'work-orders.answer',
      entry: { kind: internal ? 'note' : 'message', internal, text },
      answers,
      ...(answers && begun(order)),
      ...(answers && waits && can.work && { waiting: true }),
      ...(!internal && asks && { waiting: false }),
      besides: (entryId) => usePictures(tx, context.actor.accountId, pictureIDs, { orderId: order.id, entryId }),
    });
  });

export const beginOrder = (used: Used, { id }: Parsed<Calls['begin']>, context: CallContext) =>
  onOrder(used, context, id, async ({ order, by, can, apply }) => {
    mustBe(can.begin);
    await apply({
      action: 'work-orders.begin',
      entry: { kind: 'begun', to: by.name },
      ...begun(order),
      set: { assignee_id: by.accountId },
    });
  });

/** To somebody of the organisation that has it. */
export const assignOrder = (used: Used, { id, accountID }: Parsed<Calls['assign']>, context: CallContext) =>
  onOrder(used, context, id, async ({ tx, order, can, apply }) => {
    mustBe(can.work);
    if (accountID === order.assignee_id) return;
    const person = accountID === null ? undefined : await personOfHolder(tx, context.scope, order.holder_id, accountID);
    if (accountID !== null && person === undefined) throw new CallError('assigneeNotOfHolder');
    await apply({
      action: 'work-orders.assign',
      entry: { kind: person === undefined ? 'unassigned' : 'assigned', to: person?.name },
      ...(person !== undefined && begun(order)),
      set: { assignee_id: accountID },
      after: { assignee: person?.username ?? '' },
    });
  });

/** Another organisation has it from now on. What is said to those who take over is internal, unless who asked says it. */
async function handTo(
  { tx, order, by, nowMs, apply }: Held,
  way: 'handUp' | 'handDown',
  to: { readonly id: string; readonly name: string },
  text: string,
): Promise<void> {
  const isAsker = by.accountId === order.asked_by;
  const internal = !isAsker;
  const kind = internal ? 'note' : 'message';
  const word = { orderId: order.id, at: new Date(nowMs), kind, by, isAsker, internal, text } as const;
  await apply({
    action: `work-orders.${way}`,
    entry: { kind: way === 'handUp' ? 'handedUp' : 'handedDown', to: to.name },
    move: way,
    set: { holder_id: to.id, assignee_id: null },
    after: { holder: to.name },
    ...(text !== '' && { besides: () => writeEntry(tx, word) }),
  });
}

export const handOrderUp = (used: Used, { id, text = '' }: Parsed<Calls['handUp']>, context: CallContext) =>
  onOrder(used, context, id, async (held) => {
    const { tx, order, can } = held;
    mustBe(can.work);
    const above = (await organisationsOn(tx, order.holder_path.slice(0, -1))).at(-1);
    if (above === undefined) throw new CallError('workOrderAtTop');
    await handTo(held, 'handUp', above, text);
  });

export const handOrderDown = (
  used: Used,
  { id, organisationID, text = '' }: Parsed<Calls['handDown']>,
  context: CallContext,
) =>
  onOrder(used, context, id, async (held) => {
    const { tx, order, can } = held;
    mustBe(can.work);
    const below = order.way.slice(order.way.indexOf(order.holder_id) + 1);
    const to = (await organisationsOn(tx, below)).find((each) => each.id === organisationID);
    if (to === undefined) throw new CallError('workOrderNotBelow');
    await handTo(held, 'handDown', to, text);
  });

export const setWaiting = (used: Used, { id, waits }: Parsed<Calls['wait']>, context: CallContext) =>
  onOrder(used, context, id, async ({ order, can, apply }) => {
    mustBe(can.work);
    if (order.waiting === waits) return;
    await apply({ action: 'work-orders.wait', entry: { kind: waits ? 'waiting' : 'resumed' }, waiting: waits });
  });

export const solveOrder = (used: Used, { id, text }: Parsed<Calls['solve']>, context: CallContext) =>
  onOrder(used, context, id, async ({ can, apply }) => {
    mustBe(can.solve);
    await apply({ action: 'work-orders.solve', entry: { kind: 'solved', text }, move: 'solve', answers: true });
  });

export const closeOrder = (used: Used, { id, text = '' }: Parsed<Calls['close']>, context: CallContext) =>
  writeOn(used, context, id, async ({ can, apply }) => {
    mustBe(can.close);
    await apply({ action: 'work-orders.close', entry: { kind: 'closed', text }, move: 'close' });
  });

export const reopenOrder = (used: Used, { id, text }: Parsed<Calls['reopen']>, context: CallContext) =>
  writeOn(used, context, id, async ({ order, can, apply }) => {
    if (!can.reopen && order.closed_at !== null) throw new CallError('workOrderTooLate');
    mustBe(can.reopen);
    await apply({ action: 'work-orders.reopen', entry: { kind: 'reopened', text }, move: 'reopen' });
  });

export const rateOrder = (used: Used, { id, stars, text = '' }: Parsed<Calls['rate']>, context: CallContext) =>
  onOrder(used, context, id, async ({ order, can, apply }) => {
    mustBe(can.rate);
    await apply({
      action: 'work-orders.rate',
      entry: { kind: 'rated', text, stars },
      ...(order.state === 'solved' && { move: 'close' as const }),
      set: { stars },
      after: { stars },
    });
  });

export async function orderAssignees(
  { db }: Uses<'db'>,
  { search, ids, orderID }: Parsed<Calls['assignees']>,
  { scope }: Scoped,
): Promise<Result<Calls['assignees']>> {
  const [order] = await ordersById(db, scope, [orderID]);
  const { holder_id, holder_name } = found(order, 'workOrderNotFound');
  const people = await peopleToChoose(db, scope, holder_id, { search, ids }, MOST_CHOICES);
  return { choices: people.map(({ id, name }) => ({ id, name, detail: holder_name })) };
}
