import { AsyncLocalStorage } from 'node:async_hooks';

type Run = <T>(run: () => T) => T;

/** A connection that can be ended for what its handling threw. */
export interface Breakable {
  /** Made by `scopeFor`. */
  readonly scope: Run;
  broken(error: unknown): void;
}

const connections = new AsyncLocalStorage<Breakable>();
const noConnection: Run = AsyncLocalStorage.snapshot();

/** Made once for each connection: to enter what is there already costs a message next to nothing. */
export function scopeFor(connection: Breakable): Run {
  return connections.run(connection, () => AsyncLocalStorage.snapshot());
}

/** Runs the broker's own handling of a connection: what it throws, now or in a later turn, belongs to that connection. */
export function within(connection: Breakable, run: () => void): void {
  try {
    connection.scope(run);
  } catch (error) {
    connection.broken(error);
  }
}

/** Runs for a connection what is not its own, such as storage: what that starts and throws later is no connection's. */
export function outside(connection: Breakable, run: () => void): void {
  try {
    noConnection(run);
  } catch (error) {
    connection.broken(error);
  }
}

/** Ends the connection whose handling threw an error that nobody caught; false where it was no connection's. */
export function endBrokenConnection(error: unknown): boolean {
  const connection = connections.getStore();
  connection?.broken(error);
  return connection !== undefined;
}
