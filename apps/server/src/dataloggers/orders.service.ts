import type { dataloggerEndpoints } from '@sonnenwarte/contract/dataloggers/dataloggers';
import type { Parsed, Result } from '@sonnenwarte/contract/endpoint';
import { FORMER_PASSWORD_MS } from '../broker/credentials.ts';
import { offerPassword } from '../datalogger-keys/offered-passwords.store.ts';
import { CallError, found } from '../http/call-error.ts';
import type { CallContext } from '../http/serve.ts';
import type { Uses } from '../services.ts';
import { inTransaction } from '../stores/in-transaction.ts';
import { sightOf } from './dataloggers.service.ts';
import { type HeldDatalogger, hasOpenOrder, holdDatalogger } from './managed.store.ts';

type Calls = typeof dataloggerEndpoints;
type Stores = Uses<'db' | 'commands' | 'nowMs' | 'broker'>;

/** Tells a datalogger to restart; that it has is known once it has connected again. */
export const restartDatalogger = (
  stores: Stores,
  { moduleID }: Parsed<Calls['restart']>,
  context: CallContext,
): Promise<Result<Calls['restart']>> => ordered(stores, moduleID, context, 'Reboot');

/** Tells a datalogger a new password, which nobody sees. It is good beside the one before for a day, and its own once it has connected with it. */
export const rotatePassword = (
  stores: Stores,
  { moduleID }: Parsed<Calls['rotatePassword']>,
  context: CallContext,
): Promise<Result<Calls['rotatePassword']>> =>
  ordered(stores, moduleID, context, 'NewCredential', ({ uplink }) => {
    if (stores.broker.port === undefined) throw new CallError('rotationByOtherBroker');
    if (uplink !== 'tls') throw new CallError('rotationNeedsTls');
  });

function ordered(
  { db, commands, nowMs }: Stores,
  moduleID: string,
  context: CallContext,
  action: 'Reboot' | 'NewCredential',
  judge: (datalogger: HeldDatalogger) => void = () => undefined,
): Promise<{ commandID: string }> {
  const now = nowMs();
  return inTransaction(db, async (tx) => {
    const datalogger = found(await holdDatalogger(tx, sightOf(context), moduleID), 'dataloggerNotFound');
    if (datalogger.quarantined) throw new CallError('dataloggerQuarantined');
    judge(datalogger);
    if (await hasOpenOrder(tx, datalogger.id)) throw new CallError('dataloggerBusy');
    const [commandID = ''] = await commands.order(
      tx,
      [
        {
          loggerID: datalogger.id,
          deviceID: null,
          kind: 'action',
          content: { action },
          source: 'hand',
          orderedBy: context.actor.accountId,
        },
      ],
      context,
    );
    if (action === 'NewCredential')
      await offerPassword(tx, { id: datalogger.id, commandID, until: new Date(now + FORMER_PASSWORD_MS) });
    return { commandID };
  });
}
