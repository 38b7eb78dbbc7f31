import type { Command, CommandSource } from '@sonnenwarte/contract/commands/command';
import { isOpenCommand } from '@sonnenwarte/contract/commands/command';
import type { SettingValue } from '@sonnenwarte/contract/commands/setting-value';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { settingsEndpoints } from '@sonnenwarte/contract/remote-settings/remote-settings';
import type { Kysely } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { recordAudit } from '../audit/audit.ts';
import { entryAbout, entryWithin } from '../audit/entry-about.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { askedOnce } from './asked-once.store.ts';
import {
  asWritten,
  changing,
  holdOnce,
  holdToBase,
  isConfirmed,
  isDangerous,
  obstacleTo,
  refuse,
  type WantedValue,
} from './checked-values.ts';
import { holdAlone, holdToMost } from './gate.ts';
import { ruleOfAny, rulesOf, settingRows } from './setting-rows.ts';
import {
  type CommandRow,
  changeOf,
  changesOf,
  commandOfSubject,
  leftBy,
  newestCommands,
  openCommands,
  type StoredSetting,
  shownCommands,
  storedSettings,
  takeAsDesired,
} from './settings.store.ts';
import { holdSubject, type Subject, subjectOf } from './subjects.store.ts';

type Calls = typeof settingsEndpoints;
type Used = Uses<'db' | 'nowMs' | 'commands'>;
type Stored = ReadonlyMap<string, StoredSetting>;

/** Commands that are done are shown for this long. */
const SHOWN_FOR_MS = 10 * 60_000;

const storedOf = async (db: Kysely<Database>, id: string): Promise<Stored> =>
  (await storedSettings(db, [id])).get(id) ?? new Map();

const subjectInScope = async (
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  { scope }: Pick<CallContext, 'scope'>,
  id: string,
): Promise<Subject> => found(await subjectOf(db, scope, id, nowMs()), 'deviceNotFound');

const toldSubject = (subject: Subject): Result<Calls['view']>['subject'] => ({
  subjectID: subject.id,
  subjectSN: subject.sn,
  kind: subject.kind,
  model: subject.model,
  firmware: subject.firmware,
  moduleSN: subject.moduleSN,
  stationID: subject.siteId,
  stationName: subject.siteName,
  ianaTimezone: subject.timeZone,
  state: subject.state,
  online: subject.state !== 'offline',
});

const time = (at: Date | null): number | null => at?.getTime() ?? null;

function toldCommand(row: CommandRow, { id, sn, state }: Subject, hasOneBefore: boolean): Command {
  const isAway = state === 'offline';
  return {
    commandID: row.id,
    subjectID: id,
    subjectSN: sn,
    kind: row.kind,
    content: row.content,
    source: row.source,
    orderedBy: row.by ?? '',
    state: row.state,
    code: row.code,
    message: row.message,
    before: row.before,
    readBack: row.read_back,
    tries: row.tries,
    createdMs: row.created_at.getTime(),
    expiresMs: row.expires_at.getTime(),
    sentMs: time(row.sent_at),
    acknowledgedMs: time(row.acknowledged_at),
    doneMs: time(row.done_at),
    waitsFor: row.state !== 'queued' ? null : isAway ? 'device' : hasOneBefore ? 'turn' : null,
  };
}

/** Who looks through somebody else's eyes writes nothing. */
const canWrite = ({ viewAs, level }: Actor): boolean => viewAs === null && level !== 1;

/** Settings of a device or datalogger with what is under way. */
export async function viewOf(
  { db, nowMs }: Used,
  { id }: Parsed<Calls['view']>,
  context: CallContext,
): Promise<Result<Calls['view']>> {
  const { actor } = context;
  const subject = await subjectInScope({ db, nowMs }, context, id);
  const [stored, commands] = await Promise.all([storedOf(db, id), newestCommands(db, id)]);
  const shown = shownCommands(commands, nowMs() - SHOWN_FOR_MS);
  const writing = commands.findLast(({ kind, state }) => kind === 'write' && isOpenCommand(state));
  return {
    subject: toldSubject(subject),
    settings: settingRows({ subject, stored, commands, level: actor.level }),
    writer: writing
      ? {
          name: writing.by ?? '',
          sinceMs: writing.created_at.getTime(),
          isSelf: writing.ordered_by === actor.accountId,
          commandID: writing.id,
        }
      : null,
    commands: shown.map((row, place) => {
      const hasOneBefore = shown.slice(place + 1).some(({ state }) => isOpenCommand(state));
      return toldCommand(row, subject, hasOneBefore);
    }),
    can: { write: canWrite(actor) },
  };
}

