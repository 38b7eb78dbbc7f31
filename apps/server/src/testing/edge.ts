import { deathPayload } from '@sonnenwarte/device-protocol/points/births';
import { DataType } from '@sonnenwarte/device-protocol/sparkplug/datatypes';
import {
  decodePayload,
  encodePayload,
  type SparkplugMetric,
  type SparkplugPayload,
} from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { TEST_PASSWORD } from './ingestion.ts';

/** A minimal Sparkplug edge node for tests: numbers its messages, and may be told to send anything. */
export class TestEdge {
  readonly client: MqttClient;
  readonly sn: string;
  readonly commands: SparkplugPayload[] = [];
  #seq = 0;
  #waiting: ((payload: SparkplugPayload) => void)[] = [];

  private constructor(client: MqttClient, sn: string) {
    this.client = client;
    this.sn = sn;
    client.on('message', (_topic, payload) => {
      const command = decodePayload(payload);
      this.commands.push(command);
      this.#waiting.shift()?.(command);
    });
  }

  static async connect(port: number, sn: string, options: IClientOptions & { bdSeq?: number } = {}): Promise<TestEdge> {
    const { bdSeq = 0, ...rest } = options;
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      protocolVersion: 4,
      clientId: sn,
      username: sn,
      password: TEST_PASSWORD,
      reconnectPeriod: 0,
      will: {
        topic: sparkplugTopic('solar', 'NDEATH', sn),
        payload: Buffer.from(encodePayload(deathPayload(bdSeq))),
        qos: 1,
        retain: false,
      },
      ...rest,
    });
    client.on('error', () => undefined);
    const edge = new TestEdge(client, sn);
    await client.subscribeAsync([sparkplugTopic('solar', 'NCMD', sn), sparkplugTopic('solar', 'DCMD', sn, '#')]);
    return edge;
  }

  /** The next command that arrives from now on. */
  nextCommand(): Promise<SparkplugPayload> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async birth(metrics: SparkplugMetric[] = [], timestampMs = Date.now(), bdSeq = 0): Promise<void> {
    this.#seq = 0;
    await this.send('NBIRTH', undefined, [{ name: 'bdSeq', datatype: DataType.Int64, value: bdSeq }, ...metrics], {
      timestampMs,
    });
  }

  async deviceBirth(
    device: string,
    kind: string,
    metrics: SparkplugMetric[] = [],
    timestampMs = Date.now(),
  ): Promise<void> {
    const told: SparkplugMetric[] = [{ name: 'Properties/Kind', datatype: DataType.String, value: kind }, ...metrics];
    await this.send('DBIRTH', device, told, { timestampMs });
  }

  async data(
    device: string,
    values: Record<string, number>,
    options: SendOptions & { historical?: boolean } = {},
  ): Promise<void> {
    const metrics = Object.entries(values).map(
      ([name, value]): SparkplugMetric => ({
        name,
        datatype: DataType.Double,
        value,
        ...(options.historical === true && { isHistorical: true, timestampMs: options.timestampMs }),
      }),
    );
    await this.send('DDATA', device, metrics, options);
  }

  async send(
    type: 'NBIRTH' | 'NDATA' | 'NDEATH' | 'DBIRTH' | 'DDATA' | 'DDEATH',
    device: string | undefined,
    metrics: SparkplugMetric[],
    options: SendOptions = {},
  ): Promise<void> {
    const { timestampMs = Date.now(), qos = 1, seq = this.#seq } = options;
    this.#seq = (seq + 1) & 255;
    const payload = encodePayload({ timestampMs, ...(type === 'NDEATH' ? {} : { seq }), metrics });
    await this.client.publishAsync(sparkplugTopic('solar', type, this.sn, device), Buffer.from(payload), { qos });
  }

  /** Breaks the connection without a word, so that the broker sends the will. */
  async breakOff(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.client.once('close', () => resolve()));
    this.client.stream.destroy();
    await closed;
  }

  async end(): Promise<void> {
    await this.client.endAsync(true).catch(() => undefined);
  }
}

export interface SendOptions {
  timestampMs?: number;
  qos?: 0 | 1;
  seq?: number;
}

/** Looks again until the answer is truthy; fails after half a minute. */
export async function until<T>(look: () => Promise<T> | T, what = 'the awaited state'): Promise<NonNullable<T>> {
  const endMs = Date.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > endMs) throw new Error(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
