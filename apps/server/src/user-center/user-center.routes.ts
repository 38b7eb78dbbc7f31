import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import type { Kysely } from 'kysely';
import { type Api, serve } from '../http/serve.ts';
import type { Database } from '../stores/schema.ts';
import { cancellationOf, cancelOwnAccount } from './cancellation.service.ts';
import { checkInstallerCode, installerOf, joinInstaller } from './installer.service.ts';
import { type BrokerPorts, mqttAccessOf, renewMqttClient, setMqttAccess } from './mqtt-access.service.ts';
import {
  editInfo,
  endAllOtherSessions,
  endOneSession,
  renewSignUpCodeOf,
  sessionList,
  setPreferences,
  signUpCodeOf,
} from './user-center.service.ts';

export function bindUserCenter(api: Api, { db, broker }: { db: Kysely<Database>; broker: BrokerPorts }): void {
  serve(api, userCenterEndpoints.editInfo, (input, context) => editInfo(db, input, context));
  serve(api, userCenterEndpoints.preferences, (input, context) => setPreferences(db, input, context));
  serve(api, userCenterEndpoints.sessions, (_, context) => sessionList(db, context));
  serve(api, userCenterEndpoints.endSession, (input, context) => endOneSession(db, input, context));
  serve(api, userCenterEndpoints.endOtherSessions, (_, context) => endAllOtherSessions(db, context));
  serve(api, userCenterEndpoints.signUpCode, (_, context) => signUpCodeOf(db, context));
  serve(api, userCenterEndpoints.renewSignUpCode, (_, context) => renewSignUpCodeOf(db, context));
  serve(api, userCenterEndpoints.installer, (_, context) => installerOf(db, context));
  serve(api, userCenterEndpoints.checkInstaller, (input, context) => checkInstallerCode(db, input, context));
  serve(api, userCenterEndpoints.joinInstaller, (input, context) => joinInstaller(db, input, context));
  serve(api, userCenterEndpoints.mqttState, (_, context) => mqttAccessOf(db, broker, context));
  serve(api, userCenterEndpoints.setMqttEnabled, (input, context) => setMqttAccess(db, broker, input, context));
  serve(api, userCenterEndpoints.renewMqtt, (_, context) => renewMqttClient(db, broker, context));
  serve(api, userCenterEndpoints.cancellation, (_, context) => cancellationOf(db, context));
  serve(api, userCenterEndpoints.cancelAccount, (input, context) => cancelOwnAccount(db, input, context));
}
