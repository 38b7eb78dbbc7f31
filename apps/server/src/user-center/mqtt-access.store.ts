import type { Kysely, Updateable } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

export const mqttAccessRow = (db: Db, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['client_id', 'api_mqtt_enable'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const updateMqttAccess = (
  db: Db,
  accountId: string,
  values: Pick<Updateable<Database['accounts']>, 'client_id' | 'api_mqtt_enable'>,
) =>
  db
    .updateTable('accounts')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', accountId)
    .execute();

/** Serial number of a datalogger in scope, always the same one. */
export async function someDatalogger(db: Db, scope: Scope): Promise<string | undefined> {
  const row = await db
    .selectFrom('loggers')
    .select('loggers.sn')
    .where(dataloggerIsVisible(scope))
    .orderBy('loggers.sn')
    .limit(1)
    .executeTakeFirst();
  return row?.sn;
}
