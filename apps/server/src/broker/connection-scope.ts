import { AsyncLocalStorage } from 'node:async_hooks';

/** A connection that can be ended for what its handling threw. */
export interface Breakable {
  broken(error: unknown): void;
}

const scope = new AsyncLocalStorage<Breakable>();

/** Runs the broker's own handling of a connection: what it throws, now or in a later turn, belongs to that connection. */
export function within(connection: Breakable, run: () => void): void {
  try {
    scope.run(connection, run);
  } catch (error) {
    connection.broken(error);
  }
}

/** Runs for a connection what is not its own, such as storage: what that starts and throws later is no connection's. */
export function outside(connection: Breakable, run: () => void): void {
  try {
    scope.exit(run);
  } catch (error) {
    connection.broken(error);
  }
}

/** Ends the connection whose handling threw an error that nobody caught; false where it was no connection's. */
export function endBrokenConnection(error: unknown): boolean {
  const connection = scope.getStore();
  connection?.broken(error);
  return connection !== undefined;
}
