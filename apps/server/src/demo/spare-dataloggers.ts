import type { Kysely, Transaction } from 'kysely';
import { type KnownDatalogger, noteDataloggers } from '../datalogger-keys/datalogger-keys.store.ts';
import type { Database } from '../stores/schema.ts';
import { demoOrganisationId } from './tenancy.ts';

/** Dataloggers on nobody's roof, so that a plant can be added: with a key as it is printed on a device, or imported by the installer. */
export const spareDataloggers: readonly KnownDatalogger[] = [
  { sn: '302609010000131', key: 'SUNN-YR00-F131', organisationID: null },
  { sn: '302609010000132', key: 'SUNN-YR00-F132', organisationID: null },
  { sn: '302609010000133', key: 'SUNN-YR00-F133', organisationID: null },
  { sn: '302609010000134', key: undefined, organisationID: demoOrganisationId('installer') },
  { sn: '302609010000135', key: undefined, organisationID: demoOrganisationId('installer') },
];

const serialNumbers = spareDataloggers.map(({ sn }) => sn);

export const seedSpareDataloggers = (db: Kysely<Database>): Promise<void> => noteDataloggers(db, spareDataloggers);

/** They are connected and wait in quarantine until somebody links them. */
export async function seedQuarantine(db: Kysely<Database>): Promise<void> {
  await db
    .insertInto('loggers')
    .values(serialNumbers.map((sn) => ({ sn, quarantined: true })))
    .onConflict((conflict) => conflict.column('sn').doNothing())
    .execute();
}

/** Removes them wherever they are by now; answers the keys of their devices. */
export async function removeSpareDataloggers(tx: Transaction<Database>): Promise<number[]> {
  await tx.deleteFrom('logger_keys').where('sn', 'in', serialNumbers).execute();
  const removed = await tx
    .deleteFrom('devices')
    .where('logger_id', 'in', (eb) => eb.selectFrom('loggers').select('id').where('sn', 'in', serialNumbers))
    .returning('key')
    .execute();
  await tx.deleteFrom('loggers').where('sn', 'in', serialNumbers).execute();
  return removed.map(({ key }) => key);
}
