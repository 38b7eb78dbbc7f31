import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import type { Level } from '../levels.ts';

const mqttLevels = [1, 2, 3, 4, 255] as const satisfies readonly Level[];

/** Devices that a program of an account, such as Home Assistant, is told of: the first ones by serial number. */
export const MOST_TOLD_DEVICES = 200;

/** How the account reads the messages of its dataloggers at the broker. */
export const mqttAccess = z.object({
  enabled: z.boolean(),
  /** Empty until the first time that it is switched on. */
  clientID: z.string(),
  /** `external`: the operator runs a broker of its own, and says there who may read. */
  broker: z.enum(['embedded', 'external']),
  /** TCP port of the embedded broker. */
  port: z.nullable(z.int()),
  /** Whether it speaks TLS there. */
  secure: z.boolean(),
  /** Serial number of a datalogger in scope, to try it with; `null` where there is none. */
  dataloggerSN: z.nullable(z.string()),
});
export type MqttAccess = z.infer<typeof mqttAccess>;

export const state = endpoint({
  method: 'GET',
  path: '/c/v0/user/mqtt/state',
  feature: 'user-center',
  summary: 'MQTT access of the signed-in account.',
  callers: mqttLevels,
  input: z.object({}),
  result: mqttAccess,
});

export const setEnabled = endpoint({
  method: 'POST',
  path: '/c/v0/user/mqtt',
  feature: 'user-center',
  summary:
    'Switch the MQTT access of the signed-in account on or off. Off, its connections end within 15 s. The password is an API key.',
  callers: mqttLevels,
  changes: ['user-center'],
  input: z.object({ enabled: z.boolean() }),
  result: mqttAccess,
});

export const renew = endpoint({
  method: 'POST',
  path: '/c/v0/user/mqtt/renew',
  feature: 'user-center',
  summary: 'Give the signed-in account another MQTT client id; connections with the old one end within 15 s.',
  callers: mqttLevels,
  changes: ['user-center'],
  input: z.object({}),
  result: mqttAccess,
});

export const mqttAccessEndpoints = { state, setEnabled, renew } as const;
