import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../attempts/attempts.states.ts';
import { CallError } from './call-error.ts';
import { GoodTokens } from './good-tokens.ts';

const CALLS_PER_WINDOW = 1_200;
const WINDOW_MS = 10_000;
/** Routes, as the router names them, that may be called at will, a file by its plain name. What does not exist is counted. */
const FREE_ROUTES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/*', '/docs/api/assets/*']);
const PLAIN_NAME = /^(\/[\w-][\w.-]{0,127}){1,4}$/;

const isFree = ({ routeOptions, url }: FastifyRequest): boolean =>
  FREE_ROUTES.has(routeOptions.url ?? '') && PLAIN_NAME.test(url.split('?', 1)[0] ?? '');

/**
 * Counts by the route that was found, before the token is looked up: invented tokens cost nothing beyond the limit of
 * their address. Answers what counts a request that came to nothing.
 */
export async function limitCalls(
  app: FastifyInstance,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<void>> {
  const good = new GoodTokens();
  const tokenOf = ({ headers }: FastifyRequest): string => String(headers.token ?? '');
  await app.register(rateLimit, {
    global: false,
    max: CALLS_PER_WINDOW,
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => {
      const network = networkOf(request.ip);
      return good.has(tokenOf(request), Date.now()) ? `${network} ${tokenOf(request)}` : network;
    },
    errorResponseBuilder: () => new CallError('tooManyRequests'),
  });
  const limit = app.rateLimit();
  const count = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await limit.call(app, request, reply);
  };
  app.addHook('onRequest', async (request, reply) => {
    if (!isFree(request)) await count(request, reply);
  });
  const noteGood = async (request: FastifyRequest): Promise<void> => {
    if (request.actor) good.note(tokenOf(request), Date.now());
  };
  app.addHook('preHandler', noteGood);
  // Also of calls that were refused for another reason.
  app.addHook('onResponse', noteGood);
  return count;
}
