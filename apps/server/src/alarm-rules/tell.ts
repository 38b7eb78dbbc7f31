import { randomUUID } from 'node:crypto';
import { MOST_TOLD_SINGLY } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { MessageEvent } from '@sonnenwarte/contract/messages/messages';
import type { Kysely, Transaction } from 'kysely';
import { scopeOf } from '../access/scope.ts';
import { tellMessages } from '../messages/tell-messages.ts';
import { readerOf } from '../notifications/channels.store.ts';
import { readerFrom } from '../notifications/delivery.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import { putOnWay } from './deliver.ts';
import { judge } from './judge.ts';
import { addTellings, escalationsOf, holdTelling } from './match.store.ts';
import { matchIncidents, timesOf, zoneOf } from './match.ts';
import {
  addDelivery,
  type DueTelling,
  dueAccounts,
  dueTellings,
  incidentsSeen,
  markDropped,
  markTold,
  putOff,
  putOffAccount,
  putOffWay,
  sentLately,
  type ToldIncident,
  toldBefore,
} from './tell.store.ts';
import { freeAt, mostPerHour, parcelled, sendAt } from './telling-times.ts';
import { alarmTold, type ToldAlarm } from './told-text.ts';
import { type WaysOfAccount, waysOf } from './ways.ts';

type Tx = Transaction<Database>;

/** Tellings that wait longest, whose accounts are told in one round. */
const MOST_AT_ONCE = 500;
const MINUTE_MS = 60_000;
/** An account that cannot be told now is tried again after this time; others do not wait for it. */
const TRY_AGAIN_MS = 10 * MINUTE_MS;

/** One that is told, with its incident. */
interface Telling {
  readonly telling: DueTelling;
  readonly incident: ToldIncident;
}

interface Told {
  readonly portal: string;
  /** Somebody could not be told. */
  readonly onFailure?: (error: unknown, accountId: string) => void;
}

/**
 * Finds who is told of what is new, then tells each account what is due, all of it or nothing. Answers how much there was to do, 0 also where another process is
 * at it. However often it is cut off, nobody is told of an incident twice by one rule, and nothing is left out.
 */
export async function tellDue(db: Kysely<Database>, nowMs: number, { portal, onFailure }: Told): Promise<number> {
  const matched = await alone(db, (tx) => matchIncidents(tx));
  const accounts = await dueAccounts(db, new Date(nowMs), MOST_AT_ONCE);
  let told = 0;
  for (const accountId of accounts) {
    try {
      told += await alone(db, async (tx) => {
        const due = await dueTellings(tx, accountId, new Date(nowMs));
        await tellAccount(tx, due, nowMs, portal);
        return due.length;
      });
    } catch (error) {
      await putOffAccount(db, accountId, new Date(nowMs), new Date(nowMs + TRY_AGAIN_MS));
      onFailure?.(error, accountId);
    }
  }
  return matched + told;
}

/** Within a transaction of which there is one at a time; 0 where another process has it. */
const alone = (db: Kysely<Database>, work: (tx: Tx) => Promise<number>): Promise<number> =>
  inTransaction(db, async (tx) => ((await holdTelling(tx)) ? work(tx) : 0));

const idsOf = (tellings: readonly DueTelling[]): string[] => tellings.map(({ id }) => id);

async function tellAccount(tx: Tx, tellings: readonly DueTelling[], nowMs: number, portal: string): Promise<void> {
  const [first] = tellings;
  if (first === undefined) return;
  const { account_id: accountId, level, organisation_id: organisationID } = first;
  const scope = scopeOf({ accountId, level, organisationID });
  const seen = new Map(
    (await incidentsSeen(tx, scope, [...new Set(tellings.map(({ incident_id }) => incident_id))])).map((each) => [
      each.id,
      each,
    ]),
  );
  const tellable = await judged(tx, tellings, seen, nowMs);
  const ways = await waysOf(tx, accountId);
  const byChannel = Object.values(Object.groupBy(tellable, ({ telling }) => telling.channel));
  for (const some of byChannel) await tellWay(tx, some ?? [], ways, nowMs, portal);
}

