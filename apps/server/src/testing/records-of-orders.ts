import { randomUUID } from 'node:crypto';
import type { RecordPlaces, Whose } from './record-places.ts';

const HOUR_MS = 3_600_000;

/** An order about a plant: of an end user one that it asked itself, or that somebody else asked. */
export async function workOrderRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const siteId = at.site(user, whose);
  const { organisation_id } = await at.db
    .selectFrom('sites')
    .select('organisation_id')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const now = new Date();
  const { id } = await at.db
    .insertInto('work_orders')
    .values({
      title: 'Made',
      category: 'fault',
      product: 'inverter',
      organisation_id,
      holder_id: organisation_id,
      assignee_id: null,
      asked_by: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
      site_id: siteId,
      device_id: null,
      incident_id: null,
      alarm_code: null,
      asked_at: now,
      updated_at: now,
      touched_at: now,
      answer_due_at: new Date(now.getTime() + HOUR_MS),
      solution_due_at: new Date(now.getTime() + 2 * HOUR_MS),
      answered_at: null,
      still_since: null,
      solved_at: null,
      closed_at: null,
      stars: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A picture in the thread of such an order. */
export async function orderPictureRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  const order_id = await workOrderRecord(at, user, whose);
  const { id: entry_id } = await at.db
    .insertInto('work_order_entries')
    .values({ order_id, at: new Date(), kind: 'message', account_id: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return pictureRecord(at, { order_id, entry_id, account_id: null });
}

/** A picture that an account has sent and not used. */
export const unusedPictureRecord = async (at: RecordPlaces, user: string, whose: Whose): Promise<string> =>
  pictureRecord(at, {
    order_id: null,
    entry_id: null,
    account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
  });

async function pictureRecord(
  { db }: RecordPlaces,
  of: { order_id: string | null; entry_id: string | null; account_id: string | null },
): Promise<string> {
  const { id } = await db
    .insertInto('work_order_pictures')
    .values({ ...of, sent_at: new Date(), width: 1, height: 1, content: Buffer.of(0xff, 0xd8), thumb: Buffer.of(0xff) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function answerTemplateRecord(at: RecordPlaces, user: string, whose: Whose): Promise<string> {
  if (at.hides(user, whose)) return randomUUID();
  const { id } = await at.db
    .insertInto('answer_templates')
    .values({ organisation_id: await at.ownOrganisation(user, whose), name: 'Made', text: 'Made' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
