import { stateTopic } from '@sonnenwarte/device-protocol/topics';
import mqtt from 'mqtt';
import type { Logger } from 'pino';
import { type Acknowledge, type MessageSink, type MessageSource, noAcknowledge } from './message-source.ts';

export interface ExternalBrokerOptions {
  url: string;
  sink: MessageSink;
  logger: Logger;
  hostId: string;
}

const SUBSCRIPTIONS = [
  '$share/sonnenwarte/spBv1.0/#',
  '$share/sonnenwarte/pv/v1/+/up',
  '$share/sonnenwarte/pv/v1/+/status',
];
const CONNECT_TIMEOUT_MS = 10_000;
const LOOK_AGAIN_MS = 250;
const SN_PART_OF_SPARKPLUG = 3;
const SN_PART_OF_JSON = 2;

/**
 * Reads the messages of loggers from a broker of one's own, through shared subscriptions so that several processes can.
 * Messages are acknowledged to it when their samples are stored. Passwords and topics are then that broker's task.
 */
export async function connectExternalBroker(options: ExternalBrokerOptions): Promise<MessageSource> {
  const { url, sink, logger, hostId } = options;
  const client = mqtt.connect(url, {
    protocolVersion: 4,
    clientId: `${hostId}-${process.pid}-${Math.random().toString(36).slice(2, 10)}`,
    clean: true,
    reconnectPeriod: 2_000,
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
    if (!isForUs) return next();
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
  await new Promise<void>((done, failed) => {
    const timer = setTimeout(() => {
      client.end(true);
      failed(new Error(`MQTT_URL does not answer within ${CONNECT_TIMEOUT_MS / 1_000} s`));
    }, CONNECT_TIMEOUT_MS);
    client.once('connect', () => {
      clearTimeout(timer);
      done();
    });
  });
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
    hold: () => undefined,
    disconnect: () => undefined,
    stop() {
      isStopped = true;
      return client.endAsync();
    },
  };
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
