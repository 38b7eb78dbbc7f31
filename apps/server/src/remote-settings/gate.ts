import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Kysely, Transaction } from 'kysely';
import { systemScope } from '../access/scope.ts';
import type { AuditSource } from '../audit/audit.ts';
import type { CommandChannel, CommandOrder } from '../commands/orders.ts';
import { CallError } from '../http/call-error.ts';
import type { Database } from '../stores/schema.ts';
import { fieldReason, type Obstacle, obstacleTo, refuse } from './checked-values.ts';
import { groundsOf, listed } from './grounds.ts';
import { type CommandRow, openCommands, waitingWrites } from './settings.store.ts';
import { holdSubjects, subjectsOf } from './subjects.store.ts';

type Values = Readonly<Record<string, SettingValue>>;

/** Open commands of a device or datalogger. */
export const MOST_OPEN = 20;

/** What a device is to be told. */
export interface Intent {
  readonly deviceID: string | null;
  readonly content: Pick<CommandOrder['content'], 'values'>;
}

interface Checked {
  readonly nowMs: number;
  /** Whether a setting that would have no effect is an obstacle; not for a plan, which is set as a whole. */
  readonly mindsBlocking?: boolean;
}

/**
 * What stands against values that a plan, a limit of a plant or another writer than the settings of a device itself orders, by device: the same as there, but
 * for the levels, since who may order such a thing is said of the plant.
 */
export async function obstaclesTo(
  db: Kysely<Database>,
  intents: readonly Intent[],
  { nowMs, mindsBlocking = false }: Checked,
): Promise<Map<string, Obstacle>> {
  const wanted = new Map(
    intents.flatMap(({ deviceID, content }) => (deviceID ? [[deviceID, content.values ?? {}]] : [])),
  );
  const subjects = await subjectsOf(db, systemScope, [...wanted.keys()], nowMs);
  const names = [...new Set([...wanted.values()].flatMap((values) => Object.keys(values)))];
  const grounds = await groundsOf(db, subjects, names, null);
  const obstacles = new Map<string, Obstacle>();
  for (const [id, values] of wanted) {
    const ground = grounds.get(id);
    const obstacle = ground && obstacleTo(listed(values), ground, { mindsBlocking });
    if (obstacle !== undefined) obstacles.set(id, obstacle);
  }
  return obstacles;
}

/** Two do not write the same setting at once: the later one would not know what it changes. */
export function holdAlone(names: readonly string[], open: readonly CommandRow[], accountId: string | null): void {
  const other = open.find(
    ({ kind, content, ordered_by: by }) =>
      kind === 'write' && by !== accountId && names.some((name) => content.values?.[name] !== undefined),
  );
  if (other === undefined) return;
  throw new CallError('settingBeingWritten', { by: other.by ?? '', sinceMs: other.created_at.getTime() });
}

export function holdToMost(open: readonly unknown[]): void {
  if (open.length >= MOST_OPEN) throw new CallError('tooManySettingCommands');
}

/** What somebody ordered to devices and was not sent yet, as far as it writes nothing but some settings, is taken back. */
export async function takeBackWaiting(
  tx: Transaction<Database>,
  commands: CommandChannel,
  { deviceIDs, names, orderedBy }: { deviceIDs: readonly string[]; names: readonly string[]; orderedBy?: string },
  from: AuditSource,
): Promise<void> {
  await commands.cancel(tx, await waitingWrites(tx, deviceIDs, names, orderedBy), from);
}

/**
 * Orders a write of somebody to a device through the gate: within the bounds of the device, in place of what the same person ordered before and is not
 * sent yet, not while somebody else writes one of the settings, and not beyond what may be open. To be called before anything is recorded in the
 * transaction, or after `holdSubjects` of the device. `pathOf` names the field of the call that a setting comes from.
 */
export async function orderThroughGate(
  tx: Transaction<Database>,
  commands: CommandChannel,
  order: CommandOrder,
  { nowMs, pathOf, from }: { nowMs: number; pathOf: (name: string) => string; from: AuditSource },
): Promise<string> {
  const id = order.deviceID ?? order.loggerID;
  await holdSubjects(tx, [id]);
  const obstacle = (await obstaclesTo(tx, [order], { nowMs, mindsBlocking: true })).get(id);
  if (obstacle !== undefined) refuseAt(obstacle, order.content.values ?? {}, pathOf);
  const names = Object.keys(order.content.values ?? {});
  holdAlone(names, await openCommands(tx, id), order.orderedBy);
  if (order.orderedBy !== null) {
    await takeBackWaiting(tx, commands, { deviceIDs: [id], names, orderedBy: order.orderedBy }, from);
  }
  holdToMost(await openCommands(tx, id));
  const [commandID = ''] = await commands.order(tx, [order], from);
  return commandID;
}

/** Refuses what an obstacle stands against, at the field of the call that it comes from. */
export function refuseAt(
  obstacle: Obstacle,
  values: Values,
  pathOf: (name: string, obstacle: Obstacle) => string,
): never {
  const { why, name, problem } = obstacle;
  if (why !== 'outOfRange' || problem === undefined) refuse(obstacle, listed(values));
  throw new CallError('refusedInput', { fields: [{ path: pathOf(name, obstacle), ...fieldReason(problem) }] });
}
