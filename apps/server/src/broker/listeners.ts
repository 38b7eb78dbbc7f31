import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { ConfigError } from '../config.ts';
import { type DoorLimits, FrontDoor } from './front-door.ts';
import { Gate, type GateOptions, type GateTiming } from './gate.ts';
import type { BrokerCertificate } from './tls-certificate.ts';

export interface ListenersOptions {
  /** Addresses that the plain port is open on; none leaves it closed. */
  readonly plainHosts: readonly string[];
  readonly plainPort: number;
  readonly tls: { host: string; port: number; certificate: BrokerCertificate } | undefined;
  readonly limits: DoorLimits;
  readonly timing: GateTiming & { handshakeMs: number; turnMs: number };
  readonly gate: Pick<GateOptions, 'asked' | 'refused' | 'failed'>;
  /** Counts a connection that no gate has. */
  refused(reason: string): void;
}

export interface Listeners {
  readonly plainPort: number | undefined;
  readonly tlsPort: number | undefined;
  connections(): { open: number; unknown: number; heldBytes: number };
  /** The client behind a gate is authenticated. */
  open(gate: Gate): void;
  /** Takes no more connections. `closed` resolves when the last has ended. */
  close(): { closed: Promise<void> };
  /** Ends all connections. */
  destroy(): void;
}

const BACKLOG = 4_096;
/** A peer that has gone without a word, as behind mobile networks, is noticed some minutes later. */
const KEEP_ALIVE_MS = 60_000;

/** Opens the ports of the broker. Every connection comes through the door, then through a gate of its own. */
export async function openListeners(options: ListenersOptions): Promise<Listeners> {
  const { timing, tls } = options;
  const door = new FrontDoor({ ...options.limits, waitMs: timing.turnMs, refused: options.refused });
  const sockets = new Set<Socket>();
  const gates = new Map<Gate, Socket>();

  const enter = (socket: Socket, raw: Socket, network: string) => {
    const gate = new Gate({ ...options.gate, socket, network, timing });
    gates.set(gate, raw);
    gate.once('close', () => gates.delete(gate));
  };

  const listening = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS, allowHalfOpen: true };
  const serverFor = (admitted: (socket: Socket, network: string) => void) =>
    createServer({ ...listening, pauseOnConnect: true }, (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      door.take(socket, (network) => admitted(socket, network));
    });

  const servers: Server[] = [];
  const open = async (variable: string, host: string, port: number, server: Server): Promise<number> => {
    await listen(server, host, port, variable);
    servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };
  const closeAll = () => Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))));

  let plainPort: number | undefined;
  let tlsPort: number | undefined;
  try {
    for (const host of options.plainHosts) {
      const server = serverFor((socket, network) => enter(socket, socket, network));
      plainPort = await open('MQTT_PORT', host, plainPort ?? options.plainPort, server);
    }
    if (tls !== undefined) {
      const secured = secure(tls.certificate, timing.handshakeMs, options.refused);
      const server = serverFor((raw, network) => {
        secured(raw, (socket) => enter(socket, raw, network));
      });
      tlsPort = await open('MQTT_TLS_PORT', tls.host, tls.port, server);
    }
  } catch (error) {
    await closeAll();
    throw error;
  }

  return {
    plainPort,
    tlsPort,
    connections() {
      let heldBytes = 0;
      for (const gate of gates.keys()) heldBytes += gate.keptBytes;
      return { open: door.open, unknown: door.unknown, heldBytes };
    },
    open(gate) {
      const raw = gates.get(gate);
      if (raw !== undefined) door.known(raw);
      gate.open();
    },
    close: () => ({ closed: closeAll().then(() => undefined) }),
    destroy() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Speaks TLS over connections that are there already; `done` gets what is inside once both sides have agreed. */
function secure(
  certificate: BrokerCertificate,
  handshakeMs: number,
  refused: (reason: string) => void,
): (raw: Socket, done: (socket: TLSSocket) => void) => void {
  const waiting = new Map<string, { raw: Socket; done(socket: TLSSocket): void }>();
  const server = createTlsServer({
    ...certificate.current(),
    allowHalfOpen: true,
    handshakeTimeout: handshakeMs,
    minVersion: 'TLSv1.2',
  });
  certificate.onChange((pair) => server.setSecureContext(pair));
  server.on('secureConnection', (socket) => {
    const found = waiting.get(peerOf(socket));
    if (found === undefined) {
      socket.destroy();
      return;
    }
    socket.once('close', () => found.raw.destroy());
    found.done(socket);
  });
  server.on('tlsClientError', (_, socket) => {
    refused('tls-handshake');
    socket.destroy();
  });
  return (raw, done) => {
    const peer = peerOf(raw);
    waiting.set(peer, { raw, done });
    raw.once('close', () => waiting.delete(peer));
    server.emit('connection', raw);
  };
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function listen(server: Server, host: string, port: number, variable: string): Promise<void> {
  return new Promise((done, failed) => {
    const refuse = (error: NodeJS.ErrnoException) => {
      const what = `MQTT${variable === 'MQTT_TLS_PORT' ? ' TLS' : ''} port ${port} on ${host}`;
      if (error.code === 'EADDRINUSE') {
        const text = `${what} is already used by another process. Set ${variable} to a free port.`;
        failed(new ConfigError(text, { cause: error }));
      } else if (error.code === 'EACCES') {
        const text = `${what} may not be opened by this user. Set ${variable} to a port above 1023.`;
        failed(new ConfigError(text, { cause: error }));
      } else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
        failed(new ConfigError(`HOST is "${host}": this machine has no such address.`, { cause: error }));
      } else failed(error);
    };
    server.once('error', refuse);
    server.listen({ host, port, backlog: BACKLOG }, () => {
      server.off('error', refuse);
      server.on('error', () => undefined);
      done();
    });
  });
}
