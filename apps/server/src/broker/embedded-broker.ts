import {
  dataloggerMayPublish,
  dataloggerMaySubscribe,
  isCommandTopic,
  isDataloggerSn,
} from '@sonnenwarte/device-protocol/sparkplug/topics';
import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type PublishPacket } from 'aedes';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { isLoopback } from '../loopback.ts';
import { type AccountAccess, isAccountClient } from './account-access.ts';
import { outside, within } from './connection-scope.ts';
import type { Admission, Credentials } from './credentials.ts';
import { FailureLimit } from './failure-limit.ts';
import { Gate, type GateTiming } from './gate.ts';
import { type Listeners, openListeners } from './listeners.ts';
import { type IncomingMessage, type MessageSink, type MessageSource, noAcknowledge } from './message-source.ts';
import { TOO_LARGE_TOPIC } from './packet-framer.ts';
import { sendTo } from './send-to.ts';
import { openCertificate } from './tls-certificate.ts';

export type BrokerSettings = Pick<
  Config,
  'host' | 'mqttPort' | 'mqttPlain' | 'mqttTls' | 'mqttLimits' | 'tlsCert' | 'tlsKey' | 'dataDir' | 'publicUrl'
>;

export interface EmbeddedBrokerOptions {
  settings: BrokerSettings;
  credentials: Pick<Credentials, 'admit'>;
  accounts: AccountAccess;
  sink: MessageSink;
  logger: Logger;
  /** Counts what the broker refuses. */
  refused(reason: string): void;
  failuresPerMinute?: number;
  timing?: Partial<BrokerTiming>;
}

export type BrokerTiming = GateTiming & { handshakeMs: number; turnMs: number; certificateMs: number };

const TIMING: BrokerTiming = {
  connectMs: 5_000,
  answerMs: 20_000,
  handshakeMs: 5_000,
  turnMs: 20_000,
  certificateMs: 10_000,
};
const LARGEST_OUTGOING_BYTES = 1024 * 1024;
const LARGEST_RETAINED_BYTES = 4 * 1024;
/** Messages of QoS 2 that one client has begun and not ended; the broker keeps them whole. */
const MOST_HALF_DONE = 100;
const LONGEST_TOPIC = 128;
/** The broker says nothing of a client that ends while it is let in, or is taken over while it ends; its will comes before. */
const FORGOTTEN_AFTER_MS = 1_000;
const LOG_AGAIN_AFTER_MS = 60_000;

interface Session {
  client: Client;
  connection: number;
}

