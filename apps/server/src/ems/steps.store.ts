import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { DispatchReason, dispatches, dispatchFields } from '@sonnenwarte/contract/ems/ems';
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../access/scope.ts';
import { visibleSites } from '../sites/sites.store.ts';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

const AT_ONCE = 5_000;

export interface Step {
  deviceId: string;
  reason: DispatchReason;
  gridW: number | null;
  capW: number | null;
  /** Of what is sold. */
  fromPercent?: number | null;
  toPercent?: number;
  /** Of what is bought. */
  fromW?: number | null;
  toW?: number;
  commandId: string;
}

export const noteSteps = async (db: Db, siteId: string, atMs: number, steps: readonly Step[]): Promise<void> => {
  if (steps.length === 0) return;
  await db
    .insertInto('dispatches')
    .values(
      steps.map((step) => ({
        site_id: siteId,
        device_id: step.deviceId,
        at: new Date(atMs),
        reason: step.reason,
        grid_w: step.gridW,
        cap_w: step.capW,
        from_percent: step.fromPercent ?? null,
        to_percent: step.toPercent ?? null,
        from_w: step.fromW ?? null,
        to_w: step.toW ?? null,
        command_id: step.commandId,
      })),
    )
    .execute();
};

const steps = (db: Db) =>
  db
    .selectFrom('dispatches')
    .innerJoin('devices', 'devices.id', 'dispatches.device_id')
    .innerJoin('sites', 'sites.id', 'dispatches.site_id')
    .leftJoin('commands', 'commands.id', 'dispatches.command_id')
    .select([
      'dispatches.id',
      'dispatches.at',
      'dispatches.device_id as deviceId',
      'devices.sn',
      'dispatches.reason',
      'dispatches.grid_w as gridW',
      'dispatches.cap_w as capW',
      'dispatches.from_percent as fromPercent',
      'dispatches.to_percent as toPercent',
      'dispatches.from_w as fromW',
      'dispatches.to_w as toW',
      'commands.state',
      'sites.time_zone as timeZone',
    ]);
export type DispatchRow = Awaited<ReturnType<ReturnType<typeof steps>['executeTakeFirstOrThrow']>>;

const sortKeys: SortKeys<typeof dispatchFields> = {
  atMs: sql`dispatches.at`,
  deviceSN: sql`devices.sn`,
  toPercent: sql`dispatches.to_percent`,
  toW: sql`dispatches.to_w`,
  reason: sql`dispatches.reason`,
  gridW: sql`dispatches.grid_w`,
  capW: sql`dispatches.cap_w`,
};

/** Steps at the plants in scope. */
export function stepsInScope(db: Db, scope: Scope, { condition, sort, ...span }: Asked<typeof dispatches>) {
  let query = steps(db).where(visibleSites(scope));
  if (condition.stationID !== undefined) query = query.where('dispatches.site_id', '=', condition.stationID);
  if (condition.content !== '') query = query.where('devices.sn', 'ilike', containing(condition.content));
  const isKnown = sort.field === 'atMs' || sort.field === 'deviceSN' || sort.field === 'reason';
  return pageOf(query, { key: sortKeys[sort.field], apart: [sql`dispatches.id`], order: sort.order, isKnown }, span);
}

/** The newest step for what is sold, or for what is bought. */
export const lastStep = (db: Db, siteId: string, of: 'sold' | 'bought') =>
  steps(db)
    .where('dispatches.site_id', '=', siteId)
    .where(of === 'sold' ? 'dispatches.to_percent' : 'dispatches.to_w', 'is not', null)
    .orderBy('dispatches.at', 'desc')
    .orderBy('dispatches.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Takes away what is older, a part at a time; true while there may be more. */
export async function forgetSteps(db: Db, beforeMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('dispatches')
    .where('id', 'in', (eb) =>
      eb.selectFrom('dispatches').select('id').where('at', '<', new Date(beforeMs)).orderBy('at').limit(AT_ONCE),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}

/**
 * Takes away orders of the controller that are older and over, with the changes that they made, a part at a time; true
 * while there may be more. What people, plans and devices changed stays.
 */
export async function forgetOrders(db: Db, beforeMs: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .with('old', (qb) =>
      qb
        .selectFrom('commands')
        .select('id')
        .where('source', '=', 'ems')
        .where('created_at', '<', new Date(beforeMs))
        .where('state', 'not in', openCommandStates)
        .orderBy('created_at')
        .limit(AT_ONCE),
    )
    .with('changes', (qb) =>
      qb.deleteFrom('setting_changes').where('command_id', 'in', (eb) => eb.selectFrom('old').select('old.id')),
    )
    .deleteFrom('commands')
    .where('id', 'in', (eb) => eb.selectFrom('old').select('old.id'))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows) === AT_ONCE;
}
