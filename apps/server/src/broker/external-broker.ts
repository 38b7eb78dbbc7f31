import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stateTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt from 'mqtt';
import type { Logger } from 'pino';
import { ConfigError, withoutPassword } from '../config.ts';
import { type Acknowledge, type MessageSink, type MessageSource, noAcknowledge } from './message-source.ts';

export interface ExternalBrokerOptions {
  url: string;
  sink: MessageSink;
  logger: Logger;
  hostId: string;
  dataDir: string;
  connectTimeoutMs?: number;
}

/**
 * Not shared ones: in a shared subscription a session that nobody comes back to, as of a data folder that was given up, would go on
 * taking its part of the messages.
 */
const SUBSCRIPTIONS = ['spBv1.0/#', 'pv/v1/+/up', 'pv/v1/+/status', 'pv/v1/+/ack'];
const CONNECT_TIMEOUT_MS = 10_000;
const RECONNECT_MS = 2_000;
const LOOK_AGAIN_MS = 250;
const CLIENT_ID_FILE = 'mqtt-client-id';
const SN_PART_OF_SPARKPLUG = 3;
const SN_PART_OF_JSON = 2;

/**
 * Reads the messages of loggers from a broker of one's own.
 * Messages are acknowledged to it when their samples are stored. Passwords and topics are then that broker's task.
 * The session lasts: what the broker acknowledges to loggers while this process is away comes when it is back.
 */
