import { randomUUID } from 'node:crypto';
import type { alarmRuleEndpoints, RuleChannel } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { CallPace } from '../attempts/call-pace.ts';
import { recordAudit } from '../audit/audit.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import { tellMessages } from '../messages/tell-messages.ts';
import { channelById, readerOf } from '../notifications/channels.store.ts';
import { type DeliveryParts, deliverTold, readerFrom, storedFailure, type Told } from '../notifications/delivery.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { type PlannedDelivery, putOnWay } from './deliver.ts';
import { ruleById } from './rules.store.ts';
import { addDelivery } from './tell.store.ts';
import { alarmTold } from './told-text.ts';
import { type Way, waysOf } from './ways.ts';

type Calls = typeof alarmRuleEndpoints;
type Outcome = Result<Calls['test']>['outcomes'][number];

const FOREIGN_KEY_VIOLATION = '23503';
const TEST_EVERY_MS = 10_000;
export const newTestPace = (): CallPace => new CallPace(TEST_EVERY_MS);

export interface TryUses extends DeliveryParts {
  readonly testPace: CallPace;
  readonly publicUrl: () => string;
  readonly nowMs: () => number;
}

/** Sends a test by each way of a rule to the caller, now, and says what arrived. */
export async function tryRule(
  uses: TryUses,
  { ruleID }: Parsed<Calls['test']>,
  context: CallContext,
): Promise<Result<Calls['test']>> {
  const { db, testPace, nowMs } = uses;
  const { accountId } = context.actor;
  const rule = found(await ruleById(db, accountId, ruleID), 'alarmRuleNotFound');
  const account = found(await readerOf(db, accountId), 'alarmRuleNotFound');
  if (!testPace.admits(accountId, nowMs())) throw new CallError('tooManyRequests');
  try {
    return await tried(uses, rule, account, context);
  } catch (error) {
    // It was deleted meanwhile: nothing can be noted of it.
    if ((error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) throw new CallError('alarmRuleNotFound');
    throw error;
  }
}

type Rule = NonNullable<Awaited<ReturnType<typeof ruleById>>>;
type Account = NonNullable<Awaited<ReturnType<typeof readerOf>>>;

async function tried(
  uses: TryUses,
  rule: Rule,
  account: Account,
  context: CallContext,
): Promise<Result<Calls['test']>> {
  const { db, publicUrl, nowMs } = uses;
  const { accountId, level } = context.actor;
  const atMs = nowMs();
  const batchId = randomUUID();
  const told = alarmTold(
    [sample(atMs)],
    { ruleName: rule.name, portal: publicUrl(), id: batchId, atMs },
    { ...readerFrom(account), level },
  );
  const ways = await waysOf(db, accountId);
  const outcomes: Outcome[] = [];
  for (const channel of rule.channels as RuleChannel[]) {
    const planned: PlannedDelivery = {
      batch_id: batchId,
      account_id: accountId,
      rule_id: rule.id,
      rule_name: rule.name,
      channel,
      event: 'test',
      incidents: 0,
      incident_id: null,
      code: null,
      plant: '',
      at: new Date(atMs),
    };
    for (const way of ways[channel]) outcomes.push(await tryWay(uses, planned, way, told));
  }
  await inTransaction(db, (tx) =>
    recordAudit(tx, context, {
      log: 'account',
      action: 'alarm-rules.test',
      recordKind: 'alarmRule',
      recordId: rule.id,
      recordName: rule.name,
      organisationPath: context.actor.organisationPath,
      after: { delivered: outcomes.filter(({ delivered }) => delivered).length, of: outcomes.length },
    }),
  );
  return { sample: { title: told.title, text: told.text }, outcomes };
}

async function tryWay(uses: TryUses, planned: PlannedDelivery, way: Way, told: Told): Promise<Outcome> {
  const { db } = uses;
  const base = { channel: planned.channel as RuleChannel, target: way.target, isQueued: false, failure: null };
  if (planned.channel === 'inbox' || planned.channel === 'email') {
    await inTransaction(db, async (tx) => {
      await putOnWay(tx, planned, way, told);
      if (planned.channel !== 'inbox') return;
      await tellMessages(tx, [
        { accountId: planned.account_id, kind: 'alarm', event: 'test', at: planned.at, subject: planned.rule_name },
      ]);
    });
    return { ...base, delivered: planned.channel === 'inbox', isQueued: planned.channel === 'email' };
  }
  const channel = way.channelId === null ? undefined : await channelById(db, way.channelId);
  if (channel === undefined) return { ...base, delivered: false, failure: { reason: 'gone', status: null } };
  const failure = await deliverTold(uses, channel, () => told);
  const isSent = failure === undefined;
  await addDelivery(db, {
    ...planned,
    channel_id: way.channelId,
    target: way.target,
    state: isSent ? 'sent' : 'failed',
    sent_at: isSent ? planned.at : null,
    failure: isSent ? '' : storedFailure(failure),
  });
  return { ...base, delivered: isSent, failure: isSent ? null : { reason: failure.reason, status: failure.status } };
}

const sample = (atMs: number) =>
  ({
    incidentId: '',
    code: 0,
    level: 1,
    event: 'test',
    sinceMs: atMs,
    untilMs: null,
    place: '',
    zone: '',
    sn: '',
    plants: 1,
  }) as const;
