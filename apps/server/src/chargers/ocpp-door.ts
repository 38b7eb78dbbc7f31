import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { FailureLimit } from '../broker/failure-limit.ts';
import type { ChargePoint } from './charge-points.store.ts';
import { ConnectionLimit } from './connection-limit.ts';
import { type CallPile, type OcppVersion, ocppVersions } from './pile-driver.ts';
import type { Answer } from './pile-events.ts';

/** What the library gives for a connection; its own types name the class that nothing exports. */
interface RpcClient {
  readonly identity: string;
  readonly protocol: string | undefined;
  readonly session: Record<string, unknown>;
  handle(handler: (call: { method: string; params: unknown }) => Promise<Answer>): void;
  call(method: string, params: object): Promise<unknown>;
  close(how: { code: number; reason: string; force?: boolean }): Promise<unknown>;
  on(event: 'message' | 'close', listener: (told: { outbound?: boolean }) => void): void;
}

/** What a connection is to the rest. */
export interface DoorConnection {
  readonly point: ChargePoint;
  readonly version: OcppVersion;
  readonly call: CallPile;
  end(reason: string): void;
}

export interface Arrived {
  handle(method: string, params: unknown): Promise<Answer | undefined>;
  closed(): void;
}

export interface DoorParts {
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly nowMs: () => number;
  /** Of the client, behind whatever proxies are trusted. */
  addressOf(request: IncomingMessage): string;
  /** The pile of an identity whose password fits. */
  admitted(identity: string, password: Buffer): Promise<ChargePoint | undefined>;
  arrived(connection: DoorConnection): Arrived;
}

const PATH = /^\/ocpp\/([A-Za-z0-9_-]{1,32})\/?(?:\?|$)/;
const MOST_CONNECTIONS = 5_000;
/** Identities that are looked up at the same time. */
const MOST_LOOKED_UP = 32;
const MOST_MESSAGE_BYTES = 128 * 1024;
const MOST_PER_MINUTE = 600;
/** Calls of one pile that wait for their answer; by the protocol it is one. */
const MOST_WAITING = 16;
const ANSWER_WITHIN_MS = 20_000;
const PING_MS = 30_000;
/** Of one password, in bytes; the protocol has 40 at most. */
const LONGEST_PASSWORD = 128;

type RefusalReason = 'path' | 'full' | 'blocked' | 'often' | 'credentials' | 'protocol' | 'flood' | 'failure';

