import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { isTexts } from './change-texts.ts';
import { repositoryRoot } from './portal.ts';

const KB = 1_000;
export const budgets = {
  initialJs: 180 * KB,
  loginJs: 140 * KB,
  css: 25 * KB,
  routeJs: 75 * KB,
  widgetsJs: 130 * KB,
  language: 20 * KB,
};

/** Code of the widgets, which screens share and which is fetched while the browser is idle. */
const isWidgetChunk = /\/widgets-[\w-]+\.js$/;
const sizes = new Map<string, number>();

/** Bytes of one of the portal's own files, by gzip. */
function gzipBytes(path: string): number {
  const known = sizes.get(path);
  if (known !== undefined) return known;
  const bytes = gzipSync(readFileSync(join(repositoryRoot, 'apps', 'web', 'dist', path)), { level: 9 }).length;
  sizes.set(path, bytes);
  return bytes;
}

/** Files of the portal that a page has loaded. */
export class Loaded {
  readonly #paths: Set<string>;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  #bytes(keep: (path: string) => boolean): number {
    return [...this.#paths].filter(keep).reduce((sum, path) => sum + gzipBytes(path), 0);
  }

  /** Scripts but for shared widgets. */
  get scripts(): number {
    return this.#bytes((path) => path.endsWith('.js') && !isWidgetChunk.test(path));
  }

  get widgets(): number {
    return this.#bytes((path) => isWidgetChunk.test(path));
  }

  get styles(): number {
    return this.#bytes((path) => path.endsWith('.css'));
  }

  get texts(): number {
    return this.#bytes(isTexts);
  }

  /** What would still be loaded where the other is there already. */
  beyond(other: Loaded): Loaded {
    return new Loaded([...this.#paths].filter((path) => !other.#paths.has(path)));
  }
}

/** Records what a page loads of the portal's own scripts, styles and texts; `taken` answers what came since the last look. */
export function recordLoaded(page: Page): { taken(): Loaded } {
  let paths: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/\.(?:js|css)$/.test(pathname) || isTexts(pathname)) paths.push(pathname);
  });
  return {
    taken: () => {
      const loaded = new Loaded(paths);
      paths = [];
      return loaded;
    },
  };
}