/** Settings that a device has changed by itself. */
export async function driftOf(
  { db, nowMs }: Used,
  { id }: Parsed<Calls['drift']>,
  context: CallContext,
): Promise<Result<Calls['drift']>> {
  const subject = await subjectInScope({ db, nowMs }, context, id);
  const stored = await storedOf(db, id);
  const drifted = [...stored.values()].some(({ drifted_since }) => drifted_since !== null);
  const commands = drifted ? await newestCommands(db, id) : [];
  const rows = drifted ? settingRows({ subject, stored, commands, level: context.actor.level }) : [];
  return {
    settings: rows.filter(({ driftedSinceMs }) => driftedSinceMs !== null),
    can: { write: canWrite(context.actor) },
  };
}

const all = ({ kind }: Subject): string[] =>
  kind === 'logger' ? ['Clock/TimeZone', 'Report/Interval'] : ['Setting/*'];

/** Asks a device for settings; a question that waits already is not asked twice. */
export async function readSettings(
  used: Used,
  { id, names }: Parsed<Calls['read']>,
  context: CallContext,
): Promise<Result<Calls['read']>> {
  const subject = await subjectInScope(used, context, id);
  const asked = names.length === 0 ? all(subject) : [...new Set(names)];
  return inTransaction(used.db, async (tx) => {
    await holdSubject(tx, id);
    const open = await openCommands(tx, id);
    const same = open.find(
      ({ kind, content }) => kind === 'read' && content.names?.toSorted().join() === asked.toSorted().join(),
    );
    if (same !== undefined) return { commandID: same.id };
    holdToMost(open);
    const order = { loggerID: subject.loggerId, deviceID: subject.deviceId, orderedBy: context.actor.accountId };
    const [commandID = ''] = await used.commands.order(
      tx,
      [{ ...order, kind: 'read', content: { names: asked }, source: 'hand' }],
      context,
    );
    return { commandID };
  });
}

interface Writing {
  readonly values: readonly WantedValue[];
  readonly confirmation: string;
  readonly source: CommandSource;
  readonly requestID?: string | undefined;
}

/**
 * Writes to one device or datalogger, all or nothing. Whoever writes the same meanwhile is named; what is on its way already as it is wanted is not ordered
 * again.
 */
async function write(
  used: Used,
  context: CallContext,
  subject: Subject,
  { source, confirmation, requestID, ...writing }: Writing,
): Promise<{ commandID: string }> {
  const { actor } = context;
  const values = asWritten(writing.values);
  holdOnce(values);
  const asked = { accountId: actor.accountId, requestID, content: { id: subject.id, values, source } };
  return inTransaction(used.db, async (tx) => {
    const commandID = await askedOnce(tx, asked, async () => {
      await holdSubject(tx, subject.id);
      const [stored, open] = await Promise.all([storedOf(tx, subject.id), openCommands(tx, subject.id)]);
      const rules = rulesOf(subject, stored);
      const obstacle = obstacleTo(values, { rules, stored, level: actor.level });
      if (obstacle !== undefined) refuse(obstacle, values);
      holdToBase(values, stored);
      const names = values.map(({ name }) => name);
      holdAlone(names, open, actor.accountId);
      if (isDangerous(values, rules) && !isConfirmed(confirmation, subject.sn)) {
        throw new CallError('settingConfirmation');
      }
      const changed = changing(values, stored, leftBy(open));
      if (changed.length === 0) return found(writeOf(names, open), 'settingUnchanged').id;
      holdToMost(open);
      const content = Object.fromEntries(changed.map(({ name, value }) => [name, value]));
      const order = { loggerID: subject.loggerId, deviceID: subject.deviceId, source, orderedBy: actor.accountId };
      const [id = ''] = await used.commands.order(
        tx,
        [{ ...order, kind: 'write', content: { values: content } }],
        context,
      );
      return id;
    });
    return { commandID };
  });
}

/** The newest of the open writes of some settings. */
const writeOf = (names: readonly string[], open: readonly CommandRow[]): CommandRow | undefined =>
  open.find(({ kind, content }) => kind === 'write' && names.some((name) => content.values?.[name] !== undefined));

const told = (names: readonly string[], toldOf: (name: string) => SettingValue | null | undefined) =>
  Object.fromEntries(names.map((name) => [name, toldOf(name) ?? null]));

/** Writes settings. */
export async function writeSettings(
  used: Used,
  { id, values, confirmation, requestID }: Parsed<Calls['write']>,
  context: CallContext,
): Promise<Result<Calls['write']>> {
  const subject = await subjectInScope(used, context, id);
  return write(used, context, subject, { values, confirmation, source: 'hand', requestID });
}