/** Where charging piles come in: `/ocpp/{id}` of the portal's own port. Who is not known is counted and refused alike. */
export class OcppDoor {
  readonly #parts: DoorParts;
  readonly #refused: Counter<'reason'>;
  readonly #failures = new FailureLimit();
  readonly #connections = new ConnectionLimit();
  readonly #open = new Set<RpcClient>();
  #lookedUp = 0;
  #upgrade: Promise<(request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>> | undefined;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#refused = new Counter({
      name: 'sonnenwarte_ocpp_refused_total',
      help: 'Connections of charging piles that were refused or ended, by reason.',
      labelNames: ['reason'],
      registers: [parts.metrics],
    });
  }

  get connections(): number {
    return this.#open.size;
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => void this.#take(request, socket, head));
  }

  async close(): Promise<void> {
    const clients = [...this.#open];
    await Promise.allSettled(clients.map((client) => client.close({ code: 1001, reason: 'restart', force: true })));
  }

  async #take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const identity = PATH.exec(request.url ?? '')?.[1];
    if (identity === undefined) return this.#refuse(socket, 404, 'path');
    if (this.#open.size >= MOST_CONNECTIONS || this.#lookedUp >= MOST_LOOKED_UP)
      return this.#refuse(socket, 503, 'full');
    const nowMs = this.#parts.nowMs();
    if (this.#failures.isBlocked(this.#parts.addressOf(request), identity, nowMs))
      return this.#refuse(socket, 429, 'blocked');
    const refusedForMs = this.#connections.refusedForMs(identity, nowMs);
    if (refusedForMs > 0) return this.#refuse(socket, 429, 'often', refusedForMs);
    // The library takes the last part of the path.
    request.url = `/ocpp/${identity}`;
    try {
      this.#upgrade ??= this.#listen();
      const upgrade = await this.#upgrade;
      await upgrade(request, socket, head);
    } catch (error) {
      this.#parts.logger.warn({ err: error }, 'a charging pile cannot be let in');
      this.#refuse(socket, 500, 'failure');
    }
  }

  #refuse(socket: Duplex, status: number, reason: RefusalReason, retryAfterMs?: number): void {
    this.#refused.inc({ reason });
    const retry = retryAfterMs === undefined ? '' : `Retry-After: ${Math.ceil(retryAfterMs / 1_000)}\r\n`;
    const answer = `HTTP/1.1 ${status} Refused\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`;
    // Who does not read the answer, or does not close, holds no place with it.
    socket.end(answer, () => socket.destroy());
  }

  /** The library and its schemas are loaded when the first pile comes. */
  async #listen() {
    const { RPCServer } = await import('ocpp-rpc');
    const server = new RPCServer({
      protocols: [...ocppVersions],
      // Makers deviate from the schemas; what a message tells is read field by field.
      strictMode: false,
      callTimeoutMs: ANSWER_WITHIN_MS,
      pingIntervalMs: PING_MS,
      deferPingsOnActivity: true,
      maxBadMessages: 10,
      wssOptions: { maxPayload: MOST_MESSAGE_BYTES, perMessageDeflate: false },
    });
    server.auth(async (accept, reject, { identity, password, protocols, request }) => {
      const network = this.#parts.addressOf(request);
      const refuse = (status: number, reason: RefusalReason) => {
        this.#refused.inc({ reason });
        reject(status, 'Refused');
      };
      if (password === undefined || password.length === 0 || password.length > LONGEST_PASSWORD)
        return refuse(401, 'credentials');
      this.#lookedUp += 1;
      try {
        const point = await this.#parts.admitted(identity, password);
        if (point === undefined) {
          this.#failures.failed(network, identity, this.#parts.nowMs());
          return refuse(401, 'credentials');
        }
        this.#failures.succeeded(network, identity);
        this.#connections.came(identity, this.#parts.nowMs());
        // Without a subprotocol it is taken to speak the one that piles spoke before there was another.
        if (protocols.size === 0) return accept({ point }, false);
        if (!ocppVersions.some((version) => protocols.has(version))) return refuse(400, 'protocol');
        accept({ point });
      } catch (error) {
        this.#parts.logger.warn({ err: error }, 'a charging pile cannot be looked up');
        refuse(503, 'failure');
      } finally {
        this.#lookedUp -= 1;
      }
    });
    server.on('client', (client: RpcClient) => this.#arrived(client));
    server.on('error', (error: unknown) => this.#parts.logger.warn({ err: error }, 'the door of charging piles'));
    return (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      // Node's types call the socket of a server that may be of any kind a stream; here it is one of a network.
      server.handleUpgrade(request, socket as Socket, head);
  }

  #arrived(client: RpcClient): void {
    this.#open.add(client);
    const version = ocppVersions.find((each) => each === client.protocol) ?? 'ocpp1.6';
    const arrived = this.#parts.arrived({
      point: client.session.point as ChargePoint,
      version,
      call: (method, params) => client.call(method, params),
      // Who is sent away need not agree: its place is free at once.
      end: (reason) => {
        this.#open.delete(client);
        void client.close({ code: 1000, reason, force: true }).catch(() => undefined);
      },
    });
    let waiting = 0;
    let messages = 0;
    let minute = 0;
    const flood = () => {
      this.#refused.inc({ reason: 'flood' });
      void client.close({ code: 1008, reason: 'too many messages', force: true }).catch(() => undefined);
    };
    client.on('message', ({ outbound }) => {
      if (outbound === true) return;
      const now = Math.floor(this.#parts.nowMs() / 60_000);
      if (now !== minute) [minute, messages] = [now, 0];
      messages += 1;
      if (messages === MOST_PER_MINUTE) flood();
    });
    client.on('close', () => {
      this.#open.delete(client);
      arrived.closed();
    });
    client.handle(async ({ method, params }) => {
      if (waiting >= MOST_WAITING) {
        flood();
        throw await rpcError('GenericError');
      }
      waiting += 1;
      try {
        const answer = await arrived.handle(method, params).catch(async (error: unknown) => {
          // What went wrong in here is nothing that a pile may learn.
          this.#parts.logger.warn({ err: error, pile: client.identity, method }, 'a call of a pile fails');
          throw await rpcError('InternalError');
        });
        if (answer === undefined) throw await rpcError('NotImplemented');
        return answer;
      } finally {
        waiting -= 1;
      }
    });
  }
}

const rpcError = async (code: string): Promise<Error> => {
  const { createRPCError } = await import('ocpp-rpc');
  return createRPCError(code) as unknown as Error;
};
