import { lookup } from 'node:dns';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DeliveryFailure } from '@sonnenwarte/contract/notifications/notifications';
import { isLoopback } from '../loopback.ts';

/** Where users may send this server's requests. */
export interface OutgoingRules {
  /** Addresses of the own network may be reached: for installations that post to a house of their own. */
  readonly privateAddresses: boolean;
  /** Plain http to this machine, for development; without `privateAddresses` of no effect. */
  readonly plainLoopback: boolean;
}

/** Why nothing arrived; the text is a reason that the portal can name. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';
  readonly reason: DeliveryFailure;
  readonly status: number | null;

  constructor(reason: DeliveryFailure, status: number | null = null) {
    super(status === null ? reason : `${reason} ${status}`);
    this.reason = reason;
    this.status = status;
  }
}

const TIMEOUT_MS = 5_000;

const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, prefix);
}
// Of IPv6 only global unicast is public, less what wraps other addresses or stands in examples.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, prefix, 'ipv6');
}
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one that only this machine or its network reaches. */
export function isPrivateAddress(address: string): boolean {
  if (!isIPv6(address)) return notPublic.check(address);
  return !globalUnicast.check(address, 'ipv6') || notPublic.check(address, 'ipv6');
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Whether an address is this machine's or one beside it, though all the world may reach it. */
export function isOwnNetwork(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  const own = new BlockList();
  for (const { cidr, family } of Object.values(interfaces).flatMap((each) => each ?? [])) {
    const [network = '', bits] = cidr?.split('/') ?? [];
    if (isIP(network) !== 0) own.addSubnet(network, Number(bits), family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

const mayReach = (address: string, plain: boolean, rules: OutgoingRules): boolean => {
  if (plain && !(rules.plainLoopback && isLoopback(address))) return false;
  return rules.privateAddresses || !(isPrivateAddress(address) || isOwnNetwork(address));
};

/** Whether an URL may be called as far as that can be told without asking for its address. */
export function isAllowedUrl(text: string, rules: OutgoingRules): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const plain = url.protocol === 'http:';
  if (!plain && url.protocol !== 'https:') return false;
  if (plain && !(rules.plainLoopback && rules.privateAddresses)) return false;
  const host = bare(url.hostname);
  if (isIP(host) !== 0) return mayReach(host, plain, rules);
  if (host === 'localhost' || host.endsWith('.localhost')) return mayReach('127.0.0.1', plain, rules);
  return !plain;
}

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** Looks up a name and refuses it when one of its addresses may not be reached; the connection then takes what was checked. */
const checkedLookup =
  (plain: boolean, rules: OutgoingRules): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !mayReach(address, plain, rules))) {
        return done(new DeliveryError('addressRefused'), '');
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

/** Posts to an address that a user gave. No redirect is followed, nothing of the answer but its status is read. */
export function post(
  target: string,
  message: { headers: Readonly<Record<string, string>>; body: string | Buffer },
  rules: OutgoingRules,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  if (!isAllowedUrl(target, rules)) return Promise.reject(new DeliveryError('addressRefused'));
  const url = new URL(target);
  const plain = url.protocol === 'http:';
  return new Promise((done, failed) => {
    const timeLimit = AbortSignal.timeout(timeoutMs);
    const request = (plain ? requestHttp : requestHttps)(
      url,
      {
        method: 'POST',
        headers: { ...message.headers, 'content-length': String(Buffer.byteLength(message.body)) },
        agent: false,
        signal: timeLimit,
        lookup: checkedLookup(plain, rules),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        response.destroy();
        if (status >= 200 && status < 300) done();
        else if (status >= 300 && status < 400) failed(new DeliveryError('redirect', status));
        else if (status === 404 || status === 410) failed(new DeliveryError('gone', status));
        else failed(new DeliveryError('status', status));
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof DeliveryError) failed(error);
      else if (timeLimit.aborted) failed(new DeliveryError('timeout'));
      else failed(new DeliveryError(isCertificate(error.code) ? 'certificate' : 'unreachable'));
    });
    request.end(message.body);
  });
}

const isCertificate = (code: string | undefined): boolean =>
  code !== undefined && /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
