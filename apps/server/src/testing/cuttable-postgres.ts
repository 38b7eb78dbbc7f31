import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Leads to a PostgreSQL server's socket; connections of one kind can be cut, and kept away until they are let in again. */
export class CuttablePostgres {
  readonly url: string;
  readonly #names = new Map<Socket, string>();
  readonly #close: () => void;
  #refused: { name: string; tried: () => void } | undefined;

  private constructor(url: string, port: number, close: () => void) {
    const own = new URL(url);
    own.searchParams.delete('host');
    own.hostname = '127.0.0.1';
    own.port = String(port);
    this.url = own.href;
    this.#close = close;
  }

  /** In front of the server of a connection URL that names a folder of sockets. */
  static async before(url: string): Promise<CuttablePostgres> {
    const folder = new URL(url).searchParams.get('host') ?? '';
    const server = createServer((caller) => door.#lead(caller, connect(`${folder}/.s.PGSQL.5432`)));
    await new Promise<void>((opened) => server.listen(0, '127.0.0.1', opened));
    const door: CuttablePostgres = new CuttablePostgres(url, (server.address() as AddressInfo).port, () =>
      server.close(),
    );
    return door;
  }

  #lead(caller: Socket, server: Socket): void {
    const end = () => {
      this.#names.delete(caller);
      caller.destroy();
      server.destroy();
    };
    for (const socket of [caller, server]) socket.on('error', end).on('close', end);
    caller.once('data', (first) => {
      const name = /application_name\0([^\0]*)\0/.exec(first.toString('latin1'))?.[1] ?? '';
      if (this.#refused?.name === name) {
        this.#refused.tried();
        return end();
      }
      this.#names.set(caller, name);
      server.write(first);
      caller.pipe(server).pipe(caller);
    });
  }

  /** Cuts the connections of an application; resolves when one has tried to come back in vain. */
  cut(name: string): Promise<void> {
    return new Promise((tried) => {
      this.#refused = { name, tried };
      for (const [caller, its] of this.#names) if (its === name) caller.destroy();
    });
  }

  mend(): void {
    this.#refused = undefined;
  }

  close(): void {
    this.#close();
    for (const caller of this.#names.keys()) caller.destroy();
  }
}
