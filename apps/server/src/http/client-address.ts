import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Addresses of IPv4 that came by a socket of IPv6. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function listOf(trusted: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of trusted) {
    const [address = '', bits] = each.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * Finds the address of the client of a request that does not pass through the web framework, as that does for all others: the last one in
 * X-Forwarded-For that no trusted proxy has.
 *
 * @param trusted addresses and networks of proxies, as the configuration has them
 */
export function clientAddresses(trusted: readonly string[]): (request: IncomingMessage) => string {
  const proxies = listOf(trusted);
  const isTrusted = (address: string) => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return ({ socket, headers }) => {
    const told = String(headers['x-forwarded-for'] ?? '');
    const before = told.split(',').map((each) => plain(each.trim()));
    let address = plain(socket.remoteAddress ?? '');
    while (isIP(address) !== 0 && isTrusted(address)) {
      const next = before.pop();
      if (next === undefined || next === '') break;
      address = next;
    }
    return address;
  };
}
