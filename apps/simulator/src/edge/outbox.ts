import { nextSeq } from '@sonnenwarte/device-protocol/points/births';
import { encodePayload, type SparkplugPayload } from '@sonnenwarte/device-protocol/sparkplug/sparkplug-payload';
import { type SparkplugMessageType, sparkplugTopic } from '@sonnenwarte/device-protocol/sparkplug/topics';
import type { FaultName } from '../faults.ts';
import type { Transport } from './transport.ts';

const GARBAGE_EVERY = 10;
const GARBAGE_BYTES = 200;

interface Held {
  topic: string;
  bytes: Uint8Array;
}

/** Messages of one connection: numbers them, and spoils them where a fault asks for it. */
export class Outbox {
  readonly #transport: Transport;
  readonly #group: string;
  readonly #sn: string;
  readonly #has: (fault: FaultName) => boolean;
  #seq = 255;
  #sent = 0;
  #held: Held | undefined;

  constructor(transport: Transport, group: string, sn: string, has: (fault: FaultName) => boolean) {
    this.#transport = transport;
    this.#group = group;
    this.#sn = sn;
    this.#has = has;
  }

  /** The next message is number 0, as an NBIRTH must be. */
  restartSequence(): void {
    this.#seq = 255;
  }

  send(
    type: SparkplugMessageType,
    payload: SparkplugPayload,
    omitDatatypes: boolean,
    qos: 0 | 1,
    device?: string,
  ): Promise<void> {
    this.#seq = nextSeq(this.#seq);
    const bytes = encodePayload({ ...payload, seq: this.#seq }, { omitDatatypes });
    return this.#spoil(sparkplugTopic(this.#group, type, this.#sn, device), bytes, qos);
  }

  /** A message without a number. */
  sendRaw(type: SparkplugMessageType, bytes: Uint8Array): Promise<void> {
    return this.#transport.publish(sparkplugTopic(this.#group, type, this.#sn), bytes, 0);
  }

  close(isClean: boolean): Promise<void> {
    return this.#transport.close(isClean);
  }

  async #spoil(topic: string, bytes: Uint8Array, qos: 0 | 1): Promise<void> {
    this.#sent += 1;
    const isBirth = topic.includes('BIRTH/');
    if (!isBirth && this.#sent % GARBAGE_EVERY === 0 && this.#has('garbage-payload')) {
      await this.#transport.publish(topic, crypto.getRandomValues(new Uint8Array(GARBAGE_BYTES)), qos);
    }
    if (!isBirth && qos === 0 && this.#held === undefined && this.#has('reorder')) {
      this.#held = { topic, bytes };
      return;
    }
    const held = this.#held;
    this.#held = undefined;
    const sent = [this.#transport.publish(topic, bytes, qos)];
    if (held !== undefined) sent.push(this.#transport.publish(held.topic, held.bytes, 0));
    if (this.#has('duplicates')) sent.push(this.#transport.publish(topic, bytes, qos));
    await Promise.all(sent);
  }
}
