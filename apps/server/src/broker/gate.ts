import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { TurnQueue } from '../turns.ts';
import { type Breakable, scopeFor, within } from './connection-scope.ts';
import { RefusedBytes } from './mqtt-bytes.ts';
import { LARGEST_CONNECT_BYTES, PacketFramer } from './packet-framer.ts';

export interface GateOptions {
  readonly socket: Socket;
  /** What the connection is counted by. */
  readonly network: string;
  readonly timing: GateTiming;
  /** A well-formed CONNECT is there: from now on somebody reads from the gate. */
  asked(gate: Gate): void;
  /** Bytes that end the connection, or a deadline that passed. */
  refused(gate: Gate, reason: string): void;
  failed(gate: Gate, error: unknown): void;
}

export interface GateTiming {
  /** Until CONNECT is whole. */
  readonly connectMs: number;
  /** From there until it is answered. */
  readonly answerMs: number;
}

/**
 * Read of a connection before its messages are acknowledged. A backlog comes in messages of up to 32 kB: with the usual 64 kB
 * two of them wait at a time, and storage has to write many small parts.
 */
const READ_AHEAD_BYTES = 256 * 1024;
/** Packets that are handled before other connections have their turn. */
const PACKETS_A_TURN = 1_000;
/** A network that fails ends thousands of connections at once; so many are ended before everything else has its turn. */
const endings = new TurnQueue(50);
/** So long a client that is refused may read the answer. */
const FAREWELL_MS = 1_000;

/**
 * Stands between a socket and the broker. Until a client is authenticated only its CONNECT passes; what it sends behind that waits
 * here, and in its own line once a read is full. Whatever passes is whole and well formed.
 */
export class Gate extends Duplex implements Breakable {
  readonly network: string;
  readonly scope = scopeFor(this);
  /** The broker's error of this connection is counted already. */
  isCounted = false;
  readonly #socket: Socket;
  readonly #options: GateOptions;
  readonly #framer: PacketFramer;
  /** Read, and not framed yet. */
  #rest: Buffer | undefined;
  #at = 0;
  #isOpen = false;
  #isHeld = false;
  #isPushFull = false;
  #hasEnded = false;
  #turn: NodeJS.Immediate | undefined;
  #deadline: NodeJS.Timeout | undefined;

  constructor(options: GateOptions) {
    super({ readableHighWaterMark: READ_AHEAD_BYTES, writableHighWaterMark: READ_AHEAD_BYTES, allowHalfOpen: false });
    const { socket } = options;
    this.#options = options;
    this.#socket = socket;
    this.network = options.network;
    this.#framer = new PacketFramer({ packets: (bytes) => this.#pass(bytes) });
    this.on('error', () => undefined);
    socket.on('error', (error) => endings.add(() => this.destroy(error)));
    socket.once('end', () => {
      this.#hasEnded = true;
      endings.add(() => this.#end());
    });
    socket.once('close', () => {
      // What was read before the end is handled first.
      if (!this.#hasEnded) endings.add(() => this.destroy());
    });
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    socket.resume();
    this.#deadline = setTimeout(() => this.#refuse('connect-timeout'), options.timing.connectMs);
  }

  get isSecure(): boolean {
    return this.#socket instanceof TLSSocket;
  }

  get remoteAddress(): string {
    return this.#socket.remoteAddress ?? '';
  }

  /** Memory that this connection takes for what is not passed on. */
  get keptBytes(): number {
    const { readableLength } = this.#socket;
    return this.#framer.keptBytes + (this.#rest === undefined ? 0 : this.#rest.length - this.#at) + readableLength;
  }

  /** The client is authenticated: what it sent meanwhile, and all that follows, is passed on in its order. */
  open(): void {
    clearTimeout(this.#deadline);
    this.#isOpen = true;
    this.#goOn();
  }

  /**
   * Whether nothing more is read. Not by the broker's own pause: what is answered while that lasts is never counted as answered,
   * and the connection is not read again.
   */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (isHeld) this.#socket.pause();
    else if (this.#isOpen && !this.#isPushFull) this.#goOn();
  }

  broken(error: unknown): void {
    this.#options.failed(this, error);
    this.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  /** What listens to the gate is the broker: what it throws ends this connection, and nothing else. */
  override emit(name: string | symbol, ...args: unknown[]): boolean {
    let isHeard = false;
    within(this, () => {
      isHeard = super.emit(name, ...args);
    });
    return isHeard;
  }

  override _read(): void {
    this.#isPushFull = false;
    if (this.#isOpen) this.#goOn();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#deadline);
    clearImmediate(this.#turn);
    this.#rest = undefined;
    if (this.#isOpen || this.#socket.destroyed) this.#socket.destroy();
    else this.#sayFarewell();
    done(error);
  }

  #end(): void {
    if (this.destroyed) return;
    if (this.#framer.hasConnect) this.push(null);
    else this.destroy();
  }

  #take(bytes: Buffer): void {
    if (this.destroyed) return;
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest.subarray(this.#at), bytes]);
    this.#at = 0;
    this.#pump();
  }

  #goOn(): void {
    if (this.#isHeld || this.destroyed) return;
    if (this.#rest !== undefined) this.#comeBack();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #pump(): void {
    if (this.#rest === undefined || this.#isHeld || this.destroyed) return;
    try {
      if (!this.#framer.hasConnect) this.#readConnect(this.#rest);
      else if (this.#isOpen) this.#at = this.#framer.read(this.#rest, this.#at, PACKETS_A_TURN);
    } catch (error) {
      if (error instanceof RefusedBytes) this.#refuse(error.refusal, error.answer);
      else this.broken(error);
    }
    if (this.destroyed) return;
    if (this.#at === this.#rest?.length) this.#rest = undefined;
    const isHeldBack = this.#framer.hasConnect && !this.#isOpen;
    if (this.#rest !== undefined || this.#isPushFull || isHeldBack) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#isOpen && this.#rest !== undefined && !this.#isPushFull) this.#comeBack();
  }

  #readConnect(bytes: Buffer): void {
    this.#at = this.#framer.read(bytes, this.#at, 1);
    // What is left of a read is kept by itself, not with all of it.
    if (this.#at > 0 && this.#at < bytes.length) {
      this.#rest = Buffer.from(bytes.subarray(this.#at));
      this.#at = 0;
    }
  }

  #comeBack(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = undefined;
      this.#pump();
    });
  }

  #pass(bytes: Buffer): void {
    if (this.#isOpen) {
      if (!this.push(bytes)) this.#isPushFull = true;
      return;
    }
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#refuse('answer-timeout'), this.#options.timing.answerMs);
    within(this, () => {
      this.#options.asked(this);
      // A copy: the broker keeps the packet, and with a part of what was read all of it.
      if (!this.destroyed) this.push(bytes.length > LARGEST_CONNECT_BYTES / 2 ? bytes : Buffer.from(bytes));
    });
  }

  #refuse(reason: string, answer?: Buffer): void {
    if (this.destroyed) return;
    if (answer !== undefined) this.#socket.write(answer);
    this.isCounted = true;
    this.#options.refused(this, reason);
    this.destroy(new Error(reason));
  }

  /** An answer can be lost if the connection ends with bytes that nobody has read. */
  #sayFarewell(): void {
    const socket = this.#socket;
    socket.removeAllListeners('data');
    socket.end();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
    socket.once('end', () => socket.destroySoon());
    socket.once('close', () => clearTimeout(timer));
  }
}
