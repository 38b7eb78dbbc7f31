import type { Readable } from 'node:stream';
import { codesOfCall, type Endpoint, type Parsed, type Result, writes } from '@sonnenwarte/contract/endpoint';
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@sonnenwarte/contract/languages';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import { isLetPast } from '../access/codes.ts';
import { type Scope, scopeOf } from '../access/scope.ts';
import { allWithin, eachWithin, type Patience, usualPatience } from '../stores/patience.ts';
import { CallError } from './call-error.ts';
import { FileSlots } from './file-slots.ts';
import { refusedInput } from './refused-input.ts';
import { isOpenSigned, isSigned } from './signature.ts';

/** Finds the account of a session token; refuses with 41808, 41809 or 41810. */
export type FindActor = (token: string, request: { address: string; userAgent: string }) => Promise<Actor>;

/**
 * Finds the account of an API key and counts the call; refuses an unknown key with 41809, calls in too quick succession
 * with 40400 and those beyond the day's quota with 40402. `tell` gets the state of the quota, also of a refused call.
 */
export type FindKeyActor = (key: string, path: string, tell: (quota: Quota) => void) => Promise<Actor>;

/** Calls that an API key has on a day, and how many are left. */
export interface Quota {
  readonly total: number;
  readonly remaining: number;
}

export interface PublicContext {
  readonly language: Language;
  /** IANA zone of the caller's screen, as sent; not checked. */
  readonly timeZone: string;
  readonly token: string;
  readonly address: string;
  readonly userAgent: string;
  /** Name by which the portal was reached, as sent: it is compared, and never shown or linked to. */
  readonly host: string;
  readonly requestId: string;
  readonly log: FastifyBaseLogger;
}

export interface CallContext extends PublicContext {
  readonly actor: Actor;
  readonly scope: Scope;
  /** Of the API key that called; none for a session. */
  readonly quota: Quota | undefined;
}

/** Who reads no more of the call than what its caller may see. */
export type Scoped = Pick<CallContext, 'scope'>;

/** What a handler gets: without a session for public calls, with actor and scope for all others. */
export type ContextOf<E extends Endpoint> = E['callers'] extends 'public' ? PublicContext : CallContext;

/** Where features bind their endpoints. */
export interface Api {
  readonly fastify: FastifyInstance;
  readonly findActor: FindActor;
  /** Without it no call with an API key is answered. */
  readonly findKeyActor?: FindKeyActor;
  readonly nowMs: () => number;
  /** How long calls wait for the stores. */
  readonly patience?: Patience;
}

const patienceOf = (api: Api): Patience => api.patience ?? usualPatience;

/** Gives up what a call does when all of it has taken too long, where it changes nothing; where it does, each of its statements. */
function bounded<T>(api: Api, endpoint: Endpoint, reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  const { read, write } = patienceOf(api);
  if (writes(endpoint)) return eachWithin(write.statementMs, work);
  return allWithin(Math.max(1, read.callMs - reply.elapsedTime), work);
}

/** An open stream of server-sent events. */
export interface EventStream<T> {
  send(event: T): void;
  /** What was sent and not yet taken by the client. */
  readonly backlogBytes: number;
  /** Aborted when the client leaves or the server stops. */
  readonly closed: AbortSignal;
  end(): void;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it answers is for the caller alone: no cache keeps it. */
    isPrivate?: boolean;
    /** Whoever is signed in may send to it for as long as something goes on coming in. */
    isPatient?: boolean;
  }
  interface FastifyRequest {
    actor: Actor | undefined;
    quota: Quota | undefined;
  }
}

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
};

export const languageOf = (request: FastifyRequest): Language => {
  const lang = header(request, 'lang');
  return isLanguage(lang) ? lang : DEFAULT_LANGUAGE;
};

/** The host of a request without its port, in lower case; of a trusted proxy the one that it names. */
export const hostOf = (request: FastifyRequest): string => (request.hostname ?? '').toLowerCase();

function publicContext(request: FastifyRequest): PublicContext {
  return {
    language: languageOf(request),
    timeZone: header(request, 'timezone').slice(0, 64),
    token: header(request, 'token'),
    address: request.ip,
    userAgent: header(request, 'user-agent').slice(0, 256),
    host: hostOf(request),
    requestId: request.id,
    log: request.log,
  };
}

function checkSignature(api: Api, endpoint: Endpoint, request: FastifyRequest): void {
  const fits = endpoint.auth === 'apiKey' ? isOpenSigned : isSigned;
  const signed = fits(
    {
      path: endpoint.path,
      token: header(request, 'token'),
      lang: header(request, 'lang'),
      timestamp: header(request, 'timestamp'),
      signature: header(request, 'signature'),
    },
    api.nowMs(),
  );
  if (!signed) throw new CallError('badSignature');
}

async function actorOf(api: Api, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const context = publicContext(request);
  if (endpoint.auth !== 'apiKey') return api.findActor(context.token, context);
  if (api.findKeyActor === undefined) throw new CallError('tokenInvalid');
  return api.findKeyActor(context.token, endpoint.path, (quota) => {
    request.quota = quota;
    reply.header('x-quota-total', quota.total).header('x-quota-remaining', quota.remaining);
  });
}

