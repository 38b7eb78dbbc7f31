import { userCenterEndpoints } from '@sonnenwarte/contract/user-center/user-center';
import { featureOf } from '../feature.ts';
import { cancellationOf, cancelOwnAccount } from './cancellation.service.ts';
import { checkInstallerCode, installerOf, joinInstaller } from './installer.service.ts';
import { mqttAccessOf, renewMqttClient, setMqttAccess } from './mqtt-access.service.ts';
import {
  editInfo,
  endAllOtherSessions,
  endOneSession,
  renewSignUpCodeOf,
  sessionList,
  setPreferences,
  signUpCodeOf,
} from './user-center.service.ts';

/** What an account decides for itself: profile, preferences, sessions, sign-up code, MQTT access, and its end. */
export const feature = featureOf(userCenterEndpoints, {
  editInfo,
  preferences: setPreferences,
  sessions: sessionList,
  endSession: endOneSession,
  endOtherSessions: endAllOtherSessions,
  signUpCode: signUpCodeOf,
  renewSignUpCode: renewSignUpCodeOf,
  installer: installerOf,
  checkInstaller: checkInstallerCode,
  joinInstaller,
  mqttState: mqttAccessOf,
  setMqttEnabled: setMqttAccess,
  renewMqtt: renewMqttClient,
  cancellation: cancellationOf,
  cancelAccount: cancelOwnAccount,
});
