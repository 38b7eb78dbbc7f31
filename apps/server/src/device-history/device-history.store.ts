import type { AttachedKind } from '@sonnenwarte/device-protocol/points/points';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { joinedDevices, visibleDevices } from '../device-rows/device-rows.store.ts';
import type { Database } from '../stores/schema.ts';

export interface ClearableDevice {
  readonly id: string;
  readonly sn: string;
  readonly key: number;
  readonly kind: AttachedKind;
  readonly siteName: string | null;
  readonly timeZone: string | null;
  readonly path: string[];
  /** Corrections by hand that stand. */
  readonly corrections: number;
}

const clearable = (db: Kysely<Database>, scope: Scope, id: string) =>
  joinedDevices(db)
    .where(visibleDevices(scope))
    .where('devices.id', '=', id)
    .select(['devices.id', 'devices.sn', 'devices.key', 'devices.kind'])
    .select(['sites.name as siteName', 'sites.time_zone as timeZone'])
    .select([
      sql<string[]>`coalesce((select path::text[] from organisations
        where organisations.id = coalesce(sites.organisation_id, loggers.organisation_id)), '{}')`.as('path'),
      sql<number>`(select count(*)::int from device_corrections
        where device_corrections.device_id = devices.id and undone_at is null)`.as('corrections'),
    ]);

/** A device in scope. */
export const clearableDevice = (db: Kysely<Database>, scope: Scope, id: string): Promise<ClearableDevice | undefined> =>
  clearable(db, scope, id).executeTakeFirst();

/** The same, held until the transaction ends. */
export const holdClearableDevice = (
  tx: Kysely<Database>,
  scope: Scope,
  id: string,
): Promise<ClearableDevice | undefined> => clearable(tx, scope, id).forUpdate('devices').executeTakeFirst();
