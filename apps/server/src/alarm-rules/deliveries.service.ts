import type { alarmRuleEndpoints, DeliveryRow } from '@sonnenwarte/contract/alarm-rules/alarm-rules';
import type { CallContext } from '../http/serve.ts';
import { failureOf } from '../notifications/delivery.ts';
import type { Uses } from '../services.ts';
import { type Asked, toRows } from '../stores/lists.ts';
import { deliveriesFound, type StoredDelivery } from './deliveries.store.ts';

type Calls = typeof alarmRuleEndpoints;

/** Where somebody else is reached is theirs to know. */
const toDelivery = (row: StoredDelivery, accountId: string): DeliveryRow => ({
  deliveryID: row.id,
  atMs: row.at.getTime(),
  ruleName: row.rule_name,
  receiver: row.receiver,
  channel: row.channel as DeliveryRow['channel'],
  target: row.account_id === accountId ? row.target : '',
  event: row.event as DeliveryRow['event'],
  incidents: row.incidents,
  incidentID: row.incident_id ?? '',
  code: row.code,
  plantName: row.plant,
  state: row.state,
  attempts: row.attempts,
  sentMs: row.sent_at?.getTime() ?? null,
  failure: row.mail_refused ? { reason: 'unreachable', status: null } : failureOf(row.failure),
});

/** What was told to the caller and by its rules, for a page as for a file. */
export async function deliveryList({ db }: Uses<'db'>, input: Asked<Calls['deliveries']>, { actor }: CallContext) {
  return toRows(await deliveriesFound(db, actor.accountId, input), (row) => toDelivery(row, actor.accountId));
}
