import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAllowedUrl, isOwnNetwork, isPrivateAddress } from '../outgoing/outgoing-address.ts';
import { post } from './outgoing-request.ts';

const production = { privateAddresses: false, plainLoopback: false };
const development = { privateAddresses: true, plainLoopback: true };
const ownHouse = { privateAddresses: true, plainLoopback: false };

let server: Server;
let base: string;
const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      if (request.url === '/silent') return;
      if (request.url === '/elsewhere') response.setHeader('location', '/arrived');
      response.statusCode = Number({ '/elsewhere': 302, '/broken': 500, '/gone': 410 }[request.url ?? ''] ?? 204);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const message = { headers: { 'content-type': 'application/json' }, body: '{"a":1}' };

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.178.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  test('of this machine and its networks are known, though they are public', () => {
    const of = (address: string, cidr: string, family: 'IPv4' | 'IPv6') => ({
      address,
      cidr,
      family,
      netmask: '',
      mac: '',
      internal: false,
    });
    const interfaces = {
      eth0: [of('8.8.4.4', '8.8.4.4/24', 'IPv4'), { ...of('2a00:1450::5', '2a00:1450::5/64', 'IPv6'), scopeid: 0 }],
    } as ReturnType<typeof networkInterfaces>;
    for (const address of ['8.8.4.4', '8.8.4.9', '2a00:1450::5', '2a00:1450::77']) {
      expect(isOwnNetwork(address, interfaces), address).toBe(true);
    }
    for (const address of ['8.8.5.4', '2a00:1451::5']) expect(isOwnNetwork(address, interfaces), address).toBe(false);
    expect(isOwnNetwork('127.0.0.1')).toBe(true);
  });

  test('all of the private networks are private', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const networks = [
      fc.tuple(octet, octet, octet).map(([a, b, c]) => `10.${a}.${b}.${c}`),
      fc.tuple(octet, octet).map(([a, b]) => `192.168.${a}.${b}`),
      fc.tuple(fc.integer({ min: 16, max: 31 }), octet, octet).map(([a, b, c]) => `172.${a}.${b}.${c}`),
      fc.tuple(octet, octet, octet).map(([a, b, c]) => `127.${a}.${b}.${c}`),
      fc.tuple(octet, octet).map(([a, b]) => `169.254.${a}.${b}`),
    ];
    fc.assert(
      fc.property(fc.oneof(...networks), (address) => {
        expect(isPrivateAddress(address)).toBe(true);
        expect(isAllowedUrl(`https://${address}/hook`, production)).toBe(false);
      }),
    );
  });
});

describe('an address that a user gives', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:secret@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://localhost./',
    'https://api.localhost/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:169.254.169.254]/',
    'https://100.100.100.200/latest/meta-data/',
    'https://0.0.0.0/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'no address',
  ])('%s is refused', (url) => {
    expect(isAllowedUrl(url, production)).toBe(false);
  });

  test('leads to this machine by plain http neither in development, unless the operator allows it', () => {
    const asked = { privateAddresses: false, plainLoopback: true };
    for (const url of ['http://127.0.0.1:1/hook', 'http://localhost/hook', 'http://[::1]/hook']) {
      expect(isAllowedUrl(url, asked), url).toBe(false);
      expect(isAllowedUrl(url, development), url).toBe(true);
    }
  });

  test('of the own network is taken where the operator allows it, plain http nowhere but to this machine in development', () => {
    expect(isAllowedUrl('https://192.168.1.5/hook', ownHouse)).toBe(true);
    expect(isAllowedUrl('http://192.168.1.5/hook', ownHouse)).toBe(false);
    expect(isAllowedUrl('http://127.0.0.1:1/hook', development)).toBe(true);
    expect(isAllowedUrl('http://192.168.1.5/hook', development)).toBe(false);
    expect(isAllowedUrl('https://example.com:8443/hook?x=1', production)).toBe(true);
  });
});

describe('a request to it', () => {
  test('arrives with its headers and body', async () => {
    await post(`${base}/hook`, message, development);
    expect(received.at(-1)).toMatchObject({
      url: '/hook',
      body: message.body,
      headers: { 'content-type': 'application/json' },
    });
  });

  test('follows no redirect', async () => {
    await expect(post(`${base}/elsewhere`, message, development)).rejects.toMatchObject({ reason: 'redirect' });
    expect(received.some(({ url }) => url === '/arrived')).toBe(false);
  });

  test.each([
    ['/broken', 'status', 500],
    ['/gone', 'gone', 410],
  ])('to %s fails with %s', async (path, reason, status) => {
    await expect(post(base + path, message, development)).rejects.toMatchObject({ reason, status });
  });

  test('that is not answered ends in time', async () => {
    await expect(post(`${base}/silent`, message, development, 50)).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('to a port where nobody listens is unreachable', async () => {
    await expect(post('http://127.0.0.1:1/', message, development)).rejects.toMatchObject({ reason: 'unreachable' });
  });

  test('never leaves for a name that leads to this machine, though the name itself looks harmless', async () => {
    const before = received.length;
    const port = (server.address() as AddressInfo).port;
    await expect(post(`https://ip6-localhost:${port}/`, message, production)).rejects.toMatchObject({
      reason: expect.stringMatching(/addressRefused|unreachable/),
    });
    await expect(post(`${base}/hook`, message, production)).rejects.toMatchObject({ reason: 'addressRefused' });
    expect(received).toHaveLength(before);
  });
});
