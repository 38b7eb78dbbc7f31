import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { errno } from '@sonnenwarte/contract/errors';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const MOST_CALLS = 1_200;
const AT_ONCE = 40;
const access = '/c/v0/user/access';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => portal?.stop());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Answered {
  readonly status: number;
  readonly errno: number | undefined;
}

/** A request whose path goes out as it is written. */
function send(method: string, path: string, address: string): Promise<Answered> {
  const headers = {
    'x-forwarded-for': address,
    token: randomBytes(32).toString('base64url'),
    timestamp: String(Date.now()),
    signature: `${'0'.repeat(32)}.5245784`,
    accept: 'text/html',
  };
  return new Promise((done, failed) => {
    request(portal.url, { method, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, errno: JSON.parse(body || '{}').errno }));
    })
      .on('error', failed)
      .end();
  });
}

async function sendMany(count: number, method: string, path: string, address: string): Promise<Answered[]> {
  const answers: Answered[] = [];
  let sent = 0;
  const caller = async () => {
    while (sent < count) {
      sent += 1;
      answers.push(await send(method, path, address));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return answers;
}

test.each([
  ['GET', access],
  ['GET', '/%63/v0/user/access'],
  ['GET', '/c/v0/user/%61ccess?x=1'],
  ['GET', `http://elsewhere.example${access}`],
  ['GET', `/${access}`],
  ['GET', '/c/./v0/user/access'],
  ['GET', '/C/V0/USER/ACCESS'],
  ['GET', `${access}/`],
  ['GET', '/c%2Fv0%2Fuser%2Faccess'],
  ['PUT', access],
  ['POST', '/nowhere'],
  ['GET', '/nowhere'],
])('%s %s is counted for its network, however it is spelled', async (method, path) => {
  const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
  const answers = await sendMany(MOST_CALLS + 20, method, path, address);
  expect(answers.filter((answer) => answer.errno === errno.tooManyRequests)).toHaveLength(20);
});

test('spellings of a call count together, and with the call itself', async () => {
  const address = '203.0.113.9';
  await sendMany(MOST_CALLS / 2, 'GET', access, address);
  await sendMany(MOST_CALLS / 2, 'GET', '/%63/v0/user/access', address);
  expect((await send('GET', access, address)).errno).toBe(errno.tooManyRequests);
  expect((await send('POST', '/nowhere', address)).errno).toBe(errno.tooManyRequests);
});

test('what is no call is answered with 404 or 405 in every spelling of the path, never with the page or an own error', async () => {
  const address = '203.0.113.10';
  expect((await send('PUT', '/%63/v0/user/access', address)).status).toBe(405);
  for (const path of ['//c/v0/nowhere', '/C/v0/nowhere', '/%63/v0/nowhere', '/x/../c/v0/nowhere']) {
    expect((await send('GET', path, address)).status).toBe(404);
  }
  expect((await send('GET', '/%zz', address)).status).toBe(400);
});
