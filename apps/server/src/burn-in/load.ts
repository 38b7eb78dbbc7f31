import { orderedPercent } from '@sonnenwarte/contract/burn-in/plan';
import { openCommandStates } from '@sonnenwarte/contract/commands/command';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { CommandChannel } from '../commands/orders.ts';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

/** The highest active power of the rating, percent. */
export const LIMIT = 'Setting/ActivePowerLimit';
const FULL = 100;
/** That one may give all again is told it whenever it comes back within this time. */
const RELEASE_MS = 12 * 3_600_000;
const LEAST_MS = 60_000;
const FIRST_PAUSE_MS = 60_000;
const MOST_PAUSE_MS = 3_600_000;
const AT_ONCE = 200;

const isOpen = (state: string | null): boolean => openCommandStates.some((open) => open === state);

/** After so many orders in vain it is tried again so much later. */
const pauseAfter = (tries: number): number => Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));

const toldUnits = (tx: Tx) =>
  tx
    .selectFrom('burn_in_units')
    .innerJoin('burn_in_runs', 'burn_in_runs.id', 'burn_in_units.run_id')
    .innerJoin('devices', 'devices.id', 'burn_in_units.device_id')
    .leftJoin('commands', 'commands.id', 'burn_in_units.load_command')
    .leftJoin('device_settings as limits', (join) =>
      join.onRef('limits.subject_id', '=', 'devices.id').on('limits.name', '=', LIMIT),
    )
    .select([
      'burn_in_units.run_id',
      'burn_in_units.position',
      'burn_in_units.told_percent',
      'burn_in_units.load_at',
      'burn_in_units.load_tries',
      'burn_in_units.releasing',
      'devices.id as device_id',
      'devices.logger_id',
      'devices.site_id',
      'commands.state as command_state',
      'commands.done_at',
      'limits.reported',
      'limits.reported_at',
      'limits.desired',
      'limits.desired_since',
      'limits.desired_source',
      // Somebody has ordered another limit since.
      sql<boolean>`exists (select from commands other where other.device_id = devices.id and other.kind = 'write'
        and jsonb_exists(other.content -> 'values', ${LIMIT}) and other.state in ('queued', 'sent', 'acknowledged')
        and other.id is distinct from burn_in_units.load_command and other.created_at >= burn_in_units.load_at)`.as(
        'is_other_ordered',
      ),
    ])
    .where('devices.deleted_at', 'is', null)
    .orderBy('devices.sn')
    .forUpdate('burn_in_units');
type Told = Awaited<ReturnType<ReturnType<typeof toldUnits>['execute']>>[number];

interface Giving {
  readonly percent: number;
  readonly nowMs: number;
  readonly expiresMs: number;
  readonly isRelease: boolean;
}

/** Orders a load of units, and keeps which command stands for it. At the end of a transaction. */
async function give(tx: Tx, commands: CommandChannel, units: readonly Told[], giving: Giving): Promise<void> {
  if (units.length === 0) return;
  const { percent, nowMs, expiresMs, isRelease } = giving;
  const ids = await commands.order(
    tx,
    units.map(({ device_id, logger_id }) => ({
      loggerID: logger_id,
      deviceID: device_id,
      kind: 'write',
      content: { values: { [LIMIT]: percent } },
      source: 'portal',
      orderedBy: null,
      expiresMs,
    })),
  );
  const rows = units.map(({ run_id, position, told_percent, load_tries, releasing }, place) => ({
    run_id,
    position,
    command: ids[place],
    told: isRelease ? told_percent : percent,
    tries: (isRelease ? releasing : told_percent === percent) ? load_tries + 1 : 0,
  }));
  await sql`update burn_in_units u set told_percent = told.told, load_command = told.command, load_tries = told.tries,
      load_at = ${new Date(nowMs)}, releasing = ${isRelease}
    from json_to_recordset(${JSON.stringify(rows)}::json) as told (run_id uuid, position int, command text, told int, tries int)
    where u.run_id = told.run_id and u.position = told.position`.execute(tx);
}

const isDue = ({ load_at, load_tries }: Told, nowMs: number): boolean =>
  nowMs >= (load_at?.getTime() ?? 0) + pauseAfter(load_tries);

/** Whether an inverter has not, or no more, the load that it was told. */
function isMissed(unit: Told, asked: number): boolean {
  const { command_state: state, reported, reported_at, done_at } = unit;
  if (state === null || isOpen(state)) return false;
  if (state !== 'confirmed') return true;
  return reported !== null && reported !== asked && reported_at !== null && done_at !== null && reported_at > done_at;
}

