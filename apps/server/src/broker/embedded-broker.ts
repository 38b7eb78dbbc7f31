import { createServer, type Server, type Socket } from 'node:net';
import { loggerMayPublish, loggerMaySubscribe } from '@sonnenwarte/device-protocol/topics';
import { Aedes, type AuthenticateError, type Client, type ConnectPacket } from 'aedes';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import { type AccountAccess, isAccountClient } from './account-access.ts';
import type { Admission, Credentials } from './credentials.ts';
import { FailureLimit } from './failure-limit.ts';
import { type IncomingMessage, type MessageSink, type MessageSource, noAcknowledge } from './message-source.ts';

export interface EmbeddedBrokerOptions {
  host: string;
  port: number;
  credentials: Credentials;
  accounts: AccountAccess;
  sink: MessageSink;
  logger: Logger;
  /** Counts what the broker refuses. */
  refused(reason: string): void;
  failuresPerMinute?: number;
}

/** Bytes of a publish; the parser of the broker reads no more than a little above it before the client is dropped. */
const LARGEST_PAYLOAD_BYTES = 256 * 1024;
/**
 * Read of a connection before its messages are acknowledged. A backlog comes in messages of up to 32 kB: with the usual 64 kB
 * two of them wait at a time, and storage has to write many small parts.
 */
