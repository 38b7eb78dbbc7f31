import {
  type alarmRuleEndpoints,
  MOST_RULES,
  type RuleRow,
  type RuleTerms,
} from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { LEVEL } from '@sonnenwarte/contract/levels';
import type { Kysely, Transaction } from 'kysely';
import { recordAudit } from '../audit/audit.ts';
import { visibleOrganisation } from '../departments/departments.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';
import {
  countRules,
  deleteRule,
  holdRule,
  holdRulesOf,
  insertRule,
  leaveRule,
  operatorsToTell,
  organisationsToChoose,
  ruleById,
  rulesFound,
  type StoredRule,
  sitesToChoose,
  updateRule,
  visibleSite,
  type WrittenRule,
  writeReceivers,
} from './rules.store.ts';

type Calls = typeof alarmRuleEndpoints;
type Tx = Transaction<Database>;

const refused = (path: string, reason: string) =>
  new CallError('refusedInput', { fields: [{ path, reason, params: {} }] });

/** Whom else a rule tells, and of which plants alone, is its keeper's to know. */
export function toRuleRow(rule: StoredRule, accountId: string): RuleRow {
  const isOwn = rule.account_id === accountId;
  const known = (people: RuleRow['receivers']) => people.filter((person) => isOwn || person.accountID === accountId);
  return {
    ruleID: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    keeper: rule.keeper,
    levels: rule.levels as RuleRow['levels'],
    codes: rule.codes,
    organisationID: isOwn ? rule.organisation_id : null,
    organisationName: (isOwn && rule.organisation_name) || '',
    stationID: isOwn ? rule.site_id : null,
    plantName: (isOwn && rule.site_name) || '',
    delayMinutes: rule.delay_minutes,
    channels: rule.channels as RuleRow['channels'],
    mode: rule.mode,
    digestAt: rule.digest_at,
    quietFrom: rule.quiet_from,
    quietTo: rule.quiet_to,
    criticalAlways: rule.critical_always,
    tellsEnd: rule.tells_end,
    escalateMinutes: rule.escalate_minutes,
    receivers: known(rule.receivers),
    escalateTo: known(rule.escalate_to),
    lastToldMs: rule.last_told?.getTime() ?? null,
    can: { edit: isOwn, leave: !isOwn },
  };
}

/** Rules of the caller and those that tell it, for a page as for a file. */
export async function ruleList({ db }: Uses<'db'>, input: Asked<Calls['list']>, { actor }: CallContext) {
  const found = await rulesFound(db, actor.accountId, input);
  return toRows(found, (rule) => toRuleRow(rule, actor.accountId));
}

interface Checked {
  readonly written: WrittenRule;
  readonly receivers: string[];
  readonly escalateTo: string[];
}

/** As it is stored; refuses what contradicts itself and what the caller does not see. */
export async function checkedTerms(
  db: Kysely<Database>,
  terms: RuleTerms,
  context: CallContext,
  before?: StoredRule,
): Promise<Checked> {
  const { actor, scope } = context;
  if (terms.mode === 'daily' && terms.digestAt === '') throw refused('digestAt', 'required');
  if ((terms.quietFrom === '') !== (terms.quietTo === ''))
    throw refused(terms.quietFrom === '' ? 'quietFrom' : 'quietTo', 'required');
  const escalateTo = terms.escalateMinutes === null ? [] : [...new Set(terms.escalateTo)];
  const receivers = terms.receivers.length === 0 ? [actor.accountId] : [...new Set(terms.receivers)];
  // Whoever is told no more, since gone or elsewhere, hinders no other change.
  const kept = new Set(
    [...(before?.receivers ?? []), ...(before?.escalate_to ?? [])].map(({ accountID }) => accountID),
  );
  const others = [...new Set([...receivers, ...escalateTo])].filter((id) => id !== actor.accountId && !kept.has(id));
  if (others.length > 0) {
    const known =
      actor.level === LEVEL.endUser ? [] : await operatorsToTell(db, scope, { search: '', ids: others }, others.length);
    if (known.length < others.length) throw new CallError('receiverUnknown');
  }
  // Who owns plants sees no organisations.
  const organisationID = actor.level === LEVEL.endUser ? null : terms.organisationID;
  if (organisationID !== null) found(await visibleOrganisation(db, scope, organisationID), 'organisationNotFound');
  if (terms.stationID !== null) found(await visibleSite(db, scope, terms.stationID), 'siteNotFound');
  return {
    written: {
      name: terms.name,
      levels: [...new Set<number>(terms.levels)].toSorted((a, b) => a - b),
      codes: [...new Set(terms.codes)].toSorted((a, b) => a - b),
      organisation_id: organisationID,
      site_id: terms.stationID,
      delay_minutes: terms.delayMinutes,
      channels: [...new Set(terms.channels)],
      mode: terms.mode,
      digest_at: terms.mode === 'daily' ? terms.digestAt : '',
      quiet_from: terms.quietFrom,
      quiet_to: terms.quietTo,
      critical_always: terms.criticalAlways,
      tells_end: terms.tellsEnd,
      escalate_minutes: escalateTo.length === 0 ? null : terms.escalateMinutes,
    },
    receivers,
    escalateTo,
  };
}

