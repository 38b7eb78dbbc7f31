import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import { ResultCode } from '@sonnenwarte/device-protocol/sparkplug/commands';
import type { Kysely, Transaction } from 'kysely';
import type { Logger } from 'pino';
import { scopeOf } from '../access/scope.ts';
import type { ChangedCommand, CommandChannel, CommandOrder } from '../commands/orders.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { changing, type Ground, type Obstacle, obstacleTo } from './checked-values.ts';
import { groundsOf, listed } from './grounds.ts';
import type { GroupCounts } from './group-counts.store.ts';
import {
  countsOf,
  type DeviceStep,
  devicesOfOthers,
  endGroup,
  groupsAmong,
  groupsToAdvance,
  holdGroup,
  orderingActor,
  putSteps,
  type StoredGroup,
  setGroupState,
  settleDevices,
  unfinishedGroups,
  waitingDevices,
} from './groups.store.ts';
import { takeAsDesired } from './settings.store.ts';
import { holdSubjects, type Subject, subjectsOf } from './subjects.store.ts';

/** Devices of a group to which something is said at the same time. */
export const MOST_UNDER_WAY = 50;
/** Groups that are read at once to be taken up. */
const TAKEN_UP = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Parts {
  readonly db: Kysely<Database>;
  readonly commands: CommandChannel;
  readonly nowMs: () => number;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Sends groups in waves: as many devices as may be under way, the next ones as soon as some are done. All that it knows is in the store, so that a group
 * goes on where it was, whenever the server was ended. Groups are advanced one after another, each as often as something of it has changed.
 */
export class GroupRunner {
  readonly #parts: Parts;
  readonly #wanted = new Set<string>();
  /** Of groups in which devices wait for what somebody else writes to them: those devices; undefined as long as they are looked for. */
  readonly #awaited = new Map<string, ReadonlySet<string> | undefined>();
  readonly #unhear: () => void;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#unhear = parts.commands.onChange((changed) => this.#hear(changed));
  }

  /** Takes a group a step further, now or after those before it. */
  wake(ids: readonly string[]): void {
    if (this.#isClosed) return;
    for (const id of ids) this.#wanted.add(id);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Takes up all that is not done, as after a start. */
  takeUp(): Promise<void> {
    return this.#takeUp((after) => unfinishedGroups(this.#parts.db, after, TAKEN_UP));
  }

  /** Takes up what stands still though something is to be done. */
  takeUpIdle(): Promise<void> {
    return this.#takeUp((after) => groupsToAdvance(this.#parts.db, after, TAKEN_UP, MOST_UNDER_WAY));
  }

  async #takeUp(next: (after: string) => Promise<string[]>): Promise<void> {
    let after = FIRST_ID;
    while (!this.#isClosed) {
      const ids = await next(after);
      this.wake(ids);
      after = ids.at(-1) ?? after;
      if (ids.length < TAKEN_UP) return;
    }
  }

  /** Resolves once all that was woken has been taken further. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unhear();
    this.#wanted.clear();
    await this.#running;
  }

  async #hear(changed: readonly ChangedCommand[]): Promise<void> {
    const batches = new Set(
      changed.flatMap(({ batchID, source }) => (source === 'group' || source === 'revert' ? (batchID ?? []) : [])),
    );
    for (const [id, devices] of this.#awaited) {
      const isOne = changed.some(
        ({ deviceID, batchID }) =>
          batchID !== id && deviceID !== null && (devices === undefined || devices.has(deviceID)),
      );
      if (isOne) this.wake([id]);
    }
    if (batches.size > 0) this.wake(await groupsAmong(this.#parts.db, [...batches]));
  }

  async #run(): Promise<void> {
    for (const id of this.#wanted) {
      this.#wanted.delete(id);
      try {
        // Before it is looked for: what ends meanwhile must not be missed.
        this.#awaited.set(id, undefined);
        const { goesOn, awaited } = await inTransaction(this.#parts.db, (tx) => advance(this.#parts, tx, id));
        if (awaited.size > 0) this.#awaited.set(id, awaited);
        else this.#awaited.delete(id);
        if (goesOn && !this.#isClosed) this.#wanted.add(id);
      } catch (error) {
        this.#parts.logger.error({ err: error, group: id }, 'a group of settings could not be taken further');
      }
    }
  }
}

interface Advanced {
  /** The next step can follow at once. */
  readonly goesOn: boolean;
  /** Devices that wait until somebody else has written to them. */
  readonly awaited: ReadonlySet<string>;
}

const STANDS: Advanced = { goesOn: false, awaited: new Set() };

/**
 * So many devices may be under way. Where refusals stop a group, no more than could still refuse before it stops, until as many have taken what they were
 * told: a wrong value reaches few.
 */
const mostUnderWay = ({ stop_after, forgiven }: StoredGroup, { refusals, taken }: GroupCounts): number =>
  stop_after === null ? MOST_UNDER_WAY : Math.min(MOST_UNDER_WAY, Math.max(stop_after + forgiven - refusals, taken));

/** One step of a group. */
async function advance(parts: Parts, tx: Transaction<Database>, id: string): Promise<Advanced> {
  const group = await holdGroup(tx, id);
  if (group === undefined) return STANDS;
  await settleDevices(tx, id);
  const counts = await countsOf(tx, id);
  const now = new Date(parts.nowMs());
  if (counts.waiting === 0 && counts.underWay === 0) {
    if (group.done_at === null) await endGroup(tx, id, group.state === 'running' ? 'done' : group.state, now);
    return STANDS;
  }
  if (group.state !== 'running') return STANDS;
  if (group.stop_after !== null && counts.refusals - group.forgiven >= group.stop_after) {
    await setGroupState(tx, id, 'stopped');
    return STANDS;
  }
  const free = mostUnderWay(group, counts) - counts.underWay;
  if (counts.waiting === 0 || free <= 0) return STANDS;
  return sendWave(parts, tx, group, free);
}

/** Gives the next devices what they are to write; goes on where some of them needed no command, so that others have their place. */
async function sendWave(
  { commands, nowMs }: Parts,
  tx: Transaction<Database>,
  group: StoredGroup,
  most: number,
): Promise<Advanced> {
  const actor = group.ordered_by === null ? undefined : await orderingActor(tx, group.ordered_by);
  if (actor === undefined) {
    await setGroupState(tx, group.id, 'stopped');
    return STANDS;
  }
  const next = await waitingDevices(tx, group.id, most);
  await holdSubjects(
    tx,
    next.map(({ device_id }) => device_id),
  );
  // Somebody may have written to one of them before it was held.
  const free = new Set((await waitingDevices(tx, group.id, most)).map(({ device_id }) => device_id));
  const devices = next.filter(({ device_id }) => free.has(device_id));
  const ids = devices.map(({ device_id }) => device_id);
  const subjects = new Map((await subjectsOf(tx, scopeOf(actor), ids, nowMs())).map((each) => [each.id, each]));
  const names = [...new Set(devices.flatMap(({ content }) => Object.keys(content)))];
  const grounds = await groundsOf(tx, [...subjects.values()], names, actor.level);
  const steps: DeviceStep[] = [];
  const orders: { readonly step: Omit<DeviceStep, 'commandId'>; readonly order: CommandOrder }[] = [];
  for (const { device_id: id, content } of devices) {
    const subject = subjects.get(id);
    const ground = grounds.get(id);
    // Who ordered it may not see the device any more.
    if (subject === undefined || ground === undefined) steps.push({ id, state: 'cancelled' });
    else {
      const next = nextOf(group, subject, ground, content);
      if ('order' in next) orders.push({ step: next.step, order: { ...next.order, orderedBy: actor.accountId } });
      else steps.push(next.step);
    }
  }
  const at = new Date(nowMs());
  const by = { accountId: actor.accountId, source: sourceOf(group), at };
  for (const { id, state } of steps) {
    const own = devices.find(({ device_id }) => device_id === id)?.content ?? {};
    if (state === 'confirmed') await takeAsDesired(tx, id, Object.keys(own), by);
  }
  await putSteps(tx, group.id, steps, at);
  const commandIds = await commands.order(
    tx,
    orders.map(({ order }) => order),
    { actor },
  );
  const sent = orders.map(({ step }, place) => ({ ...step, commandId: commandIds[place] ?? '' }));
  await putSteps(tx, group.id, sent, at);
  // As long as a wave is full its own devices wake the group.
  const awaited = devices.length < most ? await devicesOfOthers(tx, group.id) : STANDS.awaited;
  return { goesOn: steps.length > 0, awaited };
}

const sourceOf = ({ reverts }: StoredGroup): 'group' | 'revert' => (reverts === null ? 'group' : 'revert');

type Next =
  | { readonly step: DeviceStep }
  | { readonly step: DeviceStep; readonly order: Omit<CommandOrder, 'orderedBy'> };

/** What comes next for a device: nothing where it cannot take the values, or has them already. */
function nextOf(group: StoredGroup, subject: Subject, ground: Ground, content: Record<string, SettingValue>): Next {
  const { id } = subject;
  const values = listed(content);
  const before = Object.fromEntries(
    values.flatMap(({ name }) => {
      const reported = ground.stored.get(name)?.reported ?? null;
      return reported === null ? [] : [[name, reported]];
    }),
  );
  const obstacle = obstacleTo(values, ground);
  if (obstacle !== undefined) {
    return { step: { id, state: 'refused', before, code: codeOf(obstacle), message: obstacle.name } };
  }
  const changed = changing(values, ground.stored);
  if (changed.length === 0) return { step: { id, state: 'confirmed', before } };
  return {
    step: { id, state: 'open', before },
    order: {
      loggerID: subject.loggerId,
      deviceID: id,
      kind: 'write',
      content: { values: Object.fromEntries(changed.map(({ name, value }) => [name, value])) },
      source: sourceOf(group),
      batchID: group.id,
    },
  };
}

/** What a device would have answered. */
function codeOf({ why }: Obstacle): number {
  switch (why) {
    case 'unknownSetting':
      return ResultCode.unknownMetric;
    case 'outOfRange':
      return ResultCode.outOfRange;
    case 'readOnly':
      return ResultCode.readOnly;
    // Nobody lowers an account while its group goes on but to keep it from this.
    case 'level':
    case 'blocked':
      return ResultCode.refused;
  }
}