/** Tells units that are under way what a step asks for: each once, and again, ever more seldom, where it did not take it. At the end of a transaction. */
export async function giveStep(
  tx: Tx,
  commands: CommandChannel,
  runId: string,
  percent: number,
  { nowMs, endsMs }: { readonly nowMs: number; readonly endsMs: number },
): Promise<void> {
  const asked = orderedPercent(percent);
  const units = await toldUnits(tx)
    .where('burn_in_units.run_id', '=', runId)
    .where('burn_in_units.state', 'in', ['waiting', 'running'])
    .where('burn_in_runs.state', '=', 'running')
    .where('burn_in_runs.sets_load', '=', true)
    .where('devices.site_id', 'is', null)
    .execute();
  const due = units.filter((unit) => unit.told_percent !== asked || (isMissed(unit, asked) && isDue(unit, nowMs)));
  const expiresMs = Math.max(endsMs, nowMs + LEAST_MS);
  await give(tx, commands, due, { percent: asked, nowMs, expiresMs, isRelease: false });
}

/** Whether what a device is limited to is, as far as is known, what it was told for its run. */
function isOurs(unit: Told): boolean {
  const { desired, desired_source, desired_since, reported, reported_at, load_at, told_percent, command_state } = unit;
  if (reported !== null && reported === told_percent) return true;
  if (desired_source === 'portal') return reported === null || reported === desired;
  // It never was confirmed; it may have come all the same.
  const isSince = (at: Date | null): boolean => at !== null && load_at !== null && at > load_at;
  const isUncertain = command_state === null || command_state === 'timedOut' || isOpen(command_state);
  return isUncertain && !isSince(desired_since) && !isSince(reported_at);
}

/** Whether somebody else has limited a device since it was told that it may give all. */
function isOthers({ desired_source, desired_since, reported, reported_at, told_percent, load_at }: Told): boolean {
  const isSince = (at: Date | null): boolean => at !== null && load_at !== null && at > load_at;
  const isSet = desired_source !== null && desired_source !== 'portal' && isSince(desired_since);
  return isSet || (reported !== null && reported !== told_percent && isSince(reported_at));
}

/** What becomes of a unit that is over and was told a load. */
function releaseOf(unit: Told, nowMs: number): 'done' | 'order' | 'wait' {
  const { command_state: state, releasing, site_id, is_other_ordered, reported, reported_at, load_at } = unit;
  if (releasing) {
    if (state === 'confirmed') return 'done';
    if (reported === FULL && reported_at !== null && load_at !== null && reported_at >= load_at) return 'done';
    if (state !== null && isOpen(state)) return 'wait';
  }
  if (is_other_ordered) return 'wait';
  if (!releasing) return isOurs(unit) ? 'order' : 'done';
  if (isOthers(unit)) return 'done';
  // In somebody's plant it was told once; it is for people to see to the rest.
  return site_id === null && isDue(unit, nowMs) ? 'order' : 'wait';
}

/** Nothing stands any more of what units were told. */
const forget = (tx: Tx, units: readonly Pick<Told, 'run_id' | 'position'>[]) =>
  sql`update burn_in_units u set told_percent = null, load_command = null, load_at = null, load_tries = 0, releasing = false
    from json_to_recordset(${JSON.stringify(units)}::json) as told (run_id uuid, position int)
    where u.run_id = told.run_id and u.position = told.position`.execute(tx);

/**
 * Tells units that were told a load and are over that they may give all, until they have taken it. What somebody else has set them to since stays.
 * Answers whether anything is others now. At the end of a transaction.
 */
export async function giveBack(tx: Tx, commands: CommandChannel, nowMs: number): Promise<boolean> {
  const units = await toldUnits(tx)
    .where('burn_in_units.told_percent', 'is not', null)
    .where('burn_in_units.state', 'not in', ['waiting', 'running'])
    .execute();
  const ways = units.map((unit) => releaseOf(unit, nowMs));
  const done = units.filter((_, place) => ways[place] === 'done');
  if (done.length > 0)
    await forget(
      tx,
      done.map(({ run_id, position }) => ({ run_id, position })),
    );
  const due = units.filter((_, place) => ways[place] === 'order').slice(0, AT_ONCE);
  await give(tx, commands, due, { percent: FULL, nowMs, expiresMs: nowMs + RELEASE_MS, isRelease: true });
  return done.length > 0 || due.length > 0;
}

/** A person has seen to it that a unit may give all: false where nothing of it stood. */
export async function settleLoad(tx: Tx, runId: string, position: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('burn_in_units')
    .set({ told_percent: null, load_command: null, load_at: null, load_tries: 0, releasing: false })
    .where('run_id', '=', runId)
    .where('position', '=', position)
    .where('told_percent', 'is not', null)
    .where('state', 'not in', ['waiting', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether somebody has still to be told that it may give all. */
export const hasToldOnes = async (db: Kysely<Database>): Promise<boolean> =>
  (await db
    .selectFrom('burn_in_units')
    .innerJoin('devices', 'devices.id', 'burn_in_units.device_id')
    .select('burn_in_units.sn')
    .where('told_percent', 'is not', null)
    .where('burn_in_units.state', 'not in', ['waiting', 'running'])
    .where('devices.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
