import type { CorrectionRow } from '@sonnenwarte/contract/data-repair/corrections';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Scope, siteIsVisible } from '../access/scope.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const standing = (db: Db, scope: Scope, siteId: string) =>
  db
    .selectFrom('device_corrections')
    .innerJoin('devices', 'devices.id', 'device_corrections.device_id')
    .innerJoin('sites', 'sites.id', 'devices.site_id')
    .where(siteIsVisible(scope))
    .where('sites.id', '=', siteId)
    .where('devices.deleted_at', 'is', null)
    .where('undone_at', 'is', null);

/** Corrections of a plant that stand, the newest span first; of one device alone, those that touch a span. */
export async function correctionRows(
  db: Db,
  scope: Scope,
  siteId: string,
  of?: { deviceId: string; channel: string; fromMs: number; toMs: number },
): Promise<CorrectionRow[]> {
  let query = standing(db, scope, siteId).selectAll('device_corrections').select('devices.sn');
  if (of !== undefined) {
    query = query
      .where('device_id', '=', of.deviceId)
      .where('channel', '=', of.channel as CorrectionRow['channel'])
      .where('from_at', '<', new Date(of.toMs))
      .where('to_at', '>', new Date(of.fromMs));
  }
  const rows = await query.orderBy('from_at', 'desc').limit(MOST_CORRECTIONS).execute();
  return rows.map((row) => ({
    correctionID: row.id,
    deviceID: row.device_id,
    deviceSN: row.sn,
    channel: row.channel as CorrectionRow['channel'],
    fromMs: row.from_at.getTime(),
    toMs: row.to_at.getTime(),
    way: row.way,
    formerWh: row.former_wh,
    energyWh: row.parts_wh === null ? null : row.parts_wh.reduce((sum, wh) => sum + wh, 0),
    days: row.days,
    reason: row.reason,
    madeAtMs: row.made_at.getTime(),
    company: row.made_by_company,
  }));
}

const MOST_CORRECTIONS = 200;

/** How many corrections of a device stand. */
export async function countCorrections(db: Db, deviceId: string): Promise<number> {
  const rows = db.selectFrom('device_corrections').where('device_id', '=', deviceId).where('undone_at', 'is', null);
  const { count } = await rows.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return count;
}

type NewCorrection = Omit<Database['device_corrections'], 'id' | 'made_at' | 'undone_at' | 'days' | 'cleared_by'> & {
  days: CorrectionRow['days'];
};

export async function insertCorrection(tx: Transaction<Database>, correction: NewCorrection): Promise<number> {
  const { id } = await tx
    .insertInto('device_corrections')
    .values({ ...correction, days: JSON.stringify(correction.days) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Takes back a correction of a plant; undefined where none of that number stands. */
export async function undoCorrection(tx: Transaction<Database>, siteId: string, id: number, at: Date) {
  return tx
    .updateTable('device_corrections')
    .from('devices')
    .set({ undone_at: at })
    .whereRef('devices.id', '=', 'device_corrections.device_id')
    .where('devices.site_id', '=', siteId)
    .where('device_corrections.id', '=', id)
    .where('undone_at', 'is', null)
    .returning(['devices.sn', 'channel', 'from_at', 'to_at', 'way', 'reason'])
    .executeTakeFirst();
}

export async function companyOf(db: Db, organisationId: string): Promise<string> {
  const row = await db.selectFrom('organisations').select('name').where('id', '=', organisationId).executeTakeFirst();
  return row?.name ?? '';
}

/** Models of the devices of a plant, by id. The plant is one that the caller may see. */
export async function devicesCalled(db: Db, siteId: string): Promise<Map<string, string>> {
  const rows = await db.selectFrom('devices').select(['id', 'model']).where('site_id', '=', siteId).execute();
  return new Map(rows.map(({ id, model }) => [id, model]));
}

export async function plantName(db: Db, siteId: string): Promise<string> {
  return (await db.selectFrom('sites').select('name').where('id', '=', siteId).executeTakeFirstOrThrow()).name;
}
