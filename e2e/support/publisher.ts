import { setTimeout as delay } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import { deviceBirth, nodeBirth, nodeDeath, storedReading } from './sparkplug.ts';
import { waitUntil } from './wait-until.ts';

export type Tongue = 'json' | 'sparkplug';

interface Identity {
  readonly sn: string;
  readonly password: string;
  readonly device: string;
  readonly tongue: Tongue;
}

const IN_FLIGHT = 8;
const PAUSE_MS = 10;
export const POINT = 'AC/ActivePower';

/** A datalogger that goes on whatever happens to the portal, and remembers what was acknowledged to it. */
export class Publisher {
  /** Value by time of every sample that was acknowledged at QoS 1. */
  readonly acknowledged = new Map<number, number>();
  readonly device: string;
  readonly #identity: Identity;
  readonly #firstMs: number;
  #mqttUrl: string;
  #sent = 0;
  #births = 0;
  #seq = 0;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(identity: Identity, mqttUrl: string) {
    this.#identity = identity;
    this.device = identity.device;
    this.#mqttUrl = mqttUrl;
    this.#firstMs = Date.now() - 3_600_000;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The portal was started anew, at another address. */
  moveTo(mqttUrl: string): void {
    this.#mqttUrl = mqttUrl;
  }

  /** Waits until so many more samples have been acknowledged. */
  async more(count: number): Promise<void> {
    const wanted = this.acknowledged.size + count;
    await waitUntil(`${count} more samples acknowledged to ${this.device}`, () => this.acknowledged.size >= wanted, {
      timeoutMs: 90_000,
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const client = await this.#connect().catch(() => undefined);
      if (client) await this.#publishUntilBroken(client);
      else await delay(100);
    }
  }

  async #connect(): Promise<MqttClient> {
    const { sn, password, tongue, device } = this.#identity;
    this.#births += 1;
    const bdSeq = this.#births % 256;
    const topic = (type: string) => `spBv1.0/solar/${type}/${sn}`;
    const client = await connectAsync(
      this.#mqttUrl,
      {
        clientId: sn,
        username: sn,
        password,
        protocolVersion: 4,
        connectTimeout: 5_000,
        reconnectPeriod: 0,
        ...(tongue === 'sparkplug' && {
          will: { topic: topic('NDEATH'), payload: nodeDeath(bdSeq), qos: 1, retain: false },
        }),
      },
      false,
    );
    client.on('error', () => undefined);
    if (tongue === 'sparkplug') {
      await client.publishAsync(topic('NBIRTH'), nodeBirth(bdSeq), { qos: 0 });
      await client.publishAsync(`${topic('DBIRTH')}/${device}`, deviceBirth(1, 'inverter', { [POINT]: 0 }), { qos: 0 });
      this.#seq = 1;
    }
    return client;
  }

  async #publishUntilBroken(client: MqttClient): Promise<void> {
    const pending = new Set<Promise<unknown>>();
    const broken = new Promise<void>((resolve) => client.once('close', () => resolve()));
    while (client.connected && !this.#stopped) {
      const sent = this.#publish(client).catch(() => client.end(true));
      pending.add(sent);
      sent.finally(() => pending.delete(sent));
      if (pending.size >= IN_FLIGHT) await Promise.race([...pending, broken]);
      await delay(PAUSE_MS);
    }
    client.end(true);
  }

  async #publish(client: MqttClient): Promise<void> {
    const { sn, device, tongue } = this.#identity;
    const index = this.#sent;
    this.#sent += 1;
    const tsMs = this.#firstMs + index * 1_000;
    const values = { [POINT]: index };
    if (tongue === 'json') {
      const body = JSON.stringify({ ts: tsMs, dev: device, kind: 'inverter', hist: true, v: values });
      await client.publishAsync(`pv/v1/${sn}/up`, body, { qos: 1 });
    } else {
      this.#seq = (this.#seq + 1) % 256;
      await client.publishAsync(`spBv1.0/solar/DDATA/${sn}/${device}`, storedReading(this.#seq, tsMs, values), {
        qos: 1,
      });
    }
    this.acknowledged.set(tsMs, index);
  }
}
