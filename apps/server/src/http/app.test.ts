import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { routes } from '@sonnenwarte/contract/routes';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from './app.ts';

const MOST_CALLS = 1_200;
const logger = pino({ level: 'silent' });

let webFolder = '';
let app: FastifyInstance;
beforeEach(() => {
  webFolder = mkdtempSync(join(tmpdir(), 'sonnenwarte-web-'));
  mkdirSync(join(webFolder, 'assets'));
  writeFileSync(join(webFolder, 'index.html'), '<!doctype html><title>The page</title>');
  writeFileSync(join(webFolder, 'assets', 'a.js'), 'export {};');
  writeFileSync(join(webFolder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
});
afterEach(async () => {
  await app?.close();
  rmSync(webFolder, { recursive: true, force: true });
});

const newApp = async (receiveWithinMs?: number): Promise<FastifyInstance> =>
  createApp({
    logger,
    metrics: new Registry(),
    dependencies: async () => ({}),
    webFolder,
    ...(receiveWithinMs !== undefined && { receiveWithinMs }),
  });

const listening = async (): Promise<number> => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
};

/** What comes back on a connection until the server ends it; `say` writes what it likes. */
function talk(port: number, say: (write: (text: string) => void) => void): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    socket.on('error', () => undefined).on('close', () => done(heard));
    say((text) => {
      if (!socket.destroyed) socket.write(text);
    });
  });
}

