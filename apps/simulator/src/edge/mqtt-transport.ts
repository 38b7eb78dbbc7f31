import mqtt from 'mqtt';
import type { OpenTransport, Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_S = 30;

/** MQTT 3.1.1, user name and client id = SN. Reconnecting is the edge's matter, which must make a new will each time. */
export function mqttTransport(url: string, passwordOf: (sn: string) => string | undefined): OpenTransport {
  return async (request) => {
    const password = passwordOf(request.sn);
    const client = mqtt.connect(url, {
      protocolVersion: 4,
      clientId: request.sn,
      username: request.sn,
      ...(password === undefined ? {} : { password }),
      clean: true,
      keepalive: KEEP_ALIVE_S,
      reconnectPeriod: 0,
      connectTimeout: CONNECT_TIMEOUT_MS,
      will: { topic: request.will.topic, payload: Buffer.from(request.will.payload), qos: 1, retain: false },
    });
    await opened(client);
    client.on('error', () => client.end(true));
    client.on('message', (topic, payload) => request.onMessage(topic, payload));
    const inFlight = new Set<(reason: Error) => void>();
    let isClosed = false;
    client.on('close', () => {
      if (isClosed) return;
      isClosed = true;
      for (const reject of inFlight) reject(new Error('connection lost'));
      inFlight.clear();
      request.onClose();
    });
    const granted = await client.subscribeAsync(request.subscriptions, { qos: 1 });
    const refused = granted.find((grant) => grant.qos > 2);
    if (refused !== undefined) {
      client.end(true);
      throw new Error(`subscription to ${refused.topic} was refused`);
    }
    return transportOf(client, inFlight, () => isClosed);
  };
}

function transportOf(
  client: mqtt.MqttClient,
  inFlight: Set<(reason: Error) => void>,
  isClosed: () => boolean,
): Transport {
  return {
    publish(topic, payload, qos) {
      return new Promise((resolve, reject) => {
        if (isClosed()) {
          reject(new Error('not connected'));
          return;
        }
        inFlight.add(reject);
        client.publish(topic, Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength), { qos }, (error) => {
          inFlight.delete(reject);
          if (error) reject(error);
          else resolve();
        });
      });
    },
    async close(isClean) {
      if (isClean) await client.endAsync();
      else {
        client.stream.destroy();
        client.end(true);
      }
    },
  };
}

function opened(client: mqtt.MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      client.off('connect', onConnect);
      client.off('error', onError);
      client.off('close', onClose);
      if (error === undefined) resolve();
      else {
        client.on('error', () => undefined);
        client.end(true);
        reject(error);
      }
    };
    const onConnect = () => settle();
    const onError = (error: Error) => settle(error);
    const onClose = () => settle(new Error('connection closed before it was accepted'));
    client.on('connect', onConnect);
    client.on('error', onError);
    client.on('close', onClose);
  });
}