async function checkCaller(api: Api, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (endpoint.signed !== false) checkSignature(api, endpoint, request);
  if (endpoint.callers === 'public') return;
  const actor = await allWithin(patienceOf(api).read.callMs, () => actorOf(api, endpoint, request, reply));
  request.actor = actor;
  if (actor.mustChangePassword && endpoint.beforePasswordChange !== true) throw new CallError('passwordMustChange');
  if (!endpoint.callers.includes(actor.level)) throw new CallError('noPermission');
  if (!isLetPast(actor, codesOfCall(endpoint))) throw new CallError('noPermission');
  if (actor.viewAs !== null && writes(endpoint)) throw new CallError('readOnlyView');
}

/** What a call sends; files come to those calls alone that take one. */
function sentWith({ method }: Endpoint, request: FastifyRequest): unknown {
  if (method === 'GET') return request.query;
  if (request.isMultipart())
    throw new CallError('refusedInput', { fields: [{ path: '', reason: 'invalid_type', params: {} }] });
  return request.body ?? {};
}

export function parseInput<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
  sent: unknown = sentWith(endpoint, request),
): Parsed<E> {
  const parsed = endpoint.input.safeParse(sent);
  if (!parsed.success) throw new CallError('refusedInput', refusedInput(parsed.error));
  return parsed.data as Parsed<E>;
}

export function contextOf<E extends Endpoint>(request: FastifyRequest): ContextOf<E> {
  const context = publicContext(request);
  const { actor, quota } = request;
  return (actor ? { ...context, actor, scope: scopeOf(actor), quota } : context) as ContextOf<E>;
}

/** What every endpoint's route has of its declaration. */
export const asDeclared = (api: Api, endpoint: Endpoint) => ({
  config: { isPrivate: endpoint.signed !== false, isPatient: endpoint.upload?.isPatient === true },
  onRequest: (request: FastifyRequest, reply: FastifyReply) => checkCaller(api, endpoint, request, reply),
});

/**
 * Binds an endpoint to its handler. Signature, clock, session, level, permission code, input and the shape of the
 * result all come from the contract, in that order; the shape of a large one is not looked at.
 */
export function serve<const E extends Endpoint>(
  api: Api,
  endpoint: E,
  handle: (input: Parsed<E>, context: ContextOf<E>) => Promise<Result<E>>,
): void {
  api.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...asDeclared(api, endpoint),
    handler: async (request, reply) => {
      const result = await bounded(api, endpoint, reply, () =>
        handle(parseInput(endpoint, request), contextOf<E>(request)),
      );
      const told = endpoint.large ? result : endpoint.result.parse(result);
      return { errno: 0, msg: 'success', result: told };
    },
  });
}

/** The bytes that a `file` endpoint answers with, and under which name they are saved. */
export interface FileAnswer {
  readonly name: string;
  readonly contentType: string;
  readonly body: Readable | Buffer;
}

const fileSlots = new WeakMap<FastifyInstance, FileSlots>();

/** Those of all endpoints that answer with files. */
function slotsOf({ fastify }: Api): FileSlots {
  const slots = fileSlots.get(fastify) ?? new FileSlots();
  fileSlots.set(fastify, slots);
  return slots;
}

/** Called when the answer is sent, refused or left by its client. */
export function untilClosed({ raw }: FastifyReply, release: () => void): void {
  if (raw.destroyed) release();
  else raw.once('close', release);
}

/** Binds an endpoint that answers with a file. What is refused before its first byte is answered as the envelope. */
export function serveFile<const E extends Endpoint & { readonly file: true }>(
  api: Api,
  endpoint: E,
  handle: (input: Parsed<E>, context: ContextOf<E>) => Promise<FileAnswer>,
): void {
  api.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...asDeclared(api, endpoint),
    handler: async (request, reply) => {
      if (request.actor && endpoint.ready !== true) untilClosed(reply, slotsOf(api).take(request.actor.accountId));
      const { name, contentType, body } = await eachWithin(patienceOf(api).file.statementMs, () =>
        handle(parseInput(endpoint, request), contextOf<E>(request)),
      );
      const plainName = name.replaceAll(/[^\w. -]/g, '_');
      return reply
        .header('content-type', contentType)
        .headers(endpoint.immutable === true ? { 'cache-control': 'public, max-age=31536000, immutable' } : {})
        .header(
          'content-disposition',
          `attachment; filename="${plainName}"; filename*=UTF-8''${encodeURIComponent(name)}`,
        )
        .send(body);
    },
  });
}

/** Binds a streaming endpoint. The first byte leaves at once, since headers leave only with it. */
export function serveStream<const E extends Endpoint & { readonly stream: true }>(
  api: Api,
  endpoint: E,
  handle: (input: Parsed<E>, context: ContextOf<E>, stream: EventStream<Result<E>>) => Promise<void>,
): void {
  api.fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    ...asDeclared(api, endpoint),
    handler: async (request, reply) => {
      const input = parseInput(endpoint, request);
      const context = contextOf<E>(request);
      const stream = openStream<Result<E>>(reply);
      try {
        await eachWithin(patienceOf(api).stream.statementMs, () => handle(input, context, stream));
      } catch (error) {
        request.log.error({ err: error }, 'live stream failed');
        stream.end();
      }
    },
  });
}

function openStream<T>(reply: FastifyReply): EventStream<T> {
  const closing = new AbortController();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  raw.write(':\n\n');
  raw.on('close', () => closing.abort());
  raw.on('error', () => closing.abort());
  return {
    send: (event) => {
      if (!closing.signal.aborted) raw.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    get backlogBytes() {
      return raw.writableLength;
    },
    closed: closing.signal,
    end: () => {
      closing.abort();
      raw.end();
    },
  };
}
