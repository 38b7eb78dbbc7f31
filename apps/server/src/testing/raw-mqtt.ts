import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { TEST_PASSWORD } from './ingestion.ts';

/** Bytes of an ordinary CONNECT of a logger. */
export function connectBytes(
  sn: string,
  change: { password?: string; clientId?: string; keepalive?: number; version?: 3 | 4; bridgeMode?: true } = {},
) {
  const { password = TEST_PASSWORD, clientId = sn, keepalive = 0, version = 4, bridgeMode = false } = change;
  return mqttPacket.generate({
    cmd: 'connect',
    protocolId: version === 3 ? 'MQIsdp' : 'MQTT',
    protocolVersion: version,
    // Known to the library, not to its types.
    ...{ bridgeMode },
    clean: true,
    clientId,
    username: sn,
    password: Buffer.from(password),
    keepalive,
  });
}

export function publishBytes(topic: string, payload: Uint8Array | string, messageId?: number, qos: 0 | 1 | 2 = 1) {
  const isAwaited = messageId !== undefined;
  return mqttPacket.generate({
    cmd: 'publish',
    topic,
    payload: Buffer.from(payload),
    qos: isAwaited ? qos : 0,
    ...(isAwaited && { messageId }),
    retain: false,
    dup: false,
  });
}

/** A message of the JSON on-ramp that is taken. */
export function reading(device: string, powerW = 1_000, bytes = 0): string {
  const text = JSON.stringify({ ts: Date.now(), dev: device, kind: 'inverter', v: { 'AC/ActivePower': powerW } });
  return text.padEnd(bytes);
}

/** A TCP connection that says what it likes, and reads packets. */
export class RawMqtt {
  readonly socket: Socket;
  readonly received: Packet[] = [];
  readonly closed: Promise<void>;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    const parser = mqttPacket.parser();
    parser.on('packet', (packet) => {
      this.received.push(packet);
      this.#wake();
    });
    parser.on('error', () => socket.destroy());
    socket.on('data', (bytes) => parser.parse(bytes));
    socket.on('error', () => undefined);
    this.closed = new Promise((done) => {
      socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        done();
      });
    });
  }

  /** `from` is the loopback address that it comes from. */
  static async open(port: number, from = '127.0.0.1'): Promise<RawMqtt> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const raw = new RawMqtt(socket);
    await once(socket, 'connect');
    return raw;
  }

  write(bytes: Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes);
  }

  /** The first packet received that fits; rejects if the connection ends without it. */
  async packet(fits: (packet: Packet) => boolean): Promise<Packet> {
    for (;;) {
      const found = this.received.find(fits);
      if (found !== undefined) return found;
      if (this.#isClosed)
        throw new Error(`closed, with ${this.received.map(({ cmd }) => cmd).join(', ') || 'nothing'}`);
      await new Promise<void>((done) => this.#waiting.push(done));
    }
  }

  acknowledged(messageId: number): Promise<Packet> {
    return this.packet((packet) => packet.cmd === 'puback' && packet.messageId === messageId);
  }

  async end(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }

  #wake() {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