/** The broker in this process. Messages go to the sink before they are acknowledged. */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<MessageSource> {
  const { credentials, accounts, sink, logger, refused } = options;
  const failures = new FailureLimit(options.failuresPerMinute);
  const sessions = new Map<string, Session>();
  const connections = new WeakMap<object, number>();
  const dataloggers = new Set<Client>();
  const loggedMs = new Map<string, number>();
  let lastConnection = 0;

  const logSometimes = (key: string, detail: Record<string, unknown>, text: string) => {
    const nowMs = Date.now();
    if (nowMs - (loggedMs.get(key) ?? 0) < LOG_AGAIN_AFTER_MS) return;
    if (loggedMs.size > 5_000) loggedMs.clear();
    loggedMs.set(key, nowMs);
    logger.warn(detail, text);
  };

  const admission = async (client: Client, username: string | undefined, password: Buffer | undefined) => {
    const name = client.id;
    const { network } = gateOf(client);
    const nowMs = Date.now();
    const isBlocked = failures.isBlocked(network, name, nowMs);
    const isAccount = isAccountClient(name);
    let answer: Admission = 'refused';
    if (username !== undefined && password !== undefined) {
      if (!isAccount) {
        // What is known in memory still gets in: a wrong neighbour locks out nobody.
        const mayAsk = !isBlocked && !failures.isGuessing(network, nowMs);
        if (username === name) answer = await credentials.admit(name, password, { mayAsk });
      } else if (!isBlocked && (await accounts.admit(client, username, password, sendTo(client, gateOf(client))))) {
        answer = 'admitted';
      }
    }
    if (answer === 'later') return answer;
    if (answer !== 'refused') failures.succeeded(network, name);
    else if (failures.failed(network, name, nowMs)) {
      logSometimes(`blocked ${network}`, { network, client: name.slice(0, 32) }, 'too many failed sign-ins');
    }
    return answer;
  };

  const broker = await Aedes.createBroker({
    concurrency: 0,
    queueLimit: 200,
    drainTimeout: 30_000,
    maxInflightInbound: MOST_HALF_DONE,
    connectTimeout: TIMING.answerMs,
    preConnect(client, packet, done) {
      const gate = gateOf(client);
      outside(gate, () => {
        keepLittle(packet);
        if (isAccountClient(packet.clientId)) {
          // Accounts only read: the broker keeps nothing for them, and says nothing in their name.
          packet.clean = true;
          delete packet.will;
        }
        within(gate, () => done(null, true));
      });
    },
    authenticate(client, username, password, done) {
      const gate = gateOf(client);
      const refuse = (returnCode: 3 | 5, reason: string) => {
        refused(reason);
        gate.isCounted = true;
        const error = Object.assign(new Error(reason), { returnCode }) as AuthenticateError;
        within(gate, () => done(error, null));
      };
      outside(gate, () => {
        if (!sink.accepts()) return refuse(3, 'overloaded');
        admission(client, username, password).then(
          (answer) => {
            if (answer === 'later') return refuse(3, 'provisioning-limit');
            if (answer === 'refused') {
              const detail = { address: gate.remoteAddress, client: client.id.slice(0, 32) };
              logSometimes(`auth ${gate.network}`, detail, 'client refused');
              return refuse(5, 'not-authorized');
            }
            if (gate.destroyed) return;
            if (!isAccountClient(client.id)) {
              lastConnection += 1;
              connections.set(client, lastConnection);
              sessions.set(client.id, { client, connection: lastConnection });
            }
            gate.once('close', () => {
              dataloggers.delete(client);
              setTimeout(() => ended(client), FORGOTTEN_AFTER_MS).unref();
            });
            within(gate, () => done(null, true));
          },
          (error: unknown) => {
            logSometimes('auth store', { err: error }, 'cannot check the password of a client');
            refuse(3, 'store-unavailable');
          },
        );
      });
    },
    authorizePublish(client, packet, done) {
      if (client === null) return done(null);
      const gate = gateOf(client);
      outside(gate, () => publish(client, packet, (error) => within(gate, () => done(error))));
    },
    authorizeSubscribe(client, subscription, done) {
      const gate = gateOf(client);
      const answer = (isAllowed: boolean) => {
        if (isAllowed) return within(gate, () => done(null, subscription));
        refused('subscription-forbidden');
        logSometimes(
          `sub ${client.id}`,
          { client: client.id, topic: subscription.topic.slice(0, 128) },
          'subscription refused',
        );
        within(gate, () => done(null, null));
      };
      outside(gate, () => {
        if (!isAccountClient(client.id)) return answer(dataloggerMaySubscribe(client.id, subscription.topic));
        accounts.maySubscribe(client, subscription.topic).then(answer, (error: unknown) => {
          logSometimes('sub store', { err: error }, 'cannot check the subscription of an account');
          answer(false);
        });
      });
    },
    authorizeForward(client, packet) {
      // What a datalogger is told to do, a new password among it, is for that one alone.
      if (isAccountClient(client.id) && isCommandTopic(packet.topic)) return null;
      // Each of these waits until the one before is on its way.
      if (accounts.told?.isTold(packet.topic)) return packet;
      // The broker waits for a full buffer to drain: no logger waits for somebody who only watches.
      const isFilling = isAccountClient(client.id) && wouldFill(client, packet.payload.length + LONGEST_TOPIC);
      if (isFilling || queuedBytes(client) > LARGEST_OUTGOING_BYTES) {
        refused('client-too-slow');
        return null;
      }
      return packet;
    },
  });

  const publish = (client: Client, packet: PublishPacket, done: (error?: Error | null) => void) => {
    const { topic } = packet;
    if (
      isAccountClient(client.id) &&
      accounts.hears(client, topic, packet.payload.toString().slice(0, LONGEST_TOPIC))
    ) {
      // Heard, and nobody else's: it goes where nobody can ask for it.
      Object.assign(packet, { topic: TOO_LARGE_TOPIC, payload: Buffer.alloc(0), retain: false });
      return done(null);
    }
    if (topic === TOO_LARGE_TOPIC && isDataloggerSn(client.id)) {
      refused('payload-too-large');
      logSometimes(`size ${client.id}`, { sn: client.id }, 'message too large');
      return done(null);
    }
    if (topic.length > LONGEST_TOPIC || !dataloggerMayPublish(client.id, topic)) {
      refused('topic-forbidden');
      gateOf(client).isCounted = true;
      logSometimes(`acl ${client.id}`, { sn: client.id, topic: topic.slice(0, 128) }, 'publish refused');
      return done(new Error('topic not allowed'));
    }
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    // Only the state of the JSON on-ramp is kept by the broker; anything else would let a logger fill its memory.
    if (packet.retain && (!topic.endsWith('/status') || payload.length > LARGEST_RETAINED_BYTES)) packet.retain = false;
    if (packet.retain) packet.payload = Buffer.from(payload);
    const isWill = client.closed;
    const message: IncomingMessage = {
      topic,
      payload,
      sn: client.id,
      connection: connections.get(client) ?? 0,
      isWill,
      uplink: gateOf(client).isSecure ? 'tls' : 'plain',
    };
    if (isWill) {
      sink.message(message, noAcknowledge);
      done(null);
    } else if (packet.qos > 0 || sink.isBehind()) sink.message(message, done);
    else sink.message(message, noAcknowledge, () => done(null));
  };

  const ended = (client: Client) => {
    accounts.ended(client);
    const session = sessions.get(client.id);
    if (session === undefined || session.client !== client) return;
    sessions.delete(client.id);
    sink.disconnected(client.id, session.connection);
  };
  broker.on('clientReady', (client) => {
    const gate = gateOf(client);
    if (gate.destroyed) return;
    if (!isAccountClient(client.id)) dataloggers.add(client);
    listeners.open(gate);
  });
  broker.on('subscribe', (subscriptions, client) => {
    if (!isAccountClient(client.id)) {
      sink.listens?.(client.id);
      return;
    }
    const topics = subscriptions.map(({ topic }) => topic);
    outside(gateOf(client), () => accounts.subscribed(client, topics));
  });
  broker.on('unsubscribe', (topics, client) => accounts.unsubscribed(client, topics));
  broker.on('clientDisconnect', ended);
  const clientError = (client: Client, error: Error) => {
    const gate = gateOf(client);
    // What the network does to a connection has a code; what is left is what the client did.
    const isNetwork = 'code' in error || error.message === 'keep alive timeout' || error.message === 'drain timeout';
    if (!isNetwork && !gate.isCounted) refused('protocol-error');
    gate.isCounted = true;
    logger.debug({ sn: client.id, address: gate.remoteAddress, err: error.message }, 'connection of a logger failed');
  };
  broker.on('clientError', clientError);
  broker.on('connectionError', clientError);
  // Without a listener it would end the process.
  (broker as NodeJS.EventEmitter).on('error', (error: unknown) => logger.error({ err: error }, 'the broker failed'));

  const listeners = await open(options, {
    asked: (gate) => void broker.handle(gate),
    refused: (gate, reason) => {
      refused(reason);
      const detail = { address: gate.remoteAddress, reason };
      logSometimes(`gate ${gate.network} ${reason}`, detail, 'connection to the broker refused');
    },
    failed: (gate, error) => {
      refused('internal');
      gate.isCounted = true;
      logger.error({ err: error, address: gate.remoteAddress }, 'a connection could not be handled and is ended');
    },
  }).catch(async (error: unknown) => {
    await new Promise<void>((done) => broker.close(() => done()));
    throw error;
  });

  return {
    kind: 'embedded',
    port: listeners.plainPort,
    tls: listeners.tls,
    state: () => (broker.closed ? 'down' : 'up'),
    connected: () => dataloggers.size,
    connections: () => listeners.connections(),
    publish: (topic, payload, { qos = 0, retain = false } = {}) =>
      new Promise((done, failed) => {
        broker.publish({ cmd: 'publish', topic, payload, qos, retain, dup: false }, (error) =>
          error ? failed(error) : done(),
        );
      }),
    connectionOf: (sn) => sessions.get(sn)?.connection ?? 0,
    isSecure(sn) {
      const client = sessions.get(sn)?.client;
      return client !== undefined && gateOf(client).isSecure;
    },
    hears(sn, topic) {
      const client = sessions.get(sn)?.client;
      return client !== undefined && !client.closed && subscriptionsOf(client)[topic] !== undefined;
    },
    hold(sn, isHeld) {
      const client = sessions.get(sn)?.client;
      if (client !== undefined) gateOf(client).hold(isHeld);
    },
    disconnect: (sn) => sessions.get(sn)?.client.close(),
    async stop() {
      const { closed } = listeners.close();
      await new Promise<void>((done) => broker.close(() => done()));
      listeners.destroy();
      await closed;
    },
  };
}

