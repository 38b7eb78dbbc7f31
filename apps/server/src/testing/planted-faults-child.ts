import { Aedes, type Client } from 'aedes';
import { pino } from 'pino';
import type { AccountAccess } from '../broker/account-access.ts';
import { endBrokenConnection } from '../broker/connection-scope.ts';
import { startEmbeddedBroker } from '../broker/embedded-broker.ts';
import type { MessageSink } from '../broker/message-source.ts';
import { readConfig } from '../config.ts';

/** A broker whose parts throw on request: the last digit of a serial number says which. */
const plan = (sn: string): string =>
  ['', 'take', 'late', 'acknowledge', 'register', 'timer', 'listener'][Number(sn.at(-1))] ?? '';
const fail = (): never => {
  throw new Error('planted');
};

const sink: MessageSink = {
  message({ sn }, done) {
    if (plan(sn) === 'take') fail();
    if (plan(sn) === 'acknowledge') return void setImmediate(() => done(new Error('planted')));
    setImmediate(() => done(null));
  },
  disconnected: () => undefined,
  accepts: () => true,
  isBehind: () => false,
};

// Faults in the broker's own steps, which run in turns of their own.
const library = Aedes.prototype as unknown as { registerClient(client: Client): void };
const register = library.registerClient;
library.registerClient = function registerClient(client) {
  if (plan(client.id) === 'register') fail();
  if (plan(client.id) === 'timer') setTimeout(fail, 1);
  if (plan(client.id) === 'listener') client.conn.prependListener('readable', fail);
  register.call(this, client);
};

const counts: Record<string, number> = {};
process.on('uncaughtException', (error) => {
  if (!endBrokenConnection(error)) process.exit(1);
});
const source = await startEmbeddedBroker({
  settings: readConfig({ MQTT_PORT: '0', MQTT_TLS_PORT: 'off', DEMO: 'off' }),
  credentials: { admit: async (sn) => (plan(sn) === 'late' ? fail() : 'admitted') },
  accounts: { ended: () => undefined, unsubscribed: fail } as unknown as AccountAccess,
  sink,
  logger: pino({ level: 'silent' }),
  refused(reason) {
    counts[reason] = (counts[reason] ?? 0) + 1;
  },
});
process.on('message', () => process.send?.(counts));
process.once('disconnect', () => process.exit(0));
process.send?.(source.port);