const READ_AHEAD_BYTES = 256 * 1024;
const LARGEST_OUTGOING_BYTES = 1024 * 1024;
const LONGEST_TOPIC = 128;
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
  const loggedMs = new Map<string, number>();
  const sockets = new Set<Socket>();
  let lastConnection = 0;

  const logSometimes = (key: string, detail: Record<string, unknown>, text: string) => {
    const nowMs = Date.now();
    if (nowMs - (loggedMs.get(key) ?? 0) < LOG_AGAIN_AFTER_MS) return;
    if (loggedMs.size > 5_000) loggedMs.clear();
    loggedMs.set(key, nowMs);
    logger.warn(detail, text);
  };

  const broker = await Aedes.createBroker({
    concurrency: 0,
    queueLimit: 200,
    drainTimeout: 30_000,
    maxTopicLevels: 8,
    connectTimeout: 20_000,
    preConnect(client, packet, done) {
      keepLittle(packet);
      if (isAccountClient(packet.clientId)) {
        // Accounts only read: the broker keeps nothing for them, and says nothing in their name.
        packet.clean = true;
        delete packet.will;
      }
      const address = addressOf(client);
      if (failures.isBlocked(address, Date.now())) {
        refused('address-blocked');
        done(new Error('address blocked'), false);
      } else done(null, true);
    },
    authenticate(client, username, password, done) {
      const sn = client.id;
      const address = addressOf(client);
      const refuse = (returnCode: 3 | 5, reason: string) => {
        refused(reason);
        done(Object.assign(new Error(reason), { returnCode }) as AuthenticateError, null);
      };
      if (!sink.accepts()) return refuse(3, 'overloaded');
      const isAccount = isAccountClient(sn);
      const admission = async (): Promise<Admission> => {
        if (password === undefined || username === undefined) return 'refused';
        if (isAccount) return (await accounts.admit(client, username, password)) ? 'admitted' : 'refused';
        return username === sn ? credentials.admit(sn, password) : 'refused';
      };
      admission().then(
        (answer) => {
          if (answer === 'refused') {
            if (failures.note(address, Date.now())) logger.warn({ address }, 'address blocked after failed sign-ins');
            logSometimes(`auth ${address}`, { address, client: sn.slice(0, 32) }, 'client refused');
            return refuse(5, 'not-authorized');
          }
          if (isAccount) return done(null, true);
          lastConnection += 1;
          connections.set(client, lastConnection);
          sessions.set(sn, { client, connection: lastConnection });
          done(null, true);
        },
        (error: unknown) => {
          logSometimes('auth store', { err: error }, 'cannot check the password of a client');
          refuse(3, 'store-unavailable');
        },
      );
    },
    authorizePublish(client, packet, done) {
      if (client === null) return done(null);
      const { topic } = packet;
      if (topic.length > LONGEST_TOPIC || !loggerMayPublish(client.id, topic)) {
        refused('topic-forbidden');
        logSometimes(`acl ${client.id}`, { sn: client.id, topic: topic.slice(0, 128) }, 'publish refused');
        return done(new Error('topic not allowed'));
      }
      const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
      if (payload.length > LARGEST_PAYLOAD_BYTES) {
        refused('payload-too-large');
        logSometimes(`size ${client.id}`, { sn: client.id, bytes: payload.length }, 'payload too large');
        return done(new Error('payload too large'));
      }
      // Only the state of the JSON on-ramp is kept by the broker; anything else would let a logger fill its memory.
      if (packet.retain && !topic.endsWith('/status')) packet.retain = false;
      const isWill = client.closed;
      const message: IncomingMessage = {
        topic,
        payload,
        sn: client.id,
        connection: connections.get(client) ?? 0,
        isWill,
      };
      if (packet.qos > 0 && !isWill) sink.message(message, done);
      else if (sink.isBehind() && !isWill) sink.message(message, done);
      else {
        sink.message(message, noAcknowledge);
        done(null);
      }
    },
    authorizeSubscribe(client, subscription, done) {
      const answer = (isAllowed: boolean) => {
        if (isAllowed) return done(null, subscription);
        refused('subscription-forbidden');
        logSometimes(
          `sub ${client.id}`,
          { client: client.id, topic: subscription.topic.slice(0, 128) },
          'subscription refused',
        );
        done(null, null);
      };
      if (!isAccountClient(client.id)) return answer(loggerMaySubscribe(client.id, subscription.topic));
      accounts.maySubscribe(client, subscription.topic).then(answer, (error: unknown) => {
        logSometimes('sub store', { err: error }, 'cannot check the subscription of an account');
        answer(false);
      });
    },
    authorizeForward(client, packet) {
      // The broker waits for a full buffer to drain: no logger waits for somebody who only watches.
      const isFilling = isAccountClient(client.id) && wouldFill(client, packet.payload.length + LONGEST_TOPIC);
      if (isFilling || queuedBytes(client) > LARGEST_OUTGOING_BYTES) {
        refused('client-too-slow');
        return null;
      }
      return packet;
    },
  });

  broker.on('unsubscribe', (topics, client) => accounts.unsubscribed(client, topics));
  broker.on('clientDisconnect', (client) => {
    accounts.ended(client);
    const session = sessions.get(client.id);
    if (session === undefined || session.client !== client) return;
    sessions.delete(client.id);
    sink.disconnected(client.id, session.connection);
  });
  const clientError = (client: Client, error: Error) => {
    logger.debug({ sn: client.id, address: addressOf(client), err: error.message }, 'connection of a logger failed');
  };
  broker.on('clientError', clientError);
  broker.on('connectionError', clientError);

  const server = createServer({ noDelay: true, highWaterMark: READ_AHEAD_BYTES }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (failures.isBlocked(socket.remoteAddress ?? '', Date.now())) {
      refused('address-blocked');
      socket.destroy();
      return;
    }
    broker.handle(socket);
  });
  await listen(server, options.host, options.port);
  const address = server.address();

  return {
    kind: 'embedded',
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    state: () => (broker.closed ? 'down' : 'up'),
    connected: () => broker.connectedClients - accounts.connected,
    publish: (topic, payload, { qos = 0, retain = false } = {}) =>
      new Promise((done, failed) => {
        broker.publish({ cmd: 'publish', topic, payload, qos, retain, dup: false }, (error) =>
          error ? failed(error) : done(),
        );
      }),
    connectionOf: (sn) => sessions.get(sn)?.connection ?? 0,
    disconnect: (sn) => sessions.get(sn)?.client.close(),
    async stop() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      await new Promise<void>((done) => broker.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
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

function addressOf(client: Client): string {
  const { conn } = client;
  return 'remoteAddress' in conn ? (conn.remoteAddress ?? '') : '';
}

function wouldFill({ conn }: Client, bytes: number): boolean {
  return conn.writableLength > 0 && conn.writableLength + bytes >= conn.writableHighWaterMark;
}

function queuedBytes(client: Client): number {
  return client.conn.writableLength;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, failed) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return failed(error);
      failed(
        new ConfigError(
          `MQTT port ${port} on ${host} is already used by another process. Set MQTT_PORT to a free port.`,
          {
            cause: error,
          },
        ),
      );
    };
    server.once('error', refuse);
    server.listen({ host, port, backlog: 4_096 }, () => {
      server.off('error', refuse);
      done();
    });
  });
}
