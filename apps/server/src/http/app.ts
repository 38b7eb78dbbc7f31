import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import { allEndpoints } from '@sonnenwarte/contract/endpoints';
import { errno } from '@sonnenwarte/contract/errors';
import { filledError } from '@sonnenwarte/contract/errors/filled';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { errorText } from '../errors/error-texts.ts';
import { isDatabaseUnavailable } from '../stores/database.ts';
import { isTelemetryUnavailable } from '../stores/telemetry-engine.ts';
import { apiPage } from './api-page.ts';
import { boundReceiving } from './bound-receiving.ts';
import { CallError } from './call-error.ts';
import { limitCalls } from './call-limit.ts';
import { type HealthParts, health } from './health.ts';
import { plainPath } from './plain-path.ts';
import { languageOf } from './serve.ts';
import { staticWeb } from './static-web.ts';

const bodyLimitBytes = 1024 * 1024;
/** A request that is not whole by then is ended, its connection with it; answers and streams take as long as they do. */
const RECEIVE_WITHIN_MS = 30_000;
const HEADERS_WITHIN_MS = 10_000;
/** A connection without a request; longer than the usual proxies keep theirs. */
const IDLE_MS = 72_000;
const apiPrefixes = ['/c/', '/generic/', '/op/', '/ticket/', '/dew/', '/basic/'];
const methodsOf = new Map<string, string[]>();
for (const { path, method } of allEndpoints) methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);

export interface HttpOptions extends HealthParts {
  readonly logger: Logger;
  /** Addresses or networks whose word about the caller's address counts. */
  readonly trustedProxies?: readonly string[];
  /** Folder of the built web app; without it only the API is served. */
  readonly webFolder?: string;
  /** Where pictures of its pages may come from besides, as origins. */
  readonly images?: readonly string[];
  readonly receiveWithinMs?: number;
}

/** Fastify with everything that holds for every call; features bind their endpoints to it afterwards. */
export async function createApp({
  logger,
  trustedProxies = [],
  webFolder,
  images,
  receiveWithinMs = RECEIVE_WITHIN_MS,
  ...parts
}: HttpOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = logger;
  const app: FastifyInstance = fastify({
    loggerInstance,
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: true,
    // Told apart by what is received: a patient call takes as long as it takes.
    requestTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    http: {
      headersTimeout: Math.min(HEADERS_WITHIN_MS, receiveWithinMs),
      connectionsCheckingInterval: Math.min(1_000, receiveWithinMs),
    },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: false },
    // What the router cannot read at all.
    frameworkErrors: (_, __, reply) => (reply as FastifyReply).code(400).send({ status: 400, text: 'Bad Request' }),
  });
  app.decorate('looks', { of: () => undefined });
  app.decorateRequest('actor', undefined);
  app.decorateRequest('quota', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-server-time', Date.now());
    if (request.routeOptions.config.isPrivate) reply.header('cache-control', 'no-store');
    boundReceiving(request, receiveWithinMs);
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
  });
  // As small as quick: more would take longer than it saves on the way.
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 2 } },
    zlibOptions: { level: 3 },
  });
  await app.register(multipart);
  const countUnknown = await limitCalls(app);
  measure(app, parts.metrics);
  app.setErrorHandler(answerError);
  health(app, parts);
  await apiPage(app);
  const sendPage = webFolder === undefined ? undefined : await staticWeb(app, webFolder, images);
  app.setNotFoundHandler({ preHandler: countUnknown }, (request, reply) => answerUnknown(request, reply, sendPage));
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, parseBody(body as Buffer));
    } catch {
      done(new CallError('refusedInput', { fields: [{ path: '', reason: 'invalid_json', params: {} }] }));
    }
  });
  return app;
}

/** JSON is UTF-8: a reader of other bytes would put U+FFFD in their place. A POST without a body is a call with an empty input. */
function parseBody(body: Buffer): unknown {
  if (body.length === 0) return {};
  if (!isUtf8(body)) throw new TypeError('not UTF-8');
  return JSON.parse(body.toString('utf8'), dropPrototype);
}

const dropPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);

const isApiPath = (path: string): boolean => apiPrefixes.some((prefix) => path.toLowerCase().startsWith(prefix));

const reasons: ReadonlyMap<number, string> = new Map([
  [413, 'too_big'],
  [415, 'invalid_type'],
]);

function answerError(error: FastifyError | CallError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request);
  // A file that fails before its first byte has said already what it would have been.
  reply.removeHeader('content-disposition').type('application/json; charset=utf-8');
  const answer = (number: number, result: unknown) =>
    reply.code(200).send({ errno: number, msg: filledError(errorText(number, language), result, language), result });
  if (error instanceof CallError) return answer(error.errno, error.result);
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500) {
    request.log.info({ err: error }, 'request refused');
    // A path that the folder of the web app refuses.
    if (!methodsOf.has(request.routeOptions.url ?? '')) return answerMissing(reply);
    return answer(errno.refusedInput, { fields: [{ path: '', reason: reasons.get(status) ?? 'invalid', params: {} }] });
  }
  if (isDatabaseUnavailable(error) || isTelemetryUnavailable(error)) {
    request.log.warn({ err: error }, 'a store cannot be reached');
    return answer(errno.storeAway, null);
  }
  request.log.error({ err: error }, 'request failed');
  return reply.code(500).send({
    errno: errno.serverException,
    msg: errorText(errno.serverException, language),
    result: { requestId: request.id },
  });
}

function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: ((reply: FastifyReply) => FastifyReply) | undefined,
): FastifyReply {
  const path = plainPath(request.url);
  const methods = methodsOf.get(path);
  if (methods) {
    return reply.code(405).header('allow', methods.join(', ')).send({ status: 405, text: 'Method Not Allowed' });
  }
  const looksForPage = ['GET', 'HEAD'].includes(request.method) && (request.headers.accept ?? '').includes('text/html');
  if (sendPage && looksForPage && !isApiPath(path)) return sendPage(reply.code(404));
  return answerMissing(reply);
}

const answerMissing = (reply: FastifyReply): FastifyReply =>
  reply.code(404).send({ status: 404, text: 'Api Not Found' });

function measure(app: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({
    name: 'sonnenwarte_http_request_seconds',
    help: 'Time to answer a request, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.debug(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account: request.actor?.username,
      },
      'answered',
    );
  });
}