/** The ports as the settings have them: outside this machine with TLS, without it only where that is asked for. */
async function open(
  { settings, logger, refused, timing }: EmbeddedBrokerOptions,
  gate: Parameters<typeof openListeners>[0]['gate'],
): Promise<Omit<Listeners, 'tlsPort'> & { tls: MessageSource['tls'] }> {
  const { host, mqttTls, mqttLimits } = settings;
  const timings = { ...TIMING, ...timing };
  const certificate = mqttTls && openCertificate(settings, logger, timings.certificateMs);
  const options = {
    plainHosts: plainHostsOf(settings),
    plainPort: settings.mqttPort,
    limits: { most: mqttLimits.mostConnections, ...mqttLimits },
    timing: timings,
    gate,
    refused,
  };
  const tls = mqttTls && certificate && { host, port: mqttTls.port, certificate };
  const opened = async (): Promise<Listeners> => {
    try {
      return await openListeners({ ...options, tls });
    } catch (error) {
      const isOfTls = error instanceof ConfigError && error.message.startsWith('MQTT TLS port');
      if (!isOfTls || mqttTls?.isAsked || !isLoopback(host)) throw error;
      logger.warn({ err: error }, 'the broker starts without TLS');
      return openListeners({ ...options, tls: undefined });
    }
  };
  const listeners = await opened().catch((error: unknown) => {
    certificate?.stop();
    throw error;
  });
  const { tlsPort } = listeners;
  if (certificate !== undefined && tlsPort !== undefined) {
    logger.info({ port: tlsPort, fingerprint: certificate.fingerprint() }, 'the broker speaks TLS');
  }
  return {
    ...listeners,
    tls: certificate && tlsPort ? { port: tlsPort, fingerprint: certificate.fingerprint() } : undefined,
    close() {
      certificate?.stop();
      return listeners.close();
    },
  };
}

