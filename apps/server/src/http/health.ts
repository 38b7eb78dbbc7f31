import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { isOperator, type OperatorRule } from './operators.ts';

/** State of something that the portal depends on. */
export interface DependencyState {
  readonly state: 'up' | 'starting' | 'down';
  readonly detail?: Readonly<Record<string, number | string | boolean>>;
}

export type Dependencies = () => Promise<Readonly<Record<string, DependencyState>>>;

export interface HealthParts {
  readonly dependencies: Dependencies;
  readonly metrics: Registry;
  /** Those at this machine unless said otherwise. */
  readonly operators?: OperatorRule;
}

/**
 * /healthz: the process answers. /readyz: 503 while something it depends on is not up, to operators with the state of
 * each. /metrics: Prometheus, for operators.
 */
export function health(
  app: FastifyInstance,
  { dependencies, metrics, operators = { fromHere: true } }: HealthParts,
): void {
  const states = oneAtATime(dependencies);
  app.get('/healthz', async (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));
  app.get('/readyz', async (request, reply) => {
    const found = await states();
    const ready = Object.values(found).every(({ state }) => state === 'up');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ready' : 'not ready',
        ...(isOperator(request, operators) && { dependencies: found }),
      });
  });
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (isOperator(request, operators)) return reply.type(metrics.contentType).send(await metrics.metrics());
    return reply.code(401).header('www-authenticate', 'Bearer').send({ status: 401, text: 'Unauthorized' });
  });
}

/** Those who ask while an answer is on its way get that one: many who ask cost no more than one. */
function oneAtATime<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
