import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { GroupRow, groupEndpoints } from '@sonnenwarte/contract/remote-settings/group-remote';
import type { Transaction } from 'kysely';
import { type AuditEntry, pathOfOrganisation, recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { askedOnce } from './asked-once.store.ts';
import { asWritten, holdOnce, holdToCatalogue, isConfirmed } from './checked-values.ts';
import { listed } from './grounds.ts';
import { devicesInScope, isDangerousFor } from './group-preview.ts';
import type { GroupRunner } from './group-runner.ts';
import {
  cancelWaiting,
  countsOf,
  devicesOfGroup,
  type GroupRowStored,
  groupOf,
  groupPage,
  holdGroup,
  holdGroupsOf,
  insertGroup,
  type NewGroup,
  openGroupLike,
  setGroupState,
} from './groups.store.ts';
import { ruleOfAny, toldRule } from './setting-rows.ts';

type Calls = typeof groupEndpoints;
type Used = Uses<'db' | 'nowMs' | 'commands'> & { readonly groups: Pick<GroupRunner, 'wake'> };
type GroupDevice = Awaited<ReturnType<typeof devicesOfGroup>>[number];

const failedStates = new Set(['refused', 'differs', 'timedOut', 'expired', 'cancelled']);
/** A device that has, or may have, taken what it was told. */
const takenStates = new Set(['confirmed', 'differs', 'timedOut']);

const toldGroup = (group: GroupRowStored): GroupRow => ({
  groupID: group.id,
  name: group.name,
  revertsID: group.reverts,
  kind: group.kind,
  by: group.by ?? '',
  createdMs: group.created_at.getTime(),
  doneMs: group.done_at?.getTime() ?? null,
  state: group.state,
  stopAfter: group.stop_after,
  refusals: group.refusals - group.forgiven,
  values: Object.entries(group.content).map(([name, value]) => ({
    rule: toldRule(ruleOfAny(group.kind, name, value)),
    value,
  })),
  counts: {
    total: group.total,
    waiting: group.waiting,
    underWay: group.underWay,
    away: group.away,
    confirmed: group.confirmed,
    failed: group.failed,
    refused: group.refused,
    differs: group.differs,
    timedOut: group.timedOut,
    expired: group.expired,
    cancelled: group.cancelled,
  },
});

type GroupAction = Extract<AuditEntry['action'], `remote-settings.${string}Group`>;

const record = (
  tx: Transaction<Database>,
  context: CallContext,
  { id, name, organisationId }: { id: string; name: string; organisationId: string },
  action: GroupAction,
  after: Record<string, unknown>,
): Promise<void> =>
  pathOfOrganisation(tx, organisationId).then((organisationPath) =>
    recordAudit(tx, context, {
      log: 'operation',
      action,
      recordKind: 'group',
      recordId: id,
      recordName: name,
      organisationPath,
      after,
    }),
  );

/** Begins a group, unless the same one of the same account goes on already. */
async function begin(
  { db, groups }: Used,
  context: CallContext,
  group: NewGroup,
  action: GroupAction,
  requestID?: string,
): Promise<{ groupID: string }> {
  const asked = { accountId: group.orderedBy, requestID, content: group };
  const groupID = await inTransaction(db, (tx) =>
    askedOnce(tx, asked, async () => {
      await holdGroupsOf(tx, group.orderedBy);
      const same = await openGroupLike(tx, group);
      if (same !== undefined) return same;
      const id = await insertGroup(tx, group);
      await record(tx, context, { ...group, id }, action, {
        ...group.content,
        devices: group.devices.length,
        ...(group.reverts !== null && { reverts: group.reverts }),
        ...(group.stopAfter !== null && { stopAfter: group.stopAfter }),
      });
      return id;
    }),
  );
  groups.wake([groupID]);
  return { groupID };
}

/** Writes values to many devices in the background. */
export async function runGroup(
  used: Used,
  { name, deviceIDs, values: wanted, stopAfter, confirmation, requestID }: Parsed<Calls['run']>,
  context: CallContext,
): Promise<Result<Calls['run']>> {
  const values = asWritten(wanted);
  holdOnce(values);
  const { actor, scope } = context;
  const subjects = await devicesInScope(used, scope, deviceIDs);
  const [first] = subjects;
  const kind = first?.kind;
  if (kind === undefined || kind === 'logger' || subjects.some((each) => each.kind !== kind)) {
    throw new CallError('refusedInput', { fields: [{ path: 'deviceIDs', reason: 'invalid_value', params: {} }] });
  }
  holdToCatalogue(kind, values, actor.level);
  if (isDangerousFor(subjects, values) && !isConfirmed(confirmation, String(subjects.length))) {
    throw new CallError('settingConfirmation');
  }
  const content: Record<string, SettingValue> = Object.fromEntries(values.map((each) => [each.name, each.value]));
  const devices = subjects.map(({ id }) => ({ id, content }));
  return begin(
    used,
    context,
    {
      organisationId: actor.organisationID,
      kind,
      name,
      content,
      reverts: null,
      stopAfter,
      orderedBy: actor.accountId,
      devices,
    },
    'remote-settings.runGroup',
    requestID,
  );
}

/** Groups of the own organisation and those below it. */
export async function groupList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { pageSize, currentPage }: Parsed<Calls['groups']>,
  { scope }: CallContext,
): Promise<Result<Calls['groups']>> {
  const { rows, total } = await groupPage(db, scope, { pageSize, currentPage }, nowMs());
  return { pageSize, currentPage, total, data: rows.map(toldGroup) };
}

