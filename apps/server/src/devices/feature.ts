import { deviceEndpoints } from '@sonnenwarte/contract/devices/devices';
import { alarmName } from '../exports/alarm-name.ts';
import { featureOf } from '../feature.ts';
import {
  addressbookOf,
  deviceList,
  earningsOf,
  historyRawOf,
  inverterStatusAll,
  realOf,
  variablesOf,
} from './devices.service.ts';

/** Inverters and other devices: list, identity, newest values, history, earnings. */
export const feature = featureOf(deviceEndpoints, {
  list: deviceList,
  exportList: {
    find: deviceList,
    own: {
      alarm: ({ alarm }, { language }) => (alarm === null ? null : alarmName(alarm.code, language)),
      version: ({ version: { master, slave, manager, afci } }) =>
        [master, slave, manager, afci].filter((each) => each !== '').join(' / '),
    },
  },
  statusAll: inverterStatusAll,
  addressbook: addressbookOf,
  variables: variablesOf,
  real: realOf,
  historyRaw: historyRawOf,
  earnings: earningsOf,
});
