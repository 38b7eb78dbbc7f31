import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { languages } from '@sonnenwarte/contract/languages';
import type { Page } from 'playwright-core';
import { isTexts } from '../../e2e/support/change-texts.ts';

const dist = join(import.meta.dirname, '../../apps/web/dist');

/** Names of the built files that a page has loaded. */
export class LoadedFiles {
  readonly names = new Set<string>();

  constructor(page: Page) {
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/assets/')) this.names.add(pathname);
    });
  }

  scripts(): string[] {
    return [...this.names].filter((name) => name.endsWith('.js'));
  }

  styles(): string[] {
    return [...this.names].filter((name) => name.endsWith('.css'));
  }
}

/** kB (1,000 bytes) of files, each compressed by gzip as a server would. */
export const gzipKb = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name))).length, 0) / 1000;

/** The language of a file of texts. */
export function languageOf(name: string): string | undefined {
  return languages.find((language) => isTexts(name) && name.includes(`/${language}/`));
}
