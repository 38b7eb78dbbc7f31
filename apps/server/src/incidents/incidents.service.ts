import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { AlarmCause } from '@sonnenwarte/contract/incidents/alarm-facts';
import { alarmCauses } from '@sonnenwarte/contract/incidents/alarm-facts';
import { type IncidentRow, type incidentEndpoints, MOST_COUNTED } from '@sonnenwarte/contract/incidents/incidents';
import type { Language } from '@sonnenwarte/contract/languages';
import { alarms, portalAlarms } from '@sonnenwarte/device-protocol/points/alarms';
import { alarmName } from '../exports/alarm-name.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import type { Asked } from '../stores/lists.ts';
import { mayWork } from './acts.service.ts';
import {
  type Asker,
  countsOf,
  type IncidentFound,
  incidentsFound,
  type LossSum,
  lostToday,
  lostWhileOpen,
  toldNow,
} from './incidents.store.ts';

type Calls = typeof incidentEndpoints;

const ASSIGNERS: readonly number[] = [2, 3, 4, 255];

export const askerOf = ({ actor, scope }: Pick<CallContext, 'actor' | 'scope'>, nowMs: number): Asker => ({
  scope,
  accountId: actor.accountId,
  nowMs,
});

/** Codes whose name, in the caller's language, or whose number has a text in it. */
export function codesNamed(content: string, language: Language): number[] {
  const sought = content.trim().toLocaleLowerCase(language.replace('_', '-'));
  if (sought === '') return [];
  return [...alarms, ...portalAlarms].flatMap(({ code }) => {
    const name = alarmName(code, language).toLocaleLowerCase(language.replace('_', '-'));
    return name.includes(sought) || String(code).includes(sought) ? [code] : [];
  });
}

const isCause = (cause: string): cause is AlarmCause => alarmCauses.some((each) => each === cause);
export const causeOrNull = (cause: string): AlarmCause | null => (isCause(cause) ? cause : null);

/** Whether people of a plant and its money are told: integrators look at devices that were granted to them. */
export const readsPeople = ({ kind }: CallContext['scope']): boolean => kind !== 'granted';

export function toIncidentRow(row: IncidentFound, context: Pick<CallContext, 'actor' | 'scope'>): IncidentRow {
  const reads = readsPeople(context.scope);
  return {
    incidentID: row.id,
    code: row.code,
    level: row.level,
    state: row.state,
    stationID: row.site_id ?? '',
    plantName: row.site_name ?? '',
    city: row.city ?? '',
    ianaTimezone: row.time_zone ?? '',
    region: row.site_id === null ? row.region : '',
    deviceID: row.device_id ?? '',
    deviceSN: row.device_sn ?? '',
    kind: row.kind,
    moduleSN: row.logger_sn ?? '',
    sinceMs: row.since.getTime(),
    untilMs: row.until?.getTime() ?? null,
    times: row.times,
    children: row.children,
    plants: row.site_id === null ? row.child_plants : 1,
    lostWh: row.lost_wh,
    lostMoney: reads ? row.lost_money : null,
    currency: reads ? row.currency : '',
    acknowledgedBy: reads ? row.acknowledged_by : '',
    mutedUntilMs: row.muted_until?.getTime() ?? null,
    assignee: reads ? row.assignee : '',
    cause: causeOrNull(row.cause),
    extra: row.extra,
    can: {
      work: mayWork(context, row),
      assign: ASSIGNERS.includes(context.actor.level),
    },
  };
}

/** Incidents in scope, for a page as for a file. */
export async function incidentList(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  input: Asked<Calls['list']>,
  context: CallContext,
) {
  const codes = codesNamed(input.condition.content, context.language);
  const { rows, total, end } = await incidentsFound(db, askerOf(context, nowMs()), input, codes);
  return {
    rows: rows.map((row) => toIncidentRow(row, context)),
    total: Math.min(total, MOST_COUNTED),
    end,
    isMore: total > MOST_COUNTED,
  };
}

/** How many there are of each kind, and what they have cost. */
export async function incidentSummary(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  _: Parsed<Calls['summary']>,
  context: CallContext,
): Promise<Result<Calls['summary']>> {
  const asker = askerOf(context, nowMs());
  const [{ brief, oldest, ...counts }, open, today, now] = await Promise.all([
    countsOf(db, asker),
    lostWhileOpen(db, asker),
    lostToday(db, asker),
    toldNow(db, asker),
  ]);
  const unknown = open.reduce((sum, each) => sum + each.unknown, 0);
  const told = (sums: readonly Omit<LossSum, 'unknown'>[]) => ({
    ...sumsOf(sums),
    ...(!readsPeople(context.scope) && { money: [] }),
    unknown,
  });
  const lostOpen = told(open);
  return {
    counts,
    brief,
    told: now.told,
    oldestUnacknowledgedMs: oldest?.getTime() ?? null,
    // What is open and not reckoned yet has cost today what nobody knows.
    lostToday: today.length === 0 && lostOpen.wh === null ? lostOpen : told(today),
    lostOpen,
    newest: now.newest,
  };
}

function sumsOf(sums: readonly Omit<LossSum, 'unknown'>[]): Omit<Result<Calls['summary']>['lostOpen'], 'unknown'> {
  return {
    wh:
      sums.length > 0 && sums.every(({ wh }) => wh === null) ? null : sums.reduce((sum, { wh }) => sum + (wh ?? 0), 0),
    money: sums
      .filter(({ currency, money }) => currency !== '' && money !== null && Number(money) > 0)
      .toSorted((a, b) => (b.wh ?? 0) - (a.wh ?? 0) || a.currency.localeCompare(b.currency))
      .map(({ currency, money }) => ({ currency, amount: money ?? '0' })),
  };
}