export async function connectExternalBroker(options: ExternalBrokerOptions): Promise<MessageSource> {
  const { url, sink, logger, hostId } = options;
  const client = mqtt.connect(url, {
    protocolVersion: 4,
    clientId: clientIdOf(options.dataDir, hostId),
    clean: false,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    resubscribe: false,
    will: {
      topic: stateTopic(hostId),
      payload: Buffer.from(JSON.stringify({ online: false, timestamp: Date.now() })),
      qos: 1,
      retain: true,
    },
  });
  const acknowledge = holdAcknowledgements(client);
  let isStopped = false;
  client.handleMessage = (packet, next) => {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    const parts = packet.topic.split('/');
    const isJson = parts[0] === 'pv';
    const sn = parts[isJson ? SN_PART_OF_JSON : SN_PART_OF_SPARKPLUG] ?? '';
    const isForUs = isJson || (parts[1] !== 'STATE' && parts[2] !== 'NCMD' && parts[2] !== 'DCMD');
    // What is retained was taken when it was new.
    if (!isForUs || packet.retain) return next();
    const message = { topic: packet.topic, payload, sn, connection: 0, isWill: false };
    const take = () => {
      // Nothing more is read while nothing can be taken: the broker keeps it.
      if (!sink.accepts()) {
        if (!isStopped) setTimeout(take, LOOK_AGAIN_MS);
        return;
      }
      const isAwaited = sink.isBehind();
      const isStored = packet.qos > 0 ? acknowledge(packet.messageId ?? 0) : noAcknowledge;
      if (!isAwaited && packet.qos === 0) sink.message(message, noAcknowledge);
      else {
        sink.message(message, (error) => {
          isStored(error);
          if (isAwaited) next();
        });
      }
      if (!isAwaited) next();
    };
    take();
  };
  client.on('error', (error) => logger.warn({ err: error }, 'the MQTT broker cannot be used'));
  client.on('connect', () => {
    client
      .subscribeAsync(SUBSCRIPTIONS, { qos: 1 })
      .catch((error: unknown) => logger.error({ err: error }, 'the MQTT broker refuses the subscriptions'));
  });
  await firstConnection(client, url, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  return {
    kind: 'external',
    port: undefined,
    tls: undefined,
    state: () => (client.connected ? 'up' : 'down'),
    connected: () => 0,
    connections: () => ({ open: 0, unknown: 0, heldBytes: 0 }),
    publish: async (topic, payload, { qos = 0, retain = false } = {}) => {
      await client.publishAsync(topic, payload, { qos, retain });
    },
    connectionOf: () => 0,
    isSecure: () => false,
    hears: () => true,
    hold: () => undefined,
    disconnect: () => undefined,
    stop() {
      isStopped = true;
      return client.endAsync();
    },
  };
}

/** A broker keeps the session of a client id; each data folder has one of its own. */
function clientIdOf(dataDir: string, hostId: string): string {
  const file = path.join(dataDir, CLIENT_ID_FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${hostId}-${randomBytes(6).toString('hex')}`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

/** Resolves with the first connection. What another try would not mend is an error at once, with its true cause; the rest in the end. */
function firstConnection(client: mqtt.MqttClient, url: string, timeoutMs: number): Promise<void> {
  return new Promise<void>((done, failed) => {
    let newest: Error | undefined;
    const fail = (cause: Error | undefined) => {
      clearTimeout(timer);
      client.off('error', note);
      client.end(true);
      const text = `MQTT_URL is "${withoutPassword(url)}": ${reasonOf(cause, timeoutMs)}`;
      failed(new ConfigError(text, cause && { cause }));
    };
    const note = (error: Error) => {
      newest = error;
      if (isFinal(error)) fail(error);
    };
    const timer = setTimeout(() => fail(newest), timeoutMs);
    client.on('error', note);
    client.once('connect', () => {
      clearTimeout(timer);
      client.off('error', note);
      done();
    });
  });
}

const CONNACK_REFUSALS: Readonly<Record<number, string>> = {
  1: 'the broker does not speak MQTT 3.1.1.',
  2: 'the broker refuses the client id; the file mqtt-client-id in DATA_DIR has it.',
  4: 'the broker refuses the user name or the password.',
  5: 'the broker refuses the user name or the password, or does not let this user in.',
};

const codeOf = (error: Error | undefined): unknown => (error as { code?: unknown } | undefined)?.code;

const isOfCertificate = (code: unknown): boolean =>
  typeof code === 'string' && /CERT|SELF_SIGNED|UNABLE_TO|SIGNATURE|CRL|HOSTNAME/.test(code);

const isFinal = (error: Error): boolean => {
  const code = codeOf(error);
  return isOfCertificate(code) || (typeof code === 'number' && code in CONNACK_REFUSALS);
};

function reasonOf(error: Error | undefined, timeoutMs: number): string {
  const code = codeOf(error);
  if (typeof code === 'number' && code in CONNACK_REFUSALS) return CONNACK_REFUSALS[code] ?? '';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `the certificate of the broker is for another name (${code}).`;
  if (code === 'CERT_HAS_EXPIRED') return `the certificate of the broker is no longer valid (${code}).`;
  if (isOfCertificate(code)) {
    return `the certificate of the broker is not trusted (${code}). Name the file of its authority with NODE_EXTRA_CA_CERTS.`;
  }
  if (code === 'ECONNREFUSED') return `nobody listens there (${code}).`;
  if (code === 'ENOTFOUND') return `there is no host of that name (${code}).`;
  return `it does not answer within ${timeoutMs / 1_000} s${error === undefined ? '' : ` (${error.message})`}.`;
}

type SendPacket = (packet: { cmd: string; messageId?: number }, done?: () => void, ...rest: unknown[]) => unknown;

/**
 * The client would read its next message only when the one before is acknowledged. So it goes on at once, and its
 * acknowledgements are held back until the samples are stored. One that is refused is not acknowledged: the broker sends it again.
 */
function holdAcknowledgements(client: mqtt.MqttClient): (messageId: number) => Acknowledge {
  const held = new Set<number>();
  const sender = client as unknown as { _sendPacket: SendPacket };
  const send = sender._sendPacket.bind(client);
  sender._sendPacket = (packet, done, ...rest) => {
    if (packet.cmd !== 'puback' || !held.has(packet.messageId ?? 0)) return send(packet, done, ...rest);
    done?.();
    return undefined;
  };
  client.on('close', () => held.clear());
  return (messageId) => {
    held.add(messageId);
    return (error) => {
      if (error || !held.delete(messageId)) return;
      send({ cmd: 'puback', messageId });
    };
  };
}
