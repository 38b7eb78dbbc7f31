import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A wire between browser and server that can be cut. */
export interface Wire {
  readonly url: string;
  /** Breaks all connections and lets no new one through. */
  cut(): void;
  /** Lets connections through again. */
  heal(): void;
  close(): Promise<void>;
}

/** Opens a wire to the server at `url`. */
export async function openWire(url: string): Promise<Wire> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let whole = true;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (!whole) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const wire: Wire = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cut() {
      whole = false;
      breakAll();
    },
    heal() {
      whole = true;
    },
    async close() {
      breakAll();
      server.close();
      await once(server, 'close');
    },
  };
  onTestFinished(() => wire.close());
  return wire;
}
