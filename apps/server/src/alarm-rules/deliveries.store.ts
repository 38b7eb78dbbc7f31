import type { deliveries, deliveryFields } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { DeliveryState } from '@sonnenwarte/contract/alarm-rules/delivery-moves';
import { type Kysely, type SqlBool, sql } from 'kysely';
import { type Asked, containing, pageOf, type SortKeys } from '../stores/lists.ts';
import type { Database } from '../stores/schema.ts';

type Db = Kysely<Database>;

/** A mail that its server has not taken after so many tries is not tried again. */
export const MOST_MAIL_TRIES = 25;

/** Of a mail what has become of it since it was put into the outbox. */
const state = sql<DeliveryState>`case
  when deliveries.mail_id is null then deliveries.state
  when mails.sent_at is not null then 'sent'
  when mails.attempts >= ${MOST_MAIL_TRIES} then 'failed'
  else 'queued' end`;

/** Deliveries to an account, and those of its rules to others. */
const deliveriesOf = (db: Db, accountId: string) =>
  db
    .selectFrom('alarm_deliveries as deliveries')
    .innerJoin('accounts', 'accounts.id', 'deliveries.account_id')
    .leftJoin('mails', 'mails.id', 'deliveries.mail_id')
    .select([
      'deliveries.id',
      'deliveries.account_id',
      'deliveries.at',
      'deliveries.rule_name',
      'deliveries.channel',
      'deliveries.target',
      'deliveries.event',
      'deliveries.incidents',
      'deliveries.incident_id',
      'deliveries.code',
      'deliveries.plant',
      'deliveries.failure',
      state.as('state'),
      sql<number>`coalesce(mails.attempts, deliveries.attempts)`.as('attempts'),
      sql<Date | null>`coalesce(mails.sent_at, deliveries.sent_at)`.as('sent_at'),
      sql<boolean>`mails.id is not null and mails.sent_at is null and mails.last_error <> ''`.as('mail_refused'),
      sql<string>`coalesce(nullif(accounts.name, ''), accounts.username)`.as('receiver'),
    ])
    .where(sql<SqlBool>`deliveries.id in (
      select id from alarm_deliveries where account_id = ${accountId}
      union all select id from alarm_deliveries where rule_id in (select id from alarm_rules where account_id = ${accountId}))`);

export type StoredDelivery = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['execute']>>[number];

const sortKeys = { atMs: sql`deliveries.at` } satisfies SortKeys<typeof deliveryFields>;

export function deliveriesFound(db: Db, accountId: string, { condition, sort, ...span }: Asked<typeof deliveries>) {
  const { content, states = [], ruleID, incidentID } = condition;
  const pattern = containing(content);
  const query = deliveriesOf(db, accountId)
    .$if(content !== '', (some) =>
      some.where(
        sql<SqlBool>`(deliveries.plant ilike ${pattern} or deliveries.target ilike ${pattern} or deliveries.rule_name ilike ${pattern})`,
      ),
    )
    .$if(states.length > 0, (some) => some.where(sql<SqlBool>`${state} = any(${states}::text[])`))
    .$if(ruleID !== undefined, (some) => some.where('deliveries.rule_id', '=', ruleID ?? ''))
    .$if(incidentID !== undefined, (some) =>
      some.where(
        sql<SqlBool>`deliveries.batch_id in (select batch_id from alarm_tellings where incident_id = ${incidentID} and batch_id is not null)`,
      ),
    );
  const ordering = { key: sortKeys[sort.field], apart: [sql`deliveries.id`], order: sort.order, isKnown: true };
  return pageOf(query, ordering, span as Asked<typeof deliveries>);
}
