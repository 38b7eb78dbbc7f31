import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { clockFrom } from '@sonnenwarte/contract/work-orders/due-times';
import { MOST_ORDERS_A_DAY, type workOrderEndpoints } from '@sonnenwarte/contract/work-orders/work-orders';
import { recordAudit } from '../audit/audit.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { heldOrder, ordersAskedSince, personById, tellOrders, writeEntry } from './acts.store.ts';
import { usePictures } from './pictures.store.ts';
import { type AskedAbout, valuesNow } from './snapshot.ts';
import {
  categoryOf,
  devicesToChoose,
  isSiteInScope,
  isUrgent,
  productOf,
  type Subject,
  sitesToChoose,
  subjectOf,
} from './subject.ts';
import { tellPeople } from './told-to-people.ts';

type Calls = typeof workOrderEndpoints;
type Used = Uses<'db' | 'nowMs'>;

const DAY_MS = 86_400_000;

const aboutOf = ({ site, device, incident }: Subject): AskedAbout => ({
  siteId: site?.id ?? null,
  deviceId: device?.id ?? null,
  alarmCode: incident?.code ?? null,
});

/** Opens an order with what was said, the pictures, and the values of that moment. */
export async function createOrder(
  { db, nowMs }: Used,
  { title, category, product, text, contact, pictureIDs = [], ...named }: Parsed<Calls['create']>,
  context: CallContext,
): Promise<Result<Calls['create']>> {
  const { actor, scope } = context;
  const subject = await subjectOf(db, scope, named);
  const now = nowMs();
  const values = await valuesNow(db, scope, aboutOf(subject), now);
  return inTransaction(db, async (tx) => {
    if ((await ordersAskedSince(tx, actor.accountId, new Date(now - DAY_MS))) >= MOST_ORDERS_A_DAY)
      throw new CallError('tooManyWorkOrders');
    const by = await personById(tx, actor.accountId);
    const at = new Date(now);
    const clock = clockFrom(category, isUrgent(subject), now);
    const organisationId = subject.site?.organisationId ?? actor.organisationID;
    const { id, number } = await tx
      .insertInto('work_orders')
      .values({
        title,
        category,
        product,
        urgent: isUrgent(subject),
        organisation_id: organisationId,
        holder_id: organisationId,
        assignee_id: null,
        asked_by: actor.accountId,
        contact: contact ?? by.contact,
        site_id: subject.site?.id ?? null,
        device_id: subject.device?.id ?? null,
        incident_id: subject.incident?.id ?? null,
        alarm_code: subject.incident?.code ?? null,
        asked_at: at,
        updated_at: at,
        touched_at: at,
        answer_due_at: new Date(clock.answerDueMs),
        solution_due_at: new Date(clock.solutionDueMs),
        answered_at: null,
        still_since: null,
        solved_at: null,
        closed_at: null,
        stars: null,
      })
      .returning(['id', 'number'])
      .executeTakeFirstOrThrow();
    const entryId = await writeEntry(tx, {
      orderId: id,
      at,
      kind: 'opened',
      by,
      isAsker: true,
      text,
      state: 'turnedOn',
    });
    if (values.length > 0) await writeEntry(tx, { orderId: id, at, kind: 'snapshot', values });
    await usePictures(tx, actor.accountId, pictureIDs, { orderId: id, entryId });
    await tellOrders(tx);
    await tellPeople(tx, { orderId: id, event: 'created', byAccountId: actor.accountId }, { title, number, at });
    const order = await heldOrder(tx, scope, id);
    await recordAudit(tx, context, {
      log: 'operation',
      action: 'work-orders.create',
      recordKind: 'workOrder',
      recordId: id,
      recordName: number,
      organisationPath: order?.way ?? [],
      after: { title, category, product },
    });
    return { orderID: id, number };
  });
}

/** What an order would begin with. */
export async function orderSubject(
  { db, nowMs }: Used,
  named: Parsed<Calls['subject']>,
  { actor, scope }: CallContext,
): Promise<Result<Calls['subject']>> {
  const subject = await subjectOf(db, scope, named);
  const { site, device, incident } = subject;
  const [values, by] = await Promise.all([
    valuesNow(db, scope, aboutOf(subject), nowMs()),
    personById(db, actor.accountId),
  ]);
  return {
    stationID: site?.id ?? '',
    plantName: site?.name ?? '',
    ianaTimezone: site?.timeZone ?? '',
    deviceID: device?.id ?? '',
    deviceSN: device?.sn ?? '',
    deviceKind: device?.kind ?? null,
    incidentID: incident?.id ?? '',
    alarmCode: incident?.code ?? null,
    isUrgent: isUrgent(subject),
    category: categoryOf(subject),
    product: productOf(subject),
    values,
    asker: by.name,
    askerOrganisation: by.organisation,
    contact: by.contact,
  };
}

export async function orderPlants(
  { db }: Uses<'db'>,
  asked: Parsed<Calls['plants']>,
  { scope }: Scoped,
): Promise<Result<Calls['plants']>> {
  const sites = await sitesToChoose(db, scope, asked, MOST_CHOICES);
  return { choices: sites.map(({ id, name, city }) => ({ id, name, detail: city })) };
}

export async function orderDevices(
  { db }: Uses<'db'>,
  { stationID, ...asked }: Parsed<Calls['devices']>,
  { scope }: Scoped,
): Promise<Result<Calls['devices']>> {
  if (!(await isSiteInScope(db, scope, stationID))) throw new CallError('siteNotFound');
  const devices = await devicesToChoose(db, scope, stationID, asked, MOST_CHOICES);
  return { choices: devices.map(({ id, sn, model }) => ({ id, name: sn, detail: model })) };
}
