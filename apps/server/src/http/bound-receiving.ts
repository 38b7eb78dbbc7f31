import type { FastifyRequest } from 'fastify';

/** So many times as long as any other call may take one with a file. */
const PATIENCE = 60;

/**
 * Ends a request that is not whole in time, with its connection. One that takes a file from somebody who is signed in may take much longer, so
 * long as anything of it goes on coming in.
 */
export function boundReceiving(request: FastifyRequest, withinMs: number): void {
  const { raw } = request;
  if (raw.complete) return;
  let seen = raw.socket.bytesRead;
  let left = PATIENCE;
  const watch = setInterval(() => {
    const { bytesRead } = raw.socket;
    const isPatient = request.routeOptions.config.isPatient === true && request.actor !== undefined;
    if (raw.complete) end();
    else if (isPatient && bytesRead > seen && --left > 0) seen = bytesRead;
    else raw.socket.destroy();
  }, withinMs).unref();
  const end = () => clearInterval(watch);
  raw.once('end', end).once('close', end);
}
