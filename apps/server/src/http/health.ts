import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

/** State of something that the portal depends on. */
export interface DependencyState {
  readonly state: 'up' | 'starting' | 'down';
  readonly detail?: Readonly<Record<string, number | string | boolean>>;
}

export type Dependencies = () => Promise<Readonly<Record<string, DependencyState>>>;

/** /healthz: the process answers. /readyz: each dependency with its state, 503 while one is not up. /metrics: Prometheus. */
export function health(app: FastifyInstance, dependencies: Dependencies, metrics: Registry): void {
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_, reply) => {
    const states = await dependencies();
    const ready = Object.values(states).every(({ state }) => state === 'up');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', dependencies: states });
  });
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}
