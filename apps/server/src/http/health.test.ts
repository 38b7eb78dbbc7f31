import { request } from 'node:http';
import { accountEndpoints } from '@sonnenwarte/contract/accounts/accounts';
import { errorMessages } from '@sonnenwarte/contract/errors/errors';
import { openApiEndpoints } from '@sonnenwarte/contract/open-api/open-api';
import { exportList } from '@sonnenwarte/contract/sites/sites';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/portal.ts';

const token = 'a-token-of-forty-characters-for-metrics!';
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({
    METRICS_TOKEN: token,
    METRICS_PORT: '0',
    TRUSTED_PROXIES: '127.0.0.1',
    PUBLIC_URL: 'https://solar.example.com',
  });
});
afterAll(() => portal?.stop());

const bearer = (told: string) => ({ authorization: `Bearer ${told}` });

/** With headers that `fetch` would set itself. */
function get(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string; headers: object }> {
  return new Promise((done, failed) => {
    request(url, { headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => done({ status: response.statusCode ?? 0, body, headers: response.headers }));
    })
      .on('error', failed)
      .end();
  });
}

/** What a caller with these headers sees of the portal's inside. */
async function seen(url: string, headers: Record<string, string> = {}): Promise<{ metrics: boolean; parts: boolean }> {
  const metrics = await get(`${url}/metrics`, headers);
  const ready = await get(`${url}/readyz`, headers);
  expect([200, 503]).toContain(ready.status);
  const told = JSON.parse(ready.body) as object;
  expect(['ready', 'not ready']).toContain('status' in told && told.status);
  if (metrics.status !== 200) {
    expect(metrics.status).toBe(401);
    expect(metrics.body).not.toContain('sonnenwarte_');
  }
  return { metrics: metrics.status === 200, parts: 'dependencies' in told };
}
const all = { metrics: true, parts: true };
const nothing = { metrics: false, parts: false };

describe('metrics and the state of each part', () => {
  test('are for whoever calls from this machine itself', async () => {
    expect(await seen(portal.url)).toEqual(all);
  });

  test.each([
    ['x-forwarded-for', '198.51.100.7'],
    ['x-forwarded-for', '127.0.0.1'],
    ['x-real-ip', '127.0.0.1'],
    ['cf-connecting-ip', '127.0.0.1'],
    ['true-client-ip', '127.0.0.1'],
    ['forwarded', 'for=127.0.0.1'],
    ['via', '1.1 proxy'],
    ['host', 'rebound.example.com'],
  ])('are not for a call that a proxy or a page of another name sends on (%s: %s)', async (name, value) => {
    expect(await seen(portal.url, { [name]: value })).toEqual(nothing);
  });

  test('are for whoever knows the token, wherever they call from, and not for a part of it', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    expect(await seen(portal.url, { ...from, ...bearer(token) })).toEqual(all);
    for (const wrong of ['', token.slice(1), `${token}x`, token.toUpperCase()]) {
      expect(await seen(portal.url, { ...from, ...bearer(wrong) })).toEqual(nothing);
    }
  });

  test('have a port of their own, which tells them only for the token where there is one', async () => {
    const own = `http://127.0.0.1:${portal.server.metricsPort}`;
    const from = { 'x-forwarded-for': '198.51.100.7' };
    expect(await seen(own, from)).toEqual(nothing);
    expect(await seen(own, { ...from, ...bearer(token) })).toEqual(all);
    expect((await get(`${own}${accountEndpoints.info.path}`)).status).toBe(404);
  });

  test('are told on that port to everybody who reaches it, where there is no token', async () => {
    const open = await startTestPortal({ METRICS_PORT: '0' });
    try {
      expect(await seen(`http://127.0.0.1:${open.server.metricsPort}`, { host: 'metrics.internal' })).toEqual(all);
      expect(await seen(open.url, { 'x-forwarded-for': '198.51.100.7' })).toEqual(nothing);
    } finally {
      await open.stop();
    }
  });

  test('are for nobody without the token where others come by a proxy that is not known', async () => {
    const behind = await startTestPortal({ PUBLIC_URL: 'https://solar.example.com' });
    try {
      expect(await seen(behind.url)).toEqual(nothing);
    } finally {
      await behind.stop();
    }
  });
});

describe('no cache keeps', () => {
  const cacheOf = (answer: Response) => answer.headers.get('cache-control');

  test('what a session, a key, or somebody who signs in is answered, refusals and files among it', async () => {
    const session = await portal.sessionOf('owner');
    const key = await portal.apiKeyOf('owner');
    const answers = await Promise.all([
      portal.fetch(accountEndpoints.info, {}, { token: session }),
      portal.fetch(accountEndpoints.info, {}, { token: 'unknown' }),
      portal.fetch(accountEndpoints.login, { user: 'owner', password: '0'.repeat(32) }),
      portal.fetch(openApiEndpoints.accessCount, {}, { token: key }),
      portal.fetch(exportList, { columns: ['name'] }, { token: session }),
    ]);
    for (const answer of answers) {
      expect(cacheOf(answer)).toBe('no-store');
      await answer.arrayBuffer();
    }
  });

  test('how the portal is, while what is the same for everybody stays as it is', async () => {
    expect((await get(`${portal.url}/readyz`)).headers).toMatchObject({ 'cache-control': 'no-store' });
    expect((await get(`${portal.url}/metrics`)).headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(cacheOf(await portal.fetch(errorMessages, {}))).toBeNull();
  });
});
