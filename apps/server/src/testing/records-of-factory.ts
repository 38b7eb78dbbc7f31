import { randomUUID } from 'node:crypto';
import type { RecordPlaces, Whose } from './record-places.ts';

/** What a factory made is all of the platform's: a stranger's is none. */
export const manufacturerRecord = async ({ db }: RecordPlaces): Promise<string> =>
  (
    await db
      .insertInto('manufacturers')
      .values({ name: `Made ${randomUUID()}` })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export async function deviceBatchRecord(at: RecordPlaces): Promise<string> {
  const { id } = await at.db
    .insertInto('device_batches')
    .values({ manufacturer_id: await manufacturerRecord(at), number: 'Made', kind: 'inverter', model: 'Made' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deliveredUnitRecord(at: RecordPlaces): Promise<string> {
  const sn = randomUUID().replaceAll('-', '').toUpperCase();
  await at.db
    .insertInto('delivered_units')
    .values({ sn, batch_id: await deviceBatchRecord(at), model: 'Made' })
    .execute();
  return sn;
}

export const modelWarrantyRecord = async ({ db }: RecordPlaces): Promise<string> =>
  (
    await db
      .insertInto('model_warranties')
      .values({ model: `Made ${randomUUID()}`, months: 24, begins: 'delivery' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** A file that an account has had read. */
export const unitImportRecord = async (at: RecordPlaces, user: string, whose: Whose): Promise<string> =>
  (
    await at.db
      .insertInto('unit_imports')
      .values({
        account_id: whose === 'own' ? await at.accountId(user) : await at.someoneElse(user),
        batch_id: await deviceBatchRecord(at),
        read_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