/** Takes what drifted for what is meant. */
export async function acceptDrift(
  used: Used,
  { id, values: seen }: Parsed<Calls['accept']>,
  context: CallContext,
): Promise<void> {
  holdOnce(seen);
  const names = seen.map(({ name }) => name);
  const subject = await subjectInScope(used, context, id);
  await inTransaction(used.db, async (tx) => {
    await holdSubject(tx, id);
    const stored = await storedOf(tx, id);
    const values = drifted(names, stored);
    holdToBase(
      seen.map(({ name, value }) => ({ name, value, basedOn: value })),
      stored,
    );
    const byName = new Map(rulesOf(subject, stored).map((rule) => [rule.name, rule]));
    // What the device has may be beyond what may be written; who may not write it does not say either what is meant.
    const foreign = values.find(({ name }) => byName.get(name)?.levels.includes(context.actor.level) === false);
    if (foreign !== undefined) refuse({ why: 'level', name: foreign.name }, values);
    const by = { accountId: context.actor.accountId, source: 'hand', at: new Date(used.nowMs()) } as const;
    await takeAsDesired(tx, id, names, by);
    const about = { id, name: subject.sn, path: context.actor.organisationPath };
    const kind = subject.deviceId === null ? 'datalogger' : 'device';
    const { organisationId } = subject;
    await recordAudit(tx, context, {
      ...(organisationId === null ? entryAbout(kind, about) : await entryWithin(tx, kind, about, organisationId)),
      action: 'remote-settings.accept',
      before: told(names, (name) => stored.get(name)?.desired),
      after: told(names, (name) => stored.get(name)?.reported),
    });
  });
}

/** What is meant of settings that have drifted, all of them. */
function drifted(names: readonly string[], stored: Stored): WantedValue[] {
  return [...new Set(names)].map((name) => {
    const held = stored.get(name);
    if (held === undefined || held.drifted_since === null || held.desired === null || held.reported === null) {
      throw new CallError('settingNotDrifted', { name });
    }
    return { name, value: held.desired, basedOn: held.reported };
  });
}

/** Writes again what is meant. */
export async function restoreSettings(
  used: Used,
  { id, names, confirmation }: Parsed<Calls['restore']>,
  context: CallContext,
): Promise<Result<Calls['restore']>> {
  const subject = await subjectInScope(used, context, id);
  const values = drifted(names, await storedOf(used.db, id));
  return write(used, context, subject, { values, confirmation, source: 'revert' });
}

const CHANGE_ID = /^[1-9][0-9]{0,17}$/;

/** Writes what was before a change. */
export async function revertChange(
  used: Used,
  { id, changeID, confirmation }: Parsed<Calls['revert']>,
  context: CallContext,
): Promise<Result<Calls['revert']>> {
  const subject = await subjectInScope(used, context, id);
  const known = CHANGE_ID.test(changeID) ? await changeOf(used.db, id, Number(changeID)) : undefined;
  const change = found(known, 'settingChangeNotFound');
  if (change.from_value === null) throw new CallError('settingChangeNotFound');
  const values = [{ name: change.name, value: change.from_value }];
  return write(used, context, subject, { values, confirmation, source: 'revert' });
}

/** Changes of settings, the newest first. */
export async function historyOf(
  used: Used,
  { id, name, pageSize, currentPage }: Parsed<Calls['history']>,
  context: CallContext,
): Promise<Result<Calls['history']>> {
  const { kind } = await subjectInScope(used, context, id);
  const { rows, total } = await changesOf(used.db, id, name, { pageSize, currentPage });
  return {
    pageSize,
    currentPage,
    total,
    data: rows.map((row) => {
      const { labelKey, unit } = ruleOfAny(kind, row.name, row.to_value);
      return {
        changeID: String(row.id),
        name: row.name,
        labelKey,
        unit,
        from: row.from_value,
        to: row.to_value,
        atMs: row.at.getTime(),
        by: row.by ?? '',
        source: row.source,
        commandID: row.command_id,
        times: row.times,
      };
    }),
  };
}

/** Takes back what has not been sent. */
export async function cancelCommand(
  used: Used,
  { id, commandID }: Parsed<Calls['cancel']>,
  context: CallContext,
): Promise<Result<Calls['cancel']>> {
  await subjectInScope(used, context, id);
  return inTransaction(used.db, async (tx) => {
    const command = found(await commandOfSubject(tx, id, commandID), 'settingCommandNotFound');
    return { cancelled: (await used.commands.cancel(tx, [command.id], context)).includes(command.id) };
  });
}
