import { lookup } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../loopback.ts';

/** Where requests of this server may go. */
export interface OutgoingRules {
  /** Addresses of the own network may be reached: for installations that post to a house of their own. */
  readonly privateAddresses: boolean;
  /** Plain http to this machine, for development; without `privateAddresses` of no effect. */
  readonly plainLoopback: boolean;
  /** Plain http to the own network, for a service of the house; without `privateAddresses` of no effect. */
  readonly plainPrivate?: boolean;
}

/** An address that this server may not call. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

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

const isInside = (address: string): boolean => isPrivateAddress(address) || isOwnNetwork(address);

const mayReach = (address: string, plain: boolean, rules: OutgoingRules): boolean => {
  const mayBePlain = (rules.plainLoopback && isLoopback(address)) || (rules.plainPrivate && isInside(address));
  if (plain && !mayBePlain) return false;
  return rules.privateAddresses || !isInside(address);
};

/** Whether an URL may be called as far as that can be told without asking for its address. */
export function isAllowedUrl(text: string, rules: OutgoingRules): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return false;
  const plain = url.protocol === 'http:';
  if (!plain && url.protocol !== 'https:') return false;
  if (plain && !((rules.plainLoopback || rules.plainPrivate) && rules.privateAddresses)) return false;
  const host = bare(url.hostname);
  if (isIP(host) !== 0) return mayReach(host, plain, rules);
  if (host === 'localhost' || host.endsWith('.localhost')) return mayReach('127.0.0.1', plain, rules);
  return !plain || rules.plainPrivate === true;
}

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/** Looks up a name and refuses it when one of its addresses may not be reached; the connection then takes what was checked. */
export const checkedLookup =
  (plain: boolean, rules: OutgoingRules): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !mayReach(address, plain, rules))) {
        return done(new AddressRefused(), '');
      }
      if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
