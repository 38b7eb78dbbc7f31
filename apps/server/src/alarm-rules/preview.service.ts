import {
  type alarmRuleEndpoints,
  MOST_PREVIEWED,
  PREVIEW_DAYS,
  type RuleTerms,
} from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { instantOf, isValidZone, localDay } from '@sonnenwarte/energy/calendar';
import { expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { incidentIsVisible, incidentStandsAlone, type Scope } from '../access/scope.ts';
import type { CallContext } from '../http/serve.ts';
import { readerOf } from '../notifications/channels.store.ts';
import type { Uses } from '../services.ts';
import type { Database } from '../stores/schema.ts';
import { byDay, daysUpTo, type PastIncident, replay } from './preview.ts';
import { checkedTerms } from './rules.service.ts';

type Calls = typeof alarmRuleEndpoints;

const MOST_SHOWN = 10;
const UNKNOWN_ZONE = 'UTC';

async function pastIncidents(
  db: Kysely<Database>,
  scope: Scope,
  terms: RuleTerms,
  since: Date,
): Promise<PastIncident[]> {
  const on = expressionBuilder<Database, 'incidents'>();
  const rows = await db
    .selectFrom('incidents')
    .leftJoin('sites', 'sites.id', 'incidents.site_id')
    .select([
      'incidents.code',
      'incidents.level',
      'incidents.since',
      'incidents.until',
      sql<string>`coalesce(sites.name, incidents.region)`.as('place'),
    ])
    .where('incidents.since', '>=', since)
    .where('incidents.level', 'in', terms.levels)
    .where(incidentIsVisible(scope)(on))
    .where(incidentStandsAlone(scope)(on))
    .$if(terms.codes.length > 0, (query) => query.where(sql<SqlBool>`incidents.code = any(${terms.codes}::int[])`))
    .$if(terms.stationID !== null, (query) => query.where('incidents.site_id', '=', terms.stationID))
    .$if(terms.organisationID !== null, (query) =>
      query.where(
        sql<SqlBool>`coalesce(sites.organisation_id, incidents.organisation_id) in (
          select id from organisations where path @> array[${terms.organisationID}::uuid])`,
      ),
    )
    .orderBy('incidents.since', 'desc')
    .limit(MOST_PREVIEWED + 1)
    .execute();
  return rows.map(({ code, level, since: began, until, place }) => ({
    code,
    level,
    plantName: place,
    sinceMs: began.getTime(),
    untilMs: until?.getTime() ?? null,
  }));
}

/** What a rule would have told the caller in the last days. */
export async function previewRule(
  { db, nowMs }: Uses<'db' | 'nowMs'>,
  terms: Parsed<Calls['preview']>,
  context: CallContext,
): Promise<Result<Calls['preview']>> {
  await checkedTerms(db, terms, context);
  const now = nowMs();
  const zone =
    [(await readerOf(db, context.actor.accountId))?.time_zone, context.timeZone].find(
      (each) => each !== null && each !== undefined && isValidZone(each),
    ) ?? UNKNOWN_ZONE;
  const days = daysUpTo(now, PREVIEW_DAYS, zone);
  const since = instantOf(days[0] ?? localDay(now, zone), zone);
  const found = await pastIncidents(db, context.scope, terms, new Date(since));
  const told = replay(found.slice(0, MOST_PREVIEWED), terms, zone, now);
  return {
    incidents: told.reduce((sum, { incidents }) => sum + incidents.length, 0),
    deliveries: told.length,
    digests: told.filter(({ incidents }) => incidents.length > 1).length,
    isMore: found.length > MOST_PREVIEWED,
    days: byDay(told, days, zone),
    newest: told
      .slice(-MOST_SHOWN)
      .toReversed()
      .map(({ atMs, incidents }) => {
        const [worst] = incidents.toSorted((a, b) => b.level - a.level);
        return {
          atMs,
          incidents: incidents.length,
          code: worst?.code ?? 0,
          level: worst?.level ?? 1,
          plantName: worst?.plantName ?? '',
        };
      }),
  };
}