const record = (
  tx: Tx,
  context: CallContext,
  verb: 'add' | 'edit' | 'enable' | 'disable' | 'delete' | 'leave',
  { id, name }: { id: string; name: string },
  change: { before?: Record<string, unknown>; after?: Record<string, unknown> } = {},
): Promise<void> =>
  recordAudit(tx, context, {
    log: 'account',
    action: `alarm-rules.${verb}`,
    recordKind: 'alarmRule',
    recordId: id,
    recordName: name,
    organisationPath: context.actor.organisationPath,
    ...change,
  });

const told = ({ written, receivers, escalateTo }: Checked): Record<string, unknown> => ({
  ...written,
  receivers,
  escalateTo,
});

export const addRule = (
  { db }: Uses<'db'>,
  terms: Parsed<Calls['add']>,
  context: CallContext,
): Promise<Result<Calls['add']>> =>
  inTransaction(db, async (tx) => {
    const { accountId } = context.actor;
    await holdRulesOf(tx, accountId);
    if ((await countRules(tx, accountId)) >= MOST_RULES) throw new CallError('tooManyAlarmRules');
    const checked = await checkedTerms(tx, terms, context);
    const ruleID = await insertRule(tx, accountId, checked.written);
    await writeReceivers(tx, ruleID, checked.receivers, checked.escalateTo);
    await record(tx, context, 'add', { id: ruleID, name: terms.name }, { after: told(checked) });
    return { ruleID };
  });

/** A rule that the caller sees. One of somebody else is not the caller's to change. */
async function ownRule(tx: Tx, ruleID: string, { actor }: CallContext): Promise<StoredRule> {
  await holdRule(tx, ruleID);
  const rule = found(await ruleById(tx, actor.accountId, ruleID), 'alarmRuleNotFound');
  if (rule.account_id !== actor.accountId) throw new CallError('noPermission');
  return rule;
}

export const editRule = (
  { db }: Uses<'db'>,
  { ruleID, ...terms }: Parsed<Calls['edit']>,
  context: CallContext,
): Promise<Result<Calls['edit']>> =>
  inTransaction(db, async (tx) => {
    await holdRulesOf(tx, context.actor.accountId);
    const rule = await ownRule(tx, ruleID, context);
    const checked = await checkedTerms(tx, terms, context, rule);
    await updateRule(tx, ruleID, checked.written);
    await writeReceivers(tx, ruleID, checked.receivers, checked.escalateTo);
    await record(
      tx,
      context,
      'edit',
      { id: ruleID, name: terms.name },
      { before: { name: rule.name }, after: told(checked) },
    );
    return {};
  });

export const enableRule = (
  { db }: Uses<'db'>,
  { ruleID, enabled }: Parsed<Calls['enable']>,
  context: CallContext,
): Promise<Result<Calls['enable']>> =>
  inTransaction(db, async (tx) => {
    const rule = await ownRule(tx, ruleID, context);
    if (rule.enabled === enabled) return {};
    await updateRule(tx, ruleID, { enabled });
    await record(tx, context, enabled ? 'enable' : 'disable', rule);
    return {};
  });

export const removeRule = (
  { db }: Uses<'db'>,
  { ruleID }: Parsed<Calls['remove']>,
  context: CallContext,
): Promise<Result<Calls['remove']>> =>
  inTransaction(db, async (tx) => {
    const rule = await ownRule(tx, ruleID, context);
    await deleteRule(tx, ruleID);
    await record(tx, context, 'delete', rule);
    return {};
  });

export const leave = (
  { db }: Uses<'db'>,
  { ruleID }: Parsed<Calls['leave']>,
  context: CallContext,
): Promise<Result<Calls['leave']>> =>
  inTransaction(db, async (tx) => {
    await holdRule(tx, ruleID);
    const rule = found(await ruleById(tx, context.actor.accountId, ruleID), 'alarmRuleNotFound');
    await leaveRule(tx, ruleID, context.actor.accountId);
    await record(tx, context, 'leave', rule);
    return {};
  });

/** People whom a rule of the caller can tell. */
export async function receiverChoices(
  { db }: Uses<'db'>,
  { search, ids }: Parsed<Calls['receivers']>,
  { scope }: Scoped,
): Promise<Result<Calls['receivers']>> {
  const people = await operatorsToTell(db, scope, { search, ids }, ids?.length ?? MOST_CHOICES);
  return {
    choices: people.map(({ id, username, name, organisation }) => ({
      id,
      name: name || username,
      detail: name === '' ? organisation : `${username} · ${organisation}`,
    })),
  };
}

/** Plants of which a rule of the caller can tell. */
export async function plantChoices(
  { db }: Uses<'db'>,
  sought: Parsed<Calls['plants']>,
  { scope }: Scoped,
): Promise<Result<Calls['plants']>> {
  const sites = await sitesToChoose(db, scope, sought, sought.ids?.length ?? MOST_CHOICES);
  return { choices: sites.map(({ id, name, city }) => ({ id, name, detail: city })) };
}

/** Organisations of whose plants a rule of the caller can tell. */
export async function organisationChoices(
  { db }: Uses<'db'>,
  sought: Parsed<Calls['organisations']>,
  { actor }: CallContext,
): Promise<Result<Calls['organisations']>> {
  const within = actor.level === LEVEL.admin ? undefined : actor.organisationID;
  const organisations = await organisationsToChoose(db, within, sought, sought.ids?.length ?? MOST_CHOICES);
  return {
    choices: organisations.map(({ id, name, country, number }) => ({
      id,
      name,
      detail: [String(number), country].filter((part) => part !== '').join(' · '),
    })),
  };
}
