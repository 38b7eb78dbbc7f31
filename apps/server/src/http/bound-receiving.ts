import type { FastifyRequest } from 'fastify';

/**
 * Ends a request that is not whole in time, with its connection. One that takes a file from somebody who is signed in may take as long as
 * anything of it goes on coming in.
 */
export function boundReceiving(request: FastifyRequest, withinMs: number): void {
  const { raw } = request;
  if (raw.complete) return;
  let seen = raw.socket.bytesRead;
  const watch = setInterval(() => {
    const { bytesRead } = raw.socket;
    const isPatient = request.routeOptions.config.isPatient === true && request.actor !== undefined;
    if (raw.complete) end();
    else if (isPatient && bytesRead > seen) seen = bytesRead;
    else raw.socket.destroy();
  }, withinMs).unref();
  const end = () => clearInterval(watch);
  raw.once('end', end).once('close', end);
}
