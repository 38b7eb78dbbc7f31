import { MOST_RECORDINGS, type messages } from '@sonnenwarte/contract/test-log/test-log';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { dataloggerIsVisible, type Scope } from '../access/scope.ts';
import { visibleDevices } from '../device-rows/device-rows.store.ts';
import { type Asked, containing, pageOf } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;
type Input = Asked<typeof messages>;

/** What dataloggers say is the platform's alone to read, also of those that belong to no plant. */
const isPlatforms = (scope: Scope) => sql<SqlBool>`${scope.kind === 'all'}`;

const columns = [
  'id',
  'sn',
  'device_sn',
  'at',
  'direction',
  'kind',
  'size',
  'readable',
  'refused_for',
  'withheld',
] as const;

function matching(db: Db, scope: Scope, { content, direction, kind, refused, fromMs, toMs }: Input['condition']) {
  let query = db.selectFrom('recorded_messages').where(isPlatforms(scope));
  if (content !== '') {
    const pattern = containing(content);
    query = query.where((eb) => eb.or([eb('sn', 'ilike', pattern), eb('device_sn', 'ilike', pattern)]));
  }
  if (direction !== undefined) query = query.where('direction', '=', direction);
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (refused !== undefined) query = query.where('refused_for', refused === 'yes' ? '<>' : '=', '');
  if (fromMs !== undefined) query = query.where('at', '>=', new Date(fromMs));
  if (toMs !== undefined) query = query.where('at', '<', new Date(toMs));
  return query;
}

export const messagesOf = (db: Db, scope: Scope, { condition, sort, ...span }: Input, withBytes: boolean) =>
  pageOf(
    matching(db, scope, condition)
      .select(columns)
      .select(sql<Buffer>`${sql.raw(withBytes ? 'payload' : "''::bytea")}`.as('payload')),
    { key: sql`at`, apart: [sql`id`], order: sort.order, isKnown: true },
    span as Input,
  );

export type StoredMessage = Awaited<ReturnType<typeof messagesOf>>['rows'][number];

export const messageById = (db: Db, scope: Scope, id: number) =>
  db
    .selectFrom('recorded_messages')
    .select([...columns, 'payload'])
    .where('id', '=', String(id))
    .where(isPlatforms(scope))
    .executeTakeFirst();

/** All recordings, running ones first, then the newest; with the plant of their datalogger. */
export const recordingsNow = (db: Db, scope: Scope) =>
  db
    .selectFrom('message_recordings')
    .leftJoin('loggers', (join) =>
      join.onRef('loggers.sn', '=', 'message_recordings.sn').on('loggers.revoked_at', 'is', null),
    )
    .leftJoin('sites', 'sites.id', 'loggers.site_id')
    .selectAll('message_recordings')
    .select('sites.name as site_name')
    .where(isPlatforms(scope))
    .orderBy('message_recordings.ended_at', (order) => order.desc().nullsFirst())
    .orderBy('message_recordings.started_at', 'desc')
    .limit(2 * MOST_RECORDINGS)
    .execute();

export const visibleDatalogger = (db: Db, scope: Scope, sn: string) =>
  db
    .selectFrom('loggers')
    .select(['id', 'sn'])
    .where('sn', '=', sn)
    .where(dataloggerIsVisible(scope))
    .executeTakeFirst();

/** Holds off whoever else begins a recording at the same time. */
export const holdRecordings = (tx: Db) => sql`select pg_advisory_xact_lock(hashtext('message_recordings'))`.execute(tx);

/** The newest stay; what is running is never dropped. False where all are running. */
export async function makeRoom(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ id: string; running: boolean }>`
    select id, ended_at is null as running from message_recordings order by ended_at desc nulls first`.execute(tx);
  if (rows.length < MOST_RECORDINGS) return true;
  const dropped = rows.slice(MOST_RECORDINGS - 1).filter(({ running }) => !running);
  if (rows.length - dropped.length >= MOST_RECORDINGS) return false;
  await tx
    .deleteFrom('message_recordings')
    .where(
      'id',
      'in',
      dropped.map(({ id }) => id),
    )
    .execute();
  return true;
}

export const prolong = (tx: Db, sn: string, until: Date) =>
  tx
    .updateTable('message_recordings')
    .set({ until })
    .where('sn', '=', sn)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();

export const addRecording = (tx: Db, sn: string, until: Date, startedBy: string) =>
  tx
    .insertInto('message_recordings')
    .values({ sn, until, started_by: startedBy, ended_at: null, end_reason: null })
    .returning('id')
    .executeTakeFirstOrThrow();

export const stopRecording = (tx: Db, scope: Scope, id: string) =>
  tx
    .updateTable('message_recordings')
    .set({ ended_at: new Date(), end_reason: 'stopped' })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where(isPlatforms(scope))
    .returning('sn')
    .executeTakeFirst();

export const deleteRecording = (tx: Db, scope: Scope, id: string) =>
  tx
    .deleteFrom('message_recordings')
    .where('id', '=', id)
    .where(isPlatforms(scope))
    .returning(['sn', 'messages'])
    .executeTakeFirst();

/** The first battery in scope whose serial number contains a text. */
export const batteryBySn = (db: Db, scope: Scope, content: string) =>
  db
    .selectFrom('devices')
    .leftJoin('sites', 'sites.id', 'devices.site_id')
    .select([
      'devices.id',
      'devices.key',
      'devices.kind',
      'devices.sn',
      'sites.id as site_id',
      'sites.name as site_name',
    ])
    .where(visibleDevices(scope))
    .where('devices.kind', '=', 'battery')
    .where('devices.sn', 'ilike', containing(content))
    .orderBy(sql`length(devices.sn)`)
    .orderBy('devices.sn')
    .limit(1)
    .executeTakeFirst();
