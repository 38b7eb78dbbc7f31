import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

const SSL_REQUEST = 80_877_103;

interface FakePostgres {
  /** Answered to whoever wants to come in; without it the connection is ended. */
  readonly refusal?: { readonly code: string; readonly message: string };
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** Something that speaks as much of PostgreSQL's protocol as a server says that lets nobody in. */
export async function fakePostgres({ refusal, tls }: FakePostgres): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const refuse = (socket: Socket) => {
    if (refusal !== undefined) {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${refusal.code}\0M${refusal.message}\0\0`);
      const head = Buffer.alloc(5, 'E');
      head.writeInt32BE(fields.length + 4, 1);
      socket.write(Buffer.concat([head, fields]));
    }
    socket.end();
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      if (first.readInt32BE(4) !== SSL_REQUEST) return refuse(socket);
      socket.write(tls === undefined ? 'N' : 'S');
      if (tls === undefined) return;
      const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(tls) });
      secure.on('error', () => undefined);
      secure.once('data', () => refuse(secure));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
