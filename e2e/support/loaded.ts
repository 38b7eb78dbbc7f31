import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RouteName } from '@sonnenwarte/contract/routes';
import type { Page, Response } from 'playwright-core';
import { isTexts } from './change-texts.ts';
import { repositoryRoot } from './portal.ts';

const KB = 1_000;
export const budgets = {
  initialJs: 186 * KB,
  loginJs: 140 * KB,
  css: 26 * KB,
  // The map's library is half of it; an alarm comes with its course and fault records.
  routeJs: 84 * KB,
  widgetsJs: 130 * KB,
  // Of a home with all that comes after it is painted: alarms and open orders.
  language: 26 * KB,
  loginTexts: 5 * KB,
  requests: 15,
  /** Scripts and styles of home that come after it is painted. */
  laterRequests: 12,
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

const firstFiles = (): Record<string, string[]> =>
  JSON.parse(readFileSync(join(repositoryRoot, 'apps', 'web', 'dist', 'first-files.json'), 'utf8'));

/** Files of the portal that a page has loaded. */
export class Loaded {
  readonly #paths: Set<string>;

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
  }

  get names(): string[] {
    return [...this.#paths];
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

  /** What the page of a route names as needed at once; the rest follows once that stands. */
  ofFirstPage(route: RouteName): Loaded {
    const first = Object.entries(firstFiles()).flatMap(([name, files]) => (name.split(':')[0] === route ? files : []));
    return new Loaded([...this.#paths].filter((path) => first.includes(path.slice(1))));
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

/** What one first page asks for. */
export interface Requests {
  /** The page with its scripts, styles, texts, fonts and pictures. */
  files: string[];
  /** Calls of the API, with what they send. */
  calls: string[];
  /** Files that are worth it and came as they are. */
  uncompressed: string[];
}

const COMPRESSIBLE_BYTES = 1_024;

/** Records every request of a page. */
export function recordRequests(page: Page): { taken(): Promise<Requests> } {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  const pathOf = (response: Response) => new URL(response.url()).pathname;
  const isCall = (response: Response) => /^\/(?:c|generic|op)\//.test(pathOf(response));
  return {
    taken: async () => {
      const files = responses.filter((response) => !isCall(response));
      const compressed = await Promise.all(
        files
          .filter((response) => /\.(?:js|css|json)$/.test(pathOf(response)))
          .map(async (response) => ({
            path: pathOf(response),
            bytes: (await response.body()).length,
            encoding: (await response.allHeaders())['content-encoding'],
          })),
      );
      return {
        files: files.map(pathOf),
        calls: responses.filter(isCall).map((response) => `${response.url()} ${response.request().postData() ?? ''}`),
        uncompressed: compressed
          .filter(({ bytes, encoding }) => bytes >= COMPRESSIBLE_BYTES && encoding !== 'br')
          .map(({ path }) => path),
      };
    },
  };
}