type Label = Pick<ReturnType<typeof ruleOfAny>, 'labelKey' | 'unit'>;

/** Labels of settings, each looked up once for all devices of a group. */
function labelsFor(kind: GroupRowStored['kind']): (name: string, value: SettingValue) => Label {
  const known = new Map<string, Label>();
  return (name, value) => {
    const label = known.get(name) ?? ruleOfAny(kind, name, value);
    known.set(name, label);
    return label;
  };
}

function toldDevice(
  device: GroupDevice,
  labelOf: ReturnType<typeof labelsFor>,
): Result<Calls['result']>['devices'][number] {
  const { state, commandState } = device;
  return {
    deviceID: device.device_id,
    deviceSN: device.sn,
    model: device.model,
    stationName: device.siteName,
    values: Object.entries(device.content).map(([name, to]) => {
      const { labelKey, unit } = labelOf(name, to);
      return { name, labelKey, unit, from: device.before[name] ?? null, to };
    }),
    commandID: device.command_id,
    startedMs: device.started_at?.getTime() ?? null,
    state: state === 'open' ? (commandState ?? 'queued') : state,
    code: device.code,
    message: device.message,
    doneMs: device.done_at?.getTime() ?? null,
    awaitedUntilMs: device.awaitedUntil?.getTime() ?? null,
  };
}

/** A group with what became of each of its devices that the caller sees. */
export async function groupResult(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { groupID }: Parsed<Calls['result']>,
  { scope, actor }: CallContext,
): Promise<Result<Calls['result']>> {
  const group = found(await groupOf(db, scope, groupID, nowMs()), 'settingGroupNotFound');
  const devices = await devicesOfGroup(db, scope, groupID, nowMs());
  const labelOf = labelsFor(group.kind);
  return {
    group: toldGroup(group),
    devices: devices.map((device) => toldDevice(device, labelOf)),
    isDangerous: isDangerousFor([group], valuesAmong(devices)),
    can: { control: actor.viewAs === null },
  };
}

const verbs = {
  pause: 'remote-settings.pauseGroup',
  resume: 'remote-settings.resumeGroup',
  cancel: 'remote-settings.cancelGroup',
} as const;