describe('a request that does not come to its end', () => {
  test('is given up by its head after ten seconds, an idle connection after 72', async () => {
    app = await newApp();
    await app.ready();
    expect(app.server).toMatchObject({
      requestTimeout: 0,
      headersTimeout: 10_000,
      keepAliveTimeout: 72_000,
      timeout: 0,
    });
  });

  test.each([
    ['head', 'POST /c/v0/x HTTP/1.1\r\nhost: localhost\r\n'],
    [
      'body',
      'POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
    ],
    [
      'body in chunks',
      'POST /echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
  ])('is ended with its connection, though its %s goes on and on', async (part, beginning) => {
    app = await newApp(200);
    app.post('/echo', async () => 'arrived');
    const port = await listening();
    let dripping: NodeJS.Timeout | undefined;
    const heard = await talk(port, (write) => {
      write(beginning);
      const drop = { head: 'x', body: ' ', 'body in chunks': '1\r\n \r\n' }[part] ?? '';
      dripping = setInterval(() => write(drop), 20);
    });
    clearInterval(dripping);
    expect(heard).not.toContain('arrived');
    expect(heard).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test.each([
    ['goes on while anything comes in', true, /arrived: 10$/],
    ['is ended where nobody is signed in', false, /^(HTTP\/1\.1 408 |$)/],
  ])('with a file to a patient call, %s', async (_, isSignedIn, heard) => {
    app = await newApp(150);
    app.post(
      '/patient',
      {
        config: { isPatient: true },
        onRequest: async (request) => {
          if (isSignedIn) request.actor = {} as NonNullable<typeof request.actor>;
        },
      },
      async (request) => `arrived: ${JSON.stringify(request.body).length}`,
    );
    const port = await listening();
    let sending: NodeJS.Timeout | undefined;
    const answer = await talk(port, (write) => {
      write(
        'POST /patient HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n',
      );
      const left = [...'"12345678"'];
      sending = setInterval(() => write(left.shift() ?? ''), 60);
    });
    clearInterval(sending);
    expect(answer.trimEnd()).toMatch(heard);
  });

  test('with a file that trickles is ended all the same', async () => {
    app = await newApp(20);
    app.post(
      '/patient',
      {
        config: { isPatient: true },
        onRequest: async (request) => {
          request.actor = {} as NonNullable<typeof request.actor>;
        },
      },
      async () => 'arrived',
    );
    const port = await listening();
    let sending: NodeJS.Timeout | undefined;
    const heard = await talk(port, (write) => {
      write(
        'POST /patient HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
      );
      sending = setInterval(() => write(' '), 5);
    });
    clearInterval(sending);
    expect(heard).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });

  test('does not shorten an answer that takes longer than that', async () => {
    app = await newApp(300);
    app.post('/export', (_, reply) =>
      reply.send(
        Readable.from(
          (async function* () {
            yield 'begun, ';
            await talk(port, (write) => write('POST /c/v0/x HTTP/1.1\r\nhost: localhost\r\n'));
            yield 'done when a request that came later was given up';
          })(),
        ),
      ),
    );
    const port = await listening();
    const answer = await fetch(`http://127.0.0.1:${port}/export`, { method: 'POST' });
    expect(await answer.text()).toBe('begun, done when a request that came later was given up');
  });
});

describe('each client is shown', () => {
  const clients = {
    'a browser': { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, br' },
    'a browser without compression': { accept: 'text/html' },
    'any client': { accept: '*/*' },
    'a client that says nothing': {},
  };
  beforeEach(async () => {
    app = await newApp();
  });

  describe.each(Object.entries(clients))('%s', (_, headers) => {
    const ask = (url: string, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url, headers });

    test('at a route the files that its screen needs beyond what the page names already, none of which holds up the page', async () => {
      writeFileSync(
        join(webFolder, 'index.html'),
        '<!doctype html><html><head><script src="/assets/base.js"></script></head><body></body></html>',
      );
      const files = { login: ['assets/base.js', 'assets/login.js', 'assets/login.css'] };
      writeFileSync(join(webFolder, 'first-files.json'), JSON.stringify(files));
      const links = async (address: string) => (await ask(address)).body.match(/<link [^>]*>/g) ?? [];
      expect(await links('/login')).toEqual([
        '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/login.js">',
        '<link rel="preload" as="style" fetchpriority="low" crossorigin href="/assets/login.css">',
      ]);
      expect(await links('/')).toEqual([]);
    });

    test('the page, at the address of the portal and at each of its routes', async () => {
      for (const path of ['/', ...routes.map((route) => route.path)]) {
        for (const url of [path, `${path}?x=1`]) {
          const page = await ask(url);
          expect(page.statusCode, url).toBe(200);
          expect(page.headers['content-type'], url).toBe('text/html; charset=utf-8');
          expect(page.body, url).toContain('The page');
          const head = await ask(url, 'HEAD');
          expect(head.statusCode, url).toBe(200);
          expect(head.headers['content-type'], url).toBe('text/html; charset=utf-8');
          expect(head.body, url).toBe('');
        }
      }
    });

    test('the way to the page, where it asks for its file', async () => {
      for (const [url, location] of [
        ['/index.html', '/'],
        ['/index.html?x=1', '/?x=1'],
      ] as const) {
        for (const method of ['GET', 'HEAD'] as const) {
          const answer = await ask(url, method);
          expect([answer.statusCode, answer.headers.location], url).toEqual([301, location]);
        }
      }
    });

    test('404 where no file, no folder, no page and no call is', async () => {
      for (const url of ['/nowhere', '/none.js', '/assets', '/assets/', '/assets/none.js', `/${'x'.repeat(400)}`]) {
        for (const method of ['GET', 'HEAD'] as const) expect((await ask(url, method)).statusCode, url).toBe(404);
      }
      for (const url of ['/c/v0/nowhere', '/C/v0/nowhere', '/basic/v0/nowhere']) {
        expect((await ask(url)).json(), url).toEqual({ status: 404, text: 'Api Not Found' });
        expect((await ask(url, 'HEAD')).statusCode, url).toBe(404);
      }
    });
  });

  test('the page that says so at an address that does not exist, if it is a browser', async () => {
    for (const url of ['/nowhere', '/none.js', '/assets/']) {
      for (const client of ['a browser', 'a browser without compression'] as const) {
        expect((await app.inject({ url, headers: clients[client] })).body, url).toContain('The page');
      }
      expect((await app.inject({ url, headers: clients['any client'] })).json(), url).toMatchObject({ status: 404 });
    }
  });
});

describe('beside the calls', () => {
  test.each([
    ...['/', '/?x=1', '/index.html', '/bus/index', '/nowhere', '/none.js', '/assets', '/assets/', '/assets/none.js'],
    ...['//', '/assets/../assets/a.js', '/assets/%61.js', '/assets\\a.js', `/${'x'.repeat(400)}`, '/c/v0/nowhere'],
  ])('%s counts as a call does, for those who accept compressed files and for those who do not', async (path) => {
    app = await newApp();
    const port = await listening();
    const remaining = async (method: string, headers: string): Promise<number> => {
      const answer = await talk(port, (write) =>
        write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}connection: close\r\n\r\n`),
      );
      return Number(answer.match(/x-ratelimit-remaining: (\d+)/)?.[1]);
    };
    expect(await remaining('GET', '')).toBe(MOST_CALLS - 1);
    expect(await remaining('GET', 'accept-encoding: br\r\n')).toBe(MOST_CALLS - 2);
    expect(await remaining('HEAD', 'accept: text/html\r\n')).toBe(MOST_CALLS - 3);
  });

  test('files of the web app are not counted, pages and what does not exist are', async () => {
    app = await newApp();
    const ask = (url: string) => app.inject({ url, headers: { accept: 'text/html' } });
    for (let n = 0; n < MOST_CALLS; n += 1) await ask('/assets/a.js');
    expect((await ask('/sites')).body).toContain('The page');
    for (let n = 1; n < MOST_CALLS; n += 1) await ask(n % 2 === 0 ? '/%63/v0/nowhere' : '/assets/none.js');
    expect((await ask('/c/v0/nowhere')).json()).toMatchObject({ errno: 40400 });
    expect((await ask('/sites')).json()).toMatchObject({ errno: 40400 });
    expect((await ask('/assets/a.js')).body).toBe('export {};');
  });

  test('a path of calls is never answered with the page, in no spelling', async () => {
    app = await newApp();
    const port = await listening();
    const get = (path: string) =>
      talk(port, (write) =>
        write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: text/html\r\nconnection: close\r\n\r\n`),
      );
    expect(await get('/sites')).toContain('The page');
    for (const path of [
      '/c/v0/x',
      '/%63/v0/x',
      '//c/v0/x',
      '/C/v0/x',
      '/c%2Fv0/x',
      '/a/../c/v0/x',
      'http://x/c/v0/x',
    ]) {
      expect(await get(path), path).toMatch(/^HTTP\/1\.1 40[034] /);
    }
  });

  test('the page keeps its own policy and is kept by no cache, its assets for ever, its icon for a day', async () => {
    app = await newApp();
    const page = await app.inject({ url: '/login', headers: { accept: 'text/html' } });
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    const asset = await app.inject({ url: '/assets/a.js' });
    expect(asset.headers['cache-control']).toContain('immutable');
    const icon = await app.inject({ url: '/favicon.svg' });
    expect(icon.headers['cache-control']).toBe('public, max-age=86400');
  });
});

test('a file that fails before its first byte is answered as any call that fails, and not as a file', async () => {
  app = await newApp();
  app.get('/file', (_, reply) =>
    reply
      .header('content-type', 'text/csv')
      .header('content-disposition', 'attachment; filename="a.csv"')
      .send(
        new Readable({
          read() {
            this.destroy(new Error('the store is torn'));
          },
        }),
      ),
  );
  const answer = await app.inject({ url: '/file' });
  expect(answer.headers['content-type']).toContain('application/json');
  expect(answer.headers).not.toHaveProperty('content-disposition');
  expect(answer.json()).toMatchObject({ errno: 41_201, result: { requestId: expect.any(String) } });
  expect(answer.body).not.toContain('torn');
});
