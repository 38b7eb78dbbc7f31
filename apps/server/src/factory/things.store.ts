import type { Kysely } from 'kysely';
import { dataloggerIsVisible, deviceIsVisible, type Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A device in scope, by whose plant it stands in. */
export const deviceThere = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('devices')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .select('sites.owner_account_id as owner')
    .where('devices.id', '=', id)
    .where(deviceIsVisible(scope))
    .executeTakeFirst();

export const dataloggerThere = (db: Db, scope: Scope, id: string) =>
  db
    .selectFrom('loggers')
    .select('loggers.id')
    .where('loggers.id', '=', id)
    .where(dataloggerIsVisible(scope))
    .executeTakeFirst();
