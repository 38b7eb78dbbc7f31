import { type MqttAccess, renew } from '@sonnenwarte/contract/user-center/mqtt-access';
import { renewSignUpCode } from '@sonnenwarte/contract/user-center/user-center';
import { IconRefresh } from '@tabler/icons-react';
import { actionsOf } from '../blocks/actions/actions.tsx';

const access = actionsOf<MqttAccess>();

/** What can be done with the access to the broker. */
export const mqttActions = access.table(
  'user-center.mqtt',
  { nameOf: ({ clientID }) => clientID },
  {
    renew: access.asks(renew, () => ({}), {
      icon: IconRefresh,
      when: ({ broker, enabled }) => broker === 'embedded' && enabled,
    }),
  },
);

const code = actionsOf<{ code: string; canRenew: boolean }>();

/** What can be done with the sign-up code of the own organisation. */
export const signUpCodeActions = code.table(
  'user-center.signUpCode',
  { nameOf: ({ code }) => code },
  { renew: code.asks(renewSignUpCode, () => ({}), { icon: IconRefresh, when: ({ canRenew }) => canRenew }) },
);
