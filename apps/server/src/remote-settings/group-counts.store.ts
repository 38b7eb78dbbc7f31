import { type Kysely, sql } from 'kysely';
import { deviceStateAt } from '../current-state/current-state.ts';
import type { Database } from '../stores/schema.ts';

/** What the device itself refused, or has otherwise than it was told. */
export const refusals = sql<number>`(count(*) filter (where d.was_sent and d.state in ('refused', 'differs')))::int`;

/** What a device has taken as it was told. */
export const taken = sql<number>`(count(*) filter (where d.was_sent and d.state = 'confirmed'))::int`;

/** Devices of a group by how they stand. */
export const counts = (db: Kysely<Database>) =>
  db
    .selectFrom('setting_group_devices as d')
    .where(sql<boolean>`d.group_id = setting_groups.id`)
    .select([
      sql<number>`count(*)::int`.as('total'),
      sql<number>`(count(*) filter (where d.state = 'waiting'))::int`.as('waiting'),
      sql<number>`(count(*) filter (where d.state = 'open'))::int`.as('underWay'),
      sql<number>`(count(*) filter (where d.state = 'confirmed'))::int`.as('confirmed'),
      sql<number>`(count(*) filter (where d.state in ('refused', 'differs', 'timedOut', 'expired')))::int`.as('failed'),
      sql<number>`(count(*) filter (where d.state = 'refused'))::int`.as('refused'),
      sql<number>`(count(*) filter (where d.state = 'differs'))::int`.as('differs'),
      sql<number>`(count(*) filter (where d.state = 'timedOut'))::int`.as('timedOut'),
      sql<number>`(count(*) filter (where d.state = 'expired'))::int`.as('expired'),
      sql<number>`(count(*) filter (where d.state = 'cancelled'))::int`.as('cancelled'),
      refusals.as('refusals'),
      taken.as('taken'),
    ]);

export interface GroupCounts {
  total: number;
  waiting: number;
  underWay: number;
  confirmed: number;
  failed: number;
  refused: number;
  differs: number;
  timedOut: number;
  expired: number;
  cancelled: number;
  refusals: number;
  taken: number;
}

export const counted = [
  'total',
  'waiting',
  'underWay',
  'confirmed',
  'failed',
  'refused',
  'differs',
  'timedOut',
  'expired',
  'cancelled',
  'refusals',
  'taken',
] as const;

/** Whose command waits for them to be there. */
export const away = (nowMs: number) => sql<number>`(select count(*)::int from setting_group_devices d
  join commands c on c.id = d.command_id
  join devices on devices.id = d.device_id
  join loggers on loggers.id = devices.logger_id
  where d.group_id = setting_groups.id and d.state = 'open' and c.state = 'queued' and ${deviceStateAt(nowMs)} = 'offline')`;
