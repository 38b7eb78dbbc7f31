import { BlockList, isIP, isIPv6 } from 'node:net';

const own = new BlockList();
own.addSubnet('127.0.0.0', 8);
own.addAddress('::1', 'ipv6');

/** Whether an address or the name of a host leads to this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(bare) === 0) return /^(?:.+\.)?localhost$/i.test(bare);
  return own.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
}
