import { type BatteryLogRow, type MessageEntry, testLogEndpoints } from '@sonnenwarte/contract/test-log/test-log';
import { knownPhrase } from '../exports/phrase-text.ts';
import { featureOf, widerFile } from '../feature.ts';
import type { Uses } from '../services.ts';
import { batteryLogOf } from './battery-log.service.ts';
import {
  endRecording,
  messageOf,
  messagesFound,
  recordDatalogger,
  recordingsOf,
  removeRecording,
} from './test-log.service.ts';

const numberOf =
  <Name extends keyof BatteryLogRow>(name: Name) =>
  (row: BatteryLogRow) =>
    row[name];

/** What dataloggers said and were told, message by message, and what the managements of batteries told. */
export const feature = featureOf(testLogEndpoints, {
  messages: messagesFound,
  exportMessages: widerFile<typeof testLogEndpoints.messages, Uses<'db'>, MessageEntry>({
    find: messagesFound,
    title: 'routes.test-log',
    own: {
      direction: ({ direction }, { language }) => knownPhrase(`test-log.direction.${direction}`, language) ?? direction,
      refusedFor: ({ refusedFor }, { language }) =>
        refusedFor === '' ? '' : (knownPhrase(`test-log.reason.${refusedFor}`, language) ?? refusedFor),
      summary: ({ summary }) => summary,
      text: ({ text, values }) =>
        text === '' ? values.map(({ name, value, unit }) => `${name}=${value}${unit && ` ${unit}`}`).join('; ') : text,
      hex: ({ hex }) => hex,
    },
  }),
  message: messageOf,
  recordings: recordingsOf,
  record: recordDatalogger,
  stop: endRecording,
  remove: removeRecording,
  batteryLog: batteryLogOf,
  exportBatteryLog: {
    find: batteryLogOf,
    title: 'test-log.battery.title',
    own: {
      state: ({ state }, { language }) => (state === '' ? '' : (knownPhrase(state, language) ?? state)),
      powerW: numberOf('powerW'),
      voltageV: numberOf('voltageV'),
      currentA: numberOf('currentA'),
      socPercent: numberOf('socPercent'),
      sohPercent: numberOf('sohPercent'),
      temperatureC: numberOf('temperatureC'),
      cellVoltageMaxV: numberOf('cellVoltageMaxV'),
      cellVoltageMinV: numberOf('cellVoltageMinV'),
      cellTempMaxC: numberOf('cellTempMaxC'),
      cellTempMinC: numberOf('cellTempMinC'),
      chargeLimitA: numberOf('chargeLimitA'),
      dischargeLimitA: numberOf('dischargeLimitA'),
      cycles: numberOf('cycles'),
      faultBits: numberOf('faultBits'),
    },
  },
});