/** What runs on this machine, such as the demonstration, always reaches the broker without TLS. */
function plainHostsOf({ host, mqttPlain }: BrokerSettings): string[] {
  if (isLoopback(host)) return [host];
  if (!mqttPlain) return ['127.0.0.1'];
  return host === '0.0.0.0' || host === '::' ? [host] : ['127.0.0.1', host];
}

function gateOf({ conn }: Client): Gate {
  if (conn instanceof Gate) return conn;
  throw new Error('a client of the broker has no gate');
}

/**
 * The broker keeps the packet of a connection for as long as it lasts, and with a part of what was read all of it: memory
 * of 64 kB for each of ten thousand loggers. What is kept is copied.
 */
function keepLittle(packet: ConnectPacket): void {
  const { password, will } = packet;
  if (password !== undefined) packet.password = Buffer.from(password);
  if (will !== undefined) packet.will = { ...will, payload: Buffer.from(will.payload) };
}

/** What the broker delivers to a client by, filter by filter; its types leave it out. */
function subscriptionsOf(client: Client): Readonly<Record<string, unknown>> {
  return (client as unknown as { subscriptions: Record<string, unknown> }).subscriptions;
}

function wouldFill({ conn }: Client, bytes: number): boolean {
  return conn.writableLength > 0 && conn.writableLength + bytes >= conn.writableHighWaterMark;
}

function queuedBytes(client: Client): number {
  return client.conn.writableLength;
}