/** Drops and puts off what is not to be told now; answers the rest. */
async function judged(
  tx: Tx,
  tellings: readonly DueTelling[],
  seen: ReadonlyMap<string, ToldIncident>,
  nowMs: number,
): Promise<Telling[]> {
  const dropped = new Map<string, string[]>();
  const later = new Map<number, string[]>();
  const tellable: Telling[] = [];
  for (const telling of tellings) {
    const incident = seen.get(telling.incident_id);
    const verdict = judge(
      {
        event: telling.event,
        ruleHolds:
          telling.is_told &&
          telling.enabled &&
          (incident === undefined ||
            ((telling.only_site === null || telling.only_site === incident.site_id) &&
              (telling.only_organisation === null || incident.path.includes(telling.only_organisation)))) &&
          telling.channels.includes(telling.channel) &&
          (incident === undefined ||
            (telling.levels.includes(incident.level) &&
              (telling.codes.length === 0 || telling.codes.includes(incident.code)))),
        times: timesOf(telling),
        zone: zoneOf(telling),
      },
      incident && {
        state: incident.state,
        level: incident.level,
        untilMs: incident.until?.getTime() ?? null,
        mutedUntilMs: incident.muted_until?.getTime() ?? null,
        standsAlone: incident.stands_alone,
      },
      nowMs,
    );
    if (verdict.kind === 'tell' && incident !== undefined) tellable.push({ telling, incident });
    if (verdict.kind === 'drop') dropped.set(verdict.reason, [...(dropped.get(verdict.reason) ?? []), telling.id]);
    if (verdict.kind === 'later') later.set(verdict.atMs, [...(later.get(verdict.atMs) ?? []), telling.id]);
  }
  for (const [reason, ids] of dropped) await markDropped(tx, ids, reason);
  for (const [atMs, ids] of later) await putOff(tx, ids, new Date(atMs));
  return tellable;
}

/** What another rule tells by the same way is told once; its own escalation follows all the same. */
async function withoutDoubles(tx: Tx, tellings: readonly Telling[], nowMs: number): Promise<Telling[]> {
  const [first] = tellings;
  if (first === undefined) return [];
  const told = await toldBefore(tx, first.telling, [...new Set(tellings.map(({ incident }) => incident.id))]);
  const doubles: Telling[] = [];
  const rest = tellings.filter((each) => {
    const { telling } = each;
    const key = `${telling.incident_id} ${telling.event}`;
    const isDouble = told.has(key);
    if (isDouble) doubles.push(each);
    told.add(key);
    return !isDouble;
  });
  await markDropped(
    tx,
    doubles.map(({ telling }) => telling.id),
    'toldAlready',
  );
  await escalate(tx, doubles, nowMs);
  return rest;
}

async function tellWay(
  tx: Tx,
  due: readonly Telling[],
  ways: WaysOfAccount,
  nowMs: number,
  portal: string,
): Promise<void> {
  const tellings = await withoutDoubles(tx, due, nowMs);
  const [first] = tellings;
  if (first === undefined) return;
  const { telling: way } = first;
  const targets = ways[way.channel];
  const now = new Date(nowMs);
  if (targets.length === 0) {
    await markDropped(tx, idsOf(tellings.map(({ telling }) => telling)), 'noChannel');
    // Where somebody looks for what was told it says why there is nothing.
    await addDelivery(tx, {
      ...planned(tellings, randomUUID(), now),
      channel_id: null,
      target: '',
      state: 'failed',
      failure: 'notSetUp',
    });
    await escalate(tx, tellings, nowMs);
    return;
  }
  const sent = await sentLately(tx, way, now);
  const most = mostPerHour(tellings.map(({ incident }) => incident.level));
  const free = freeAt(sent, nowMs, most);
  if (free > nowMs) {
    await putOffWay(tx, way, now, new Date(free));
    return;
  }
  const reader = await readerOf(tx, way.account_id);
  if (reader === undefined) return;
  const daily = tellings.filter(({ telling }) => telling.mode === 'daily');
  const atOnce = tellings.filter(({ telling }) => telling.mode === 'atOnce');
  const room = most - sent.length - (daily.length > 0 ? 1 : 0);
  const parcels =
    room < 1 && daily.length > 0
      ? [tellings]
      : [...parcelled(atOnce, room, MOST_TOLD_SINGLY), ...(daily.length > 0 ? [daily] : [])];
  for (const parcel of parcels) {
    const batchId = randomUUID();
    const told = alarmTold(
      parcel.map(toldOf),
      { ruleName: ruleOf(parcel), portal, id: batchId, atMs: nowMs },
      { ...readerFrom(reader), level: way.level },
    );
    for (const target of targets) await putOnWay(tx, planned(parcel, batchId, now), target, told);
    if (way.channel === 'inbox') await tellMessages(tx, [messageOf(parcel, now)]);
    await markTold(tx, idsOf(parcel.map(({ telling }) => telling)), batchId, now);
  }
  await escalate(tx, tellings, nowMs);
}

