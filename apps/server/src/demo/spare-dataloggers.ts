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

export const seedSpareDataloggers = (db: Kysely<Database>): Promise<void> => noteDataloggers(db, spareDataloggers);

export const removeSpareDataloggers = (tx: Transaction<Database>) =>
  tx
    .deleteFrom('logger_keys')
    .where(
      'sn',
      'in',
      spareDataloggers.map(({ sn }) => sn),
    )
    .execute();
