import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../loopback.ts';

/** Who may see the portal's figures and the state of its parts. */
export interface OperatorRule {
  /** Whoever sends it as `Authorization: Bearer …`. */
  readonly token?: string | undefined;
  /** Whoever reaches it, for a port that is kept from others by the network. */
  readonly everybody?: boolean;
  /** Whoever calls from this machine itself; not where a proxy may stand in front without a word of it. */
  readonly fromHere: boolean;
}

const FORWARDED_BY = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export function isOperator(request: FastifyRequest, { token, everybody, fromHere }: OperatorRule): boolean {
  if (everybody) return true;
  const told = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && told !== undefined && timingSafeEqual(digest(told), digest(token))) return true;
  return fromHere && isDirect(request);
}

/** Called by a program on this machine, for this machine: not through a proxy, nor by a page under a stranger's name. */
function isDirect({ socket, headers }: FastifyRequest): boolean {
  const host = (headers.host ?? '').replace(/:\d*$/, '');
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    isLoopback(host) &&
    !FORWARDED_BY.some((name) => headers[name] !== undefined)
  );
}
