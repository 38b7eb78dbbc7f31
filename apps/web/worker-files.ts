import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { isPortal } from './built-root.ts';
import { partOfHome } from './first-files.ts';
import { APART } from './first-pages.ts';

/** Screens that are to open without a network: the first of everybody, and a plant. */
const ROUTES = ['login', 'bus-index', 'plant-view', 'plant-detail', 'data-view'] as const;
const WORKER = 'worker.js';

/** Tells the service worker which files the first pages are made of. Its text changes with any of them, and so browsers fetch it anew. */
export function workerFiles(): Plugin {
  let folder = '';
  return {
    name: 'worker-files',
    apply: isPortal,
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'pre',
      handler() {
        const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
        const lists = JSON.parse(read('first-files.json')) as Readonly<Record<string, readonly string[]>>;
        const latin = readdirSync(path.join(folder, 'assets')).filter((name) =>
          /^inter-latin-wght.*\.woff2$/.test(name),
        );
        const shown = [...ROUTES, ...APART.map(partOfHome)];
        const files = [...shown.flatMap((name) => lists[name] ?? []), ...latin.map((name) => `assets/${name}`)];
        const addresses = [...new Set(files)].map((name) => `/${name}`).toSorted();
        const version = createHash('sha256')
          .update(read('index.html'))
          .update(addresses.join())
          .digest('hex')
          .slice(0, 12);
        const told = read(WORKER)
          .replace('const FILES = [];', `const FILES = ${JSON.stringify(addresses)};`)
          .replace("const VERSION = '';", `const VERSION = '${version}';`);
        if (!told.includes(version)) throw new Error(`${WORKER} has no place for its files`);
        writeFileSync(path.join(folder, WORKER), told);
      },
    },
  };
}
