import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { routes } from '@sonnenwarte/contract/routes';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ConfigError } from '../config.ts';
import { hostOf } from './serve.ts';

/** What becomes of the page and of what browsers are told of the app, where both look another way. */
export interface Look {
  page(page: string, nonce: string): string;
  manifest(manifest: string): string;
}

/** How the web app looks under the name by which it is reached; brands say so. */
export interface Looks {
  of(host: string): Look | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    looks: Looks;
  }
}

const policy = (nonce: string, images: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    ["img-src 'self' data: blob:", ...images].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** What the page may ask of a device: dataloggers are scanned, plants are put where somebody stands. */
const PERMISSIONS = 'camera=(self), geolocation=(self), microphone=(), payment=(), usb=()';

/** As it is, or compressed. */
const WORKER = /[\\/]worker\.js(?:\.\w+)?$/;
/** The service worker fetches what it keeps by the policy that it came with. */
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** Codes of labels and scanned pages of PDFs are read by compiled code, which no other script may run. */
const CODE_READER = /[\\/]assets[\\/](?:code-worker|pdf\.worker)[\w.-]+\.m?js(?:\.\w+)?$/;
const codeReaderPolicy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";

/** Browsers look for the icon again at each change of the address. */
const ageOf = (file: string): string =>
  file.includes(`${path.sep}assets${path.sep}`)
    ? 'max-age=31536000, immutable'
    : path.basename(file).startsWith('favicon.')
      ? 'max-age=86400'
      : 'max-age=300';

/** What fetches a file without holding up the page or what it begins with. */
const linkTo = (file: string): string =>
  `<link rel="${file.endsWith('.css') ? 'preload" as="style' : 'modulepreload'}" fetchpriority="low" crossorigin href="/${file}">`;

/** The page with links to the code and styles of a route, so that they come while the script runs that would ask for them. */
function withFirstFiles(page: string, folder: string, route = ''): string {
  const list = path.join(folder, 'first-files.json');
  const files: Readonly<Record<string, readonly string[]>> = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : {};
  const further = Object.hasOwn(files, route) ? (files[route] ?? []) : [];
  const links = further.filter((file) => !page.includes(`/${file}"`)).map(linkTo);
  return page.replace('</head>', () => `${links.join('')}</head>`);
}

/**
 * Serves the built web app: hashed assets for ever; the page itself at `/` and at each route of the portal, never from a
 * cache and with a fresh style nonce. Pictures may come from `images` besides. Answers what sends the page elsewhere.
 */
export async function staticWeb(
  app: FastifyInstance,
  folder: string,
  images: readonly string[] = [],
): Promise<(reply: FastifyReply) => FastifyReply> {
  const indexFile = path.join(folder, 'index.html');
  if (!existsSync(indexFile))
    throw new ConfigError(`the web app is not built: ${indexFile} is missing (npm run build:web)`);
  if (!app.hasDecorator('looks')) app.decorate('looks', { of: () => undefined });
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    // Else what a folder answers depends on whether the client takes compressed files.
    allowedPath: (file) => !file.endsWith('/'),
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, file) => {
      response.header('cache-control', `public, ${ageOf(file)}`);
      if (WORKER.test(file)) response.header('content-security-policy', workerPolicy);
      if (CODE_READER.test(file)) response.header('content-security-policy', codeReaderPolicy);
    },
  });
  const sendPage = (reply: FastifyReply, route?: string): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    const look = app.looks.of(hostOf(reply.request));
    // Read anew each time, so that a build under a running server is served whole.
    const page = withFirstFiles(readFileSync(indexFile, 'utf8'), folder, route).replaceAll('__CSP_NONCE__', nonce);
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy(nonce, images))
      .header('permissions-policy', PERMISSIONS)
      .send(look?.page(page, nonce) ?? page);
  };
  app.get('/', (_, reply) => sendPage(reply));
  for (const { path: address, name } of routes) app.get(address, (_, reply) => sendPage(reply, name));
  const manifest = 'manifest.webmanifest';
  app.get(`/${manifest}`, (request, reply) => {
    const look = app.looks.of(hostOf(request));
    if (look === undefined) return reply.sendFile(manifest);
    return reply
      .header('content-type', 'application/manifest+json')
      .header('cache-control', 'no-cache')
      .send(look.manifest(readFileSync(path.join(folder, manifest), 'utf8')));
  });
  // As a file it would go out without nonce and policy.
  app.get('/index.html', (request, reply) => reply.redirect(`/${request.url.match(/\?.*/)?.[0] ?? ''}`, 301));
  return sendPage;
}
