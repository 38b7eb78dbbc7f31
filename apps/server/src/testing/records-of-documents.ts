import { randomUUID } from 'node:crypto';
import type { RecordPlaces, Whose } from './record-places.ts';

/** The smallest file that is a PDF by its content. */
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

async function madeDocument({ db }: RecordPlaces, accountId: string | null, listedAt: Date | null): Promise<string> {
  const { id } = await db
    .insertInto('documents')
    .values({
      account_id: accountId,
      sent_at: new Date(),
      listed_at: listedAt,
      bytes: pdf.length,
      name: 'Made',
      product: 'inverter',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('document_parts').values({ document_id: id, place: 0, content: pdf }).execute();
  return id;
}

/** Documents are all of the platform's: a stranger's is none. */
export const documentRecord = (at: RecordPlaces): Promise<string> => madeDocument(at, null, new Date());

/** A file that an account has uploaded and that is no document yet. */
export const uploadedDocumentRecord = async (at: RecordPlaces, user: string, whose: Whose): Promise<string> =>
  madeDocument(at, whose === 'own' ? await at.accountId(user) : await at.someoneElse(user), null);

/** Brands are all of the platform's: a stranger's is none. */
export async function brandRecord({ db }: RecordPlaces): Promise<string> {
  const { id } = await db
    .insertInto('brands')
    .values({
      name: 'Made',
      domain: `${randomUUID()}.example`,
      organisation_id: null,
      logo: null,
      updated_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
