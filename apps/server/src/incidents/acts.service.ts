import { MOST_CHOICES } from '@sonnenwarte/contract/choices';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { moved } from '@sonnenwarte/contract/incidents/incident-moves';
import { type incidentEndpoints, LONGEST_MUTE_DAYS, MOST_COMMENTS } from '@sonnenwarte/contract/incidents/incidents';
import type { Transaction } from 'kysely';
import { mayEdit } from '../access/scope.ts';
import { type Rate, takeOf } from '../attempts/attempts.store.ts';
import { recordInParts } from '../audit/audit.ts';
import { entryAbout } from '../audit/entry-about.ts';
import { CallError } from '../http/call-error.ts';
import type { CallContext, Scoped } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import type { Database } from '../stores/schema.ts';
import {
  assigneeById,
  assigneesToChoose,
  commentsOf,
  enterSteps,
  type HeldIncident,
  holdIncidents,
  organisationsThatSee,
  type Person,
  writeAcknowledged,
  writeAssigned,
  writeCauseFound,
  writeClosed,
  writeMuted,
} from './acts.store.ts';
import { tellChanged } from './fold.store.ts';

type Calls = typeof incidentEndpoints;
type Used = Uses<'db' | 'nowMs'>;
type Tx = Transaction<Database>;

const DAY_MS = 86_400_000;
const comments: Rate = { kind: 'incidents.comment', most: 20, windowMs: 10 * 60_000 };

const personOf = ({ actor }: CallContext): Person => ({ accountId: actor.accountId, name: actor.username });

