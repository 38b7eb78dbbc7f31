import type { Socket } from 'node:net';
import { networkOf } from '../attempts/attempts.states.ts';

export interface DoorLimits {
  /** Connections in all. */
  readonly most: number;
  /** Connections of one network. */
  readonly mostPerNetwork: number;
  /** Connections in all that are not authenticated yet. Half of them for one network. */
  readonly mostUnknown: number;
}

export interface DoorOptions extends DoorLimits {
  refused(reason: string): void;
  /** So long a connection may wait for its turn. */
  waitMs: number;
}

interface Network {
  open: number;
  unknown: number;
  readonly waiting: Set<Waiting>;
}

interface Waiting {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Counts connections. Too many are closed; too many that have not said who they are wait unread, and the networks take turns, so
 * that a thousand loggers that come back together all get in, and a network that holds its places for nothing keeps nobody else out.
 */
export class FrontDoor {
  readonly #options: DoorOptions;
  readonly #networks = new Map<string, Network>();
  /** Networks with connections that wait; the first has the next turn. */
  readonly #line = new Set<string>();
  readonly #unknown = new Map<Socket, string>();
  #open = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open;
  }

  get unknown(): number {
    return this.#unknown.size;
  }

  /** Calls `enter` when the connection may be read, at once or later; closes one that is too many. */
  take(socket: Socket, enter: (network: string) => void): void {
    const name = networkOf(socket.remoteAddress ?? '');
    const network = this.#networks.get(name) ?? { open: 0, unknown: 0, waiting: new Set() };
    const { most, mostPerNetwork } = this.#options;
    if (this.#open >= most || network.open >= mostPerNetwork) {
      this.#refuse(socket, this.#open >= most ? 'connections-full' : 'network-full');
      return;
    }
    this.#networks.set(name, network);
    this.#open += 1;
    network.open += 1;
    const waiting: Waiting = {
      enter: () => {
        clearTimeout(waiting.timer);
        this.#unknown.set(socket, name);
        network.unknown += 1;
        enter(name);
      },
      timer: setTimeout(() => {
        network.waiting.delete(waiting);
        this.#refuse(socket, 'turn-timeout');
      }, this.#options.waitMs),
    };
    socket.once('close', () => {
      clearTimeout(waiting.timer);
      network.waiting.delete(waiting);
      this.#open -= 1;
      network.open -= 1;
      if (network.open === 0) this.#networks.delete(name);
      this.known(socket);
    });
    network.waiting.add(waiting);
    this.#line.add(name);
    this.#letIn();
  }

  /** The connection has said who it is, and leaves its place to the next. */
  known(socket: Socket): void {
    const name = this.#unknown.get(socket);
    if (name === undefined) return;
    this.#unknown.delete(socket);
    const network = this.#networks.get(name);
    if (network !== undefined) network.unknown -= 1;
    this.#letIn();
  }

  #letIn(): void {
    const { mostUnknown } = this.#options;
    for (const name of this.#line) {
      if (this.#unknown.size >= mostUnknown) return;
      const network = this.#networks.get(name);
      const [next] = network?.waiting ?? [];
      if (network === undefined || next === undefined) this.#line.delete(name);
      else if (network.unknown < Math.ceil(mostUnknown / 2)) {
        // Behind the others that wait; the loop comes back to it.
        this.#line.delete(name);
        this.#line.add(name);
        network.waiting.delete(next);
        next.enter();
      }
    }
  }

  #refuse(socket: Socket, reason: string): void {
    this.#options.refused(reason);
    socket.destroy();
  }
}
