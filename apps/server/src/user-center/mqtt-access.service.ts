import { randomBytes } from 'node:crypto';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import type { MqttAccess, mqttAccessEndpoints } from '@sonnenwarte/contract/user-center/mqtt-access';
import { holdSignedIn } from '../accounts/judged-password.ts';
import { recordAudit } from '../audit/audit.ts';
import { found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { mqttAccessRow, someDatalogger, updateMqttAccess } from './mqtt-access.store.ts';

type Calls = typeof mqttAccessEndpoints;

/** At most 23 characters, as old clients allow, and nothing that a datalogger is called. */
const newClientId = (): string => `u-${randomBytes(10).toString('hex')}`;

export async function mqttAccessOf(
  { db, broker }: Uses<'db' | 'broker'>,
  _: unknown,
  { actor, scope }: CallContext,
): Promise<MqttAccess> {
  const [row, dataloggerSN] = await Promise.all([mqttAccessRow(db, actor.accountId), someDatalogger(db, scope)]);
  const { client_id: clientID, api_mqtt_enable: enabled } = found(row, 'tokenInvalid');
  return {
    enabled,
    clientID,
    broker: broker.port === undefined ? 'external' : 'embedded',
    port: broker.port ?? null,
    secure: broker.isSecure,
    dataloggerSN: dataloggerSN ?? null,
  };
}

/** Switches the access on or off; the first time it gets its client id. */
export async function setMqttAccess(
  { db, broker }: Uses<'db' | 'broker'>,
  { enabled }: Parsed<Calls['setEnabled']>,
  context: CallContext,
): Promise<Result<Calls['setEnabled']>> {
  const { actor } = context;
  await db.transaction().execute(async (tx) => {
    await holdSignedIn(tx, actor);
    const row = found(await mqttAccessRow(tx, actor.accountId), 'tokenInvalid');
    if (row.api_mqtt_enable === enabled) return;
    await updateMqttAccess(tx, actor.accountId, {
      api_mqtt_enable: enabled,
      ...(row.client_id === '' && { client_id: newClientId() }),
    });
    await recordAudit(tx, context, {
      ...entryOf(context),
      action: enabled ? 'user-center.enableMqtt' : 'user-center.disableMqtt',
      before: { enabled: !enabled },
      after: { enabled },
    });
  });
  return mqttAccessOf({ db, broker }, {}, context);
}

/** Gives the account another client id. */
export async function renewMqttClient(
  { db, broker }: Uses<'db' | 'broker'>,
  _: unknown,
  context: CallContext,
): Promise<Result<Calls['renew']>> {
  await db.transaction().execute(async (tx) => {
    await holdSignedIn(tx, context.actor);
    await updateMqttAccess(tx, context.actor.accountId, { client_id: newClientId() });
    await recordAudit(tx, context, { ...entryOf(context), action: 'user-center.renewMqttClient' });
  });
  return mqttAccessOf({ db, broker }, {}, context);
}

const entryOf = ({ actor }: CallContext) =>
  ({
    log: 'account',
    recordKind: 'account',
    recordId: actor.accountId,
    recordName: actor.username,
    organisationPath: actor.organisationPath,
  }) as const;