interface Act {
  readonly action: 'acknowledge' | 'close' | 'mute' | 'unmute' | 'assign' | 'comment';
  readonly ids: readonly string[];
  /** What those that a named one explains have part in. */
  readonly withExplained: boolean;
  /** Refuses what cannot be asked; after it is known that the incidents are the caller's to work on. */
  readonly check?: () => void | Promise<void>;
  /** Whether there is anything to do. */
  readonly fits: (incident: HeldIncident) => boolean;
  readonly write: (tx: Tx, ids: readonly string[], at: Date) => Promise<unknown>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** Does the same to several incidents, each that fits: all of them, or none where one is not the caller's to work on. Answers how many it changed. */
function actOn({ db, nowMs }: Used, context: CallContext, act: Act): Promise<number> {
  const { action, ids, withExplained, check, fits, write, after } = act;
  return inTransaction(db, async (tx) => {
    const held = await holdIncidents(tx, context.scope, ids);
    const named = held.filter(({ is_named }) => is_named);
    if (named.length < new Set(ids).size) throw new CallError('incidentNotFound');
    if (named.some((incident) => !mayWork(context, incident))) throw new CallError('noPermission');
    await check?.();
    const done = (withExplained ? held : named).filter((each) => mayWork(context, each) && fits(each));
    const at = new Date(nowMs());
    await write(
      tx,
      done.map(({ id }) => id),
      at,
    );
    await recordInParts(
      tx,
      context,
      done
        .filter(({ is_named }) => is_named)
        .map((incident) => ({
          ...entryAbout('site', {
            id: incident.site_id ?? incident.id,
            name: incident.site_name ?? incident.region,
            path: incident.path,
          }),
          action: `incidents.${action}` as const,
          after: { code: incident.code, ...after },
        })),
    );
    if (done.length > 0) await tellChanged(tx);
    return done.length;
  });
}

/** What is shared with an end user is only read. */
export const mayWork = (
  { actor, scope }: Pick<CallContext, 'actor' | 'scope'>,
  incident: { readonly site_id: string | null; readonly owner_account_id: string | null },
): boolean => actor.level !== 10 && (incident.site_id === null ? actor.level !== 1 : mayEdit(scope, incident));

export async function acknowledgeIncidents(
  used: Used,
  { ids, comment }: Parsed<Calls['acknowledge']>,
  context: CallContext,
): Promise<Result<Calls['acknowledge']>> {
  const by = personOf(context);
  const done = await actOn(used, context, {
    action: 'acknowledge',
    ids,
    withExplained: true,
    fits: ({ state }) => moved(state, 'acknowledge') !== undefined,
    write: async (tx, fitting, at) => {
      await writeAcknowledged(tx, fitting, at, by);
      await enterSteps(tx, fitting, { kind: 'acknowledged', at, by, text: comment });
    },
  });
  return { done };
}

export async function closeIncidents(
  used: Used,
  { ids, cause, comment }: Parsed<Calls['close']>,
  context: CallContext,
): Promise<Result<Calls['close']>> {
  const by = personOf(context);
  const done = await actOn(used, context, {
    action: 'close',
    ids,
    withExplained: true,
    fits: ({ state }) => moved(state, 'close') !== undefined,
    write: async (tx, fitting, at) => {
      await writeClosed(tx, fitting, at, cause);
      await enterSteps(tx, fitting, { kind: 'closed', at, by, text: comment, cause });
    },
    ...(cause !== undefined && { after: { cause } }),
  });
  return { done };
}

export async function muteIncidents(
  used: Used,
  { ids, untilMs, reason }: Parsed<Calls['mute']>,
  context: CallContext,
): Promise<Result<Calls['mute']>> {
  const now = used.nowMs();
  const latest = now + LONGEST_MUTE_DAYS * DAY_MS;
  const by = personOf(context);
  const until = new Date(untilMs);
  const done = await actOn(used, context, {
    action: 'mute',
    ids,
    withExplained: false,
    check: () => {
      const reason = untilMs <= now ? 'too_small' : untilMs > latest ? 'too_big' : undefined;
      if (reason !== undefined)
        throw new CallError('refusedInput', { fields: [{ path: 'untilMs', reason, params: {} }] });
    },
    fits: ({ state }) => state !== 'closed',
    write: async (tx, fitting, at) => {
      await writeMuted(tx, fitting, until, by.name, reason);
      await enterSteps(tx, fitting, { kind: 'muted', at, by, text: reason, until });
    },
    after: { until: until.toISOString(), reason },
  });
  return { done };
}

export async function unmuteIncidents(
  used: Used,
  { ids }: Parsed<Calls['unmute']>,
  context: CallContext,
): Promise<Result<Calls['unmute']>> {
  const by = personOf(context);
  const done = await actOn(used, context, {
    action: 'unmute',
    ids,
    withExplained: false,
    fits: ({ muted_until }) => muted_until !== null && muted_until.getTime() > used.nowMs(),
    write: async (tx, fitting, at) => {
      await writeMuted(tx, fitting, null, '', '');
      await enterSteps(tx, fitting, { kind: 'unmuted', at, by });
    },
  });
  return { done };
}

/** To somebody who sees it: who is at or above the organisation of its plant. */
export async function assignIncidents(
  used: Used,
  { ids, accountID }: Parsed<Calls['assign']>,
  context: CallContext,
): Promise<Result<Calls['assign']>> {
  const person = accountID === null ? undefined : await assigneeById(used.db, context.scope, accountID);
  const by = personOf(context);
  const done = await actOn(used, context, {
    action: 'assign',
    ids,
    withExplained: false,
    check: () => {
      if (accountID !== null && person === undefined) throw new CallError('accountNotFound');
    },
    fits: ({ state, assignee_id, path }) => {
      if (state === 'closed' || assignee_id === accountID) return false;
      const own = person?.path.at(-1);
      if (own !== undefined && !path.includes(own)) throw new CallError('assigneeSeesNot');
      return true;
    },
    write: async (tx, fitting, at) => {
      await writeAssigned(tx, fitting, accountID);
      await enterSteps(tx, fitting, {
        kind: accountID === null ? 'unassigned' : 'assigned',
        at,
        by,
        text: person && (person.name || person.username),
      });
    },
    after: { assignee: person?.username ?? '' },
  });
  return { done };
}

export async function commentIncident(
  used: Used,
  { id, text, cause }: Parsed<Calls['note']>,
  context: CallContext,
): Promise<Result<Calls['note']>> {
  const retryAfterMs = await takeOf(used.db, comments, context.actor.accountId);
  if (retryAfterMs > 0) throw new CallError('tryLater', { retryAfterMs });
  const by = personOf(context);
  await actOn(used, context, {
    action: 'comment',
    ids: [id],
    withExplained: false,
    fits: () => true,
    write: async (tx, fitting, at) => {
      if ((await commentsOf(tx, id)) >= MOST_COMMENTS) throw new CallError('incidentFull');
      if (cause !== undefined) await writeCauseFound(tx, id, cause);
      await enterSteps(tx, fitting, { kind: 'commented', at, by, text, cause });
    },
    ...(cause !== undefined && { after: { cause } }),
  });
  return {};
}

export async function assigneeChoices(
  { db }: Uses<'db'>,
  { search, ids, incidentIDs = [] }: Parsed<Calls['assignees']>,
  { scope }: Scoped,
): Promise<Result<Calls['assignees']>> {
  const of = incidentIDs.length === 0 ? undefined : await organisationsThatSee(db, scope, incidentIDs);
  if (incidentIDs.length > 0 && of === undefined) throw new CallError('incidentNotFound');
  const people = await assigneesToChoose(db, scope, { search, ids, of }, MOST_CHOICES);
  return {
    choices: people.map(({ id, username, name, organisation }) => ({
      id,
      name: name || username,
      detail: organisation,
    })),
  };
}
