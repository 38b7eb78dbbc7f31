import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import { type HealthParts, health } from './health.ts';

/** Health and metrics on a port of their own, which those outside need not reach. */
export async function openOperatorPort(
  { host, port, logger }: { host: string; port: number; logger: Logger },
  parts: HealthParts,
): Promise<{ port: number; close(): Promise<void> }> {
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    forceCloseConnections: true,
    requestTimeout: 10_000,
    logController: new LogController({ disableRequestLogging: true }),
  });
  health(app, parts);
  await app.listen({ host, port });
  const address = app.server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : port, close: () => app.close() };
}