const placeOf = ({ site_name, region }: ToldIncident): string => site_name ?? region;

const toldOf = ({ telling, incident }: Telling): ToldAlarm => ({
  incidentId: incident.id,
  code: incident.code,
  level: incident.level,
  event: telling.event,
  sinceMs: incident.since.getTime(),
  untilMs: incident.until?.getTime() ?? null,
  place: placeOf(incident),
  zone: incident.time_zone ?? '',
  sn: incident.device_sn ?? '',
  plants: incident.site_name === null ? incident.plants : 1,
});

/** The worst of a parcel comes first in what stands for it. */
const worstOf = (parcel: readonly Telling[]): Telling => {
  const [worst] = parcel.toSorted((a, b) => b.incident.level - a.incident.level);
  if (worst === undefined) throw new Error('there is nothing to tell');
  return worst;
};

const ruleOf = (parcel: readonly Telling[]): string => worstOf(parcel).telling.rule_name;
const eventOf = (parcel: readonly Telling[]): MessageEvent<'alarm'> =>
  parcel.length > 1 ? 'digest' : worstOf(parcel).telling.event;

function planned(parcel: readonly Telling[], batchId: string, at: Date) {
  const { telling, incident } = worstOf(parcel);
  return {
    batch_id: batchId,
    account_id: telling.account_id,
    rule_id: telling.rule_id,
    rule_name: telling.rule_name,
    channel: telling.channel,
    event: eventOf(parcel),
    incidents: parcel.length,
    incident_id: incident.id,
    code: incident.code,
    plant: placeOf(incident),
    at,
  };
}

function messageOf(parcel: readonly Telling[], at: Date) {
  const { telling, incident } = worstOf(parcel);
  const isOne = parcel.length === 1;
  return {
    accountId: telling.account_id,
    kind: 'alarm',
    event: eventOf(parcel),
    at,
    subject: placeOf(incident),
    text: isOne ? (incident.device_sn ?? '') : '',
    recordId: isOne ? incident.id : null,
    code: incident.code,
    level: incident.level,
    count: parcel.length,
  } as const;
}

/** Whoever comes after is told if nobody has acknowledged until then. */
async function escalate(tx: Tx, told: readonly Telling[], nowMs: number): Promise<void> {
  const asking = told.filter(({ telling }) => telling.event === 'began' && telling.escalate_minutes !== null);
  if (asking.length === 0) return;
  const rules = [...new Set(asking.map(({ telling }) => telling.rule_id))];
  const next = Map.groupBy(await escalationsOf(tx, rules), ({ rule_id }) => rule_id);
  await addTellings(
    tx,
    asking.flatMap(({ telling, incident }) =>
      (next.get(telling.rule_id) ?? []).flatMap((receiver) =>
        receiver.channels.map((channel) => ({
          rule_id: telling.rule_id,
          incident_id: incident.id,
          account_id: receiver.account_id,
          channel,
          event: 'escalated' as const,
          due_at: new Date(
            sendAt(
              nowMs + receiver.escalate_minutes * MINUTE_MS,
              incident.level,
              { ...timesOf(receiver), mode: 'atOnce' },
              zoneOf(receiver),
            ),
          ),
        })),
      ),
    ),
  );
}
