import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { CommandChannel } from '../commands/orders.ts';
import type { Database } from '../stores/schema.ts';

type Tx = Transaction<Database>;

/** The highest active power of the rating, percent. */
const LIMIT = 'Setting/ActivePowerLimit';
const FULL = 100;
/** That one may give all again is told it whenever it comes back within this time. */
const RELEASE_MS = 12 * 3_600_000;
const LEAST_MS = 60_000;

interface Told {
  readonly run_id: string;
  readonly position: number;
  readonly device_id: string;
  readonly logger_id: string;
}

const toldUnits = (tx: Tx) =>
  tx
    .selectFrom('burn_in_units')
    .innerJoin('burn_in_runs', 'burn_in_runs.id', 'burn_in_units.run_id')
    .innerJoin('devices', 'devices.id', 'burn_in_units.device_id')
    .select(['burn_in_units.run_id', 'burn_in_units.position', 'devices.id as device_id', 'devices.logger_id'])
    .where('devices.deleted_at', 'is', null)
    .orderBy('devices.sn')
    .forUpdate('burn_in_units');

async function give(
  tx: Tx,
  commands: CommandChannel,
  units: readonly Told[],
  percent: number,
  expiresMs: number,
  kept: number | null,
): Promise<void> {
  if (units.length === 0) return;
  await sql`update burn_in_units u set told_percent = ${kept}
    from json_to_recordset(${JSON.stringify(units)}::json) as told (run_id uuid, position int)
    where u.run_id = told.run_id and u.position = told.position`.execute(tx);
  await commands.order(
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
}

/** Tells units that are under way what a step asks for, each once. As the last statement of a transaction. */
export async function giveStep(
  tx: Tx,
  commands: CommandChannel,
  runId: string,
  percent: number,
  { nowMs, endsMs }: { readonly nowMs: number; readonly endsMs: number },
): Promise<void> {
  const asked = Math.min(FULL, Math.round(percent));
  const units = await toldUnits(tx)
    .where('burn_in_units.run_id', '=', runId)
    .where('burn_in_units.state', 'in', ['waiting', 'running'])
    .where('burn_in_runs.state', '=', 'running')
    .where('burn_in_runs.sets_load', '=', true)
    .where('devices.site_id', 'is', null)
    .where((eb) => eb.or([eb('told_percent', 'is', null), eb('told_percent', '!=', asked)]))
    .execute();
  await give(tx, commands, units, asked, Math.max(endsMs, nowMs + LEAST_MS), asked);
}

/** Tells units that were told a load and are over that they may give all. As the last statement of a transaction. */
export async function giveBack(tx: Tx, commands: CommandChannel, nowMs: number): Promise<void> {
  const units = await toldUnits(tx)
    .where('burn_in_units.told_percent', 'is not', null)
    .where('burn_in_units.state', 'not in', ['waiting', 'running'])
    .limit(200)
    .execute();
  await give(tx, commands, units, FULL, nowMs + RELEASE_MS, null);
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
