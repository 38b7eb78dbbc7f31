import { jsonTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { TEST_PASSWORD } from './ingestion.ts';

/** A logger that speaks JSON to the on-ramp. */
export class JsonDatalogger {
  readonly client: MqttClient;
  readonly sn: string;

  private constructor(client: MqttClient, sn: string) {
    this.client = client;
    this.sn = sn;
  }

  static async connect(port: number, sn: string, options: IClientOptions = {}): Promise<JsonDatalogger> {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      protocolVersion: 4,
      clientId: sn,
      username: sn,
      password: TEST_PASSWORD,
      reconnectPeriod: 0,
      ...options,
    });
    client.on('error', () => undefined);
    return new JsonDatalogger(client, sn);
  }

  /** Sends readings; resolves when they are acknowledged. Text is sent as it is. */
  async tell(message: unknown): Promise<void> {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    await this.client.publishAsync(jsonTopic(this.sn, 'up'), text, { qos: 1 });
  }

  async end(): Promise<void> {
    await this.client.endAsync(true).catch(() => undefined);
  }
}