/** Pauses a group, goes on with it, or ends it. */
export async function controlGroup(
  used: Used,
  { groupID, action }: Parsed<Calls['controlGroup']>,
  context: CallContext,
): Promise<void> {
  const { db, commands, nowMs, groups } = used;
  found(await groupOf(db, context.scope, groupID, nowMs()), 'settingGroupNotFound');
  await inTransaction(db, async (tx) => {
    const group = found(await holdGroup(tx, groupID), 'settingGroupNotFound');
    const { state } = group;
    const canDo =
      action === 'resume' ? state === 'paused' || state === 'stopped' : state === 'running' || action === 'cancel';
    if (group.done_at !== null || state === 'cancelled' || !canDo) throw new CallError('settingGroupOver');
    if (action === 'pause') await setGroupState(tx, groupID, 'paused');
    if (action === 'resume') await setGroupState(tx, groupID, 'running', (await countsOf(tx, groupID)).refusals);
    if (action === 'cancel') {
      await setGroupState(tx, groupID, 'cancelled');
      const open = await cancelWaiting(tx, groupID, new Date(nowMs()));
      await commands.cancel(tx, open, context);
    }
    await record(tx, context, { ...group, organisationId: group.organisation_id }, verbs[action], {});
  });
  groups.wake([groupID]);
}

/** Each setting that is written to one of the devices, once. */
const valuesAmong = (devices: readonly Pick<NewGroup['devices'][number], 'content'>[]) =>
  listed(Object.assign({}, ...devices.map(({ content }) => content)));

/** Refuses what can trip the grid protection as long as the number of its devices was not typed. */
async function holdConfirmed(
  used: Used,
  scope: CallContext['scope'],
  devices: NewGroup['devices'],
  confirmation: string,
): Promise<void> {
  const subjects = await devicesInScope(
    used,
    scope,
    devices.map(({ id }) => id),
  );
  if (isDangerousFor(subjects, valuesAmong(devices)) && !isConfirmed(confirmation, String(devices.length)))
    throw new CallError('settingConfirmation');
}

/** Writes the same again to devices that did not take it. */
export async function retryGroup(
  used: Used,
  { groupID, deviceIDs, confirmation }: Parsed<Calls['retryGroup']>,
  context: CallContext,
): Promise<Result<Calls['retryGroup']>> {
  const { scope, actor } = context;
  const group = found(await groupOf(used.db, scope, groupID, used.nowMs()), 'settingGroupNotFound');
  const wanted = new Set(deviceIDs);
  const devices = (await devicesOfGroup(used.db, scope, groupID, used.nowMs()))
    .filter(({ device_id, state }) => wanted.delete(device_id) && failedStates.has(state))
    .map(({ device_id, content }) => ({ id: device_id, content }));
  if (wanted.size > 0) throw new CallError('deviceNotFound');
  if (devices.length === 0) throw new CallError('settingGroupNothingLeft');
  await holdConfirmed(used, scope, devices, confirmation);
  return begin(
    used,
    context,
    {
      organisationId: actor.organisationID,
      kind: group.kind,
      name: group.name,
      content: group.content,
      reverts: group.reverts,
      stopAfter: group.stop_after,
      orderedBy: actor.accountId,
      devices,
    },
    'remote-settings.retryGroup',
  );
}

/** Writes to each device what it had before. */
export async function revertGroup(
  used: Used,
  { groupID, confirmation }: Parsed<Calls['revertGroup']>,
  context: CallContext,
): Promise<Result<Calls['revertGroup']>> {
  const { scope, actor } = context;
  const group = found(await groupOf(used.db, scope, groupID, used.nowMs()), 'settingGroupNotFound');
  const devices = (await devicesOfGroup(used.db, scope, groupID, used.nowMs()))
    .filter(({ state, before }) => takenStates.has(state) && Object.keys(before).length > 0)
    .map(({ device_id, before }) => ({ id: device_id, content: before }));
  if (devices.length === 0) throw new CallError('settingGroupNothingLeft');
  await holdConfirmed(used, scope, devices, confirmation);
  return begin(
    used,
    context,
    {
      organisationId: actor.organisationID,
      kind: group.kind,
      name: group.name,
      content: {},
      reverts: groupID,
      stopAfter: null,
      orderedBy: actor.accountId,
      devices,
    },
    'remote-settings.revertGroup',
  );
}
